// races KIND [ordered]: a program with a race of that kind, or without.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void reverse(float *x, bool isOrdered) {
  __shared__ float values[64];
  values[threadIdx.x] = x[threadIdx.x];
  if (isOrdered)
    __syncthreads();
  x[threadIdx.x] = values[63 - threadIdx.x];
}

__global__ void count(int *x, bool isOrdered) {
  if (threadIdx.x != 0)
    return;
  if (isOrdered)
    atomicAdd(x, 1);
  else
    *x += 1;
}

__global__ void neighbour(int *x, bool isOrdered) {
  // A shuffle does not order memory.
  x[threadIdx.x] = __shfl_xor_sync(0xffffffffu, int(threadIdx.x), 1);
  __shfl_xor_sync(0xffffffffu, 0, 1);
  if (isOrdered)
    __syncwarp();
  int value = x[threadIdx.x ^ 1];
  __syncwarp();
  x[threadIdx.x] = value;
}

__global__ void fill(float *x) { x[threadIdx.x] = 1.0f; }

template <class... Parameters, class... Arguments>
static void launch(cudaStream_t stream, unsigned grid, unsigned block,
                   void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(block);
  config.stream = stream;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

static void useTwoStreams(cudaStream_t a, cudaStream_t b, float *x,
                          bool isOrdered) {
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  launch(a, 1, 64, fill, x);
  if (isOrdered) {
    cudaEventRecord(event, a);
    cudaStreamWaitEvent(b, event);
  }
  cudaMemcpyAsync(x + 64, x, 64 * sizeof(float), cudaMemcpyDeviceToDevice, b);
  cudaEventDestroy(event);
}

int main(int count_, char **arguments) {
  const char *kind = arguments[1];
  bool isOrdered = count_ > 2;
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  float *x;
  int *n;
  cudaMalloc(&x, 1024);
  cudaMalloc(&n, 1024);
  cudaMemset(x, 0, 1024);
  cudaMemset(n, 0, 1024);
  cudaDeviceSynchronize();
  float host = 0;
  if (!std::strcmp(kind, "shared")) {
    launch(a, 1, 64, reverse, x, isOrdered);
  } else if (!std::strcmp(kind, "blocks")) {
    launch(a, 4, 32, count, n, isOrdered);
  } else if (!std::strcmp(kind, "shuffle")) {
    launch(a, 1, 32, neighbour, n, isOrdered);
  } else if (!std::strcmp(kind, "streams")) {
    useTwoStreams(a, b, x, isOrdered);
  } else if (!std::strcmp(kind, "graph")) {
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal);
    cudaEventRecord(forked, a);
    cudaStreamWaitEvent(b, forked);
    useTwoStreams(a, b, x, isOrdered);
    cudaEventRecord(joined, b);
    cudaStreamWaitEvent(a, joined);
    if (cudaStreamEndCapture(a, &graph) || cudaGraphInstantiate(&exec, graph) ||
        cudaGraphLaunch(exec, a))
      return 1;
    cudaStreamSynchronize(a);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  } else if (!std::strcmp(kind, "host")) {
    launch(a, 1, 64, fill, x);
    if (isOrdered)
      cudaStreamSynchronize(a);
    host = x[0];
  }
  cudaDeviceSynchronize();
  cudaFree(n);
  cudaFree(x);
  cudaStreamDestroy(b);
  cudaStreamDestroy(a);
  std::printf("ended %g\n", host);
  return 0;
}
