//===- doubles.cu - reads an f64 that nothing wrote -----------------------===//
//
//   activations           128
//              0           64  first  f64[8]
//             64           64  second  f32[16]
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>

__global__ void twice(double *x) { x[threadIdx.x] *= 2.0; }

int main() {
  double *arena;
  if (cudaMalloc(&arena, 128))
    return 2;
  cudaMemset(arena, 0, 40);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(8);
  cudaLaunchKernelEx(&config, twice, arena);
  cudaFree(arena);
  return 0;
}
