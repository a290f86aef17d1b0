// unwritten [written]: a kernel that decides by integers.

#include <cuda_runtime.h>

__global__ void choose(int *y, const int *x) {
  int largest = __shfl_xor_sync(0xffffffffu, int(threadIdx.x), 1);
  if (x[threadIdx.x] == 3)
    y[threadIdx.x] = largest;
}

int main(int count, char **) {
  int *x;
  if (cudaMalloc(&x, 512))
    return 1;
  if (count > 1)
    cudaMemset(x, 0, 512);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  cudaLaunchKernelEx(&config, choose, x + 64, (const int *)x);
  cudaDeviceSynchronize();
  cudaFree(x);
  return 0;
}
