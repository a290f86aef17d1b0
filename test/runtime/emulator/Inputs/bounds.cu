//===- bounds.cu - writes one element of an arena -------------------------===//
//
//   activations           400
//              0           80  first  f32[20]
//            128          272  second  f32[68]
//
//===----------------------------------------------------------------------===//

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void write(float *x, int i) { x[i] = 1.0f; }

// bounds ELEMENT [cleared]
int main(int count, char **arguments) {
  float *arena;
  if (cudaMalloc(&arena, 400))
    return 2;
  if (count > 2)
    cudaMemset(arena, 0, 400);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  cudaLaunchKernelEx(&config, write, arena, std::atoi(arguments[1]));
  cudaFree(arena);
  std::printf("ended\n");
  return 0;
}
