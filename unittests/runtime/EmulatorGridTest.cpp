//===- EmulatorGridTest.cpp - Kernels on the emulator ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorTesting.h"

#include <cmath>
#include <numeric>

using namespace accrue::emulator;

namespace {

constexpr unsigned allLanes = 0xffffffffu;

template <class... Parameters, class... Arguments>
void run(dim3 grid, dim3 block, void (*kernel)(Parameters...),
         Arguments... arguments) {
  ASSERT_EQ(launchOn(nullptr, grid, block, kernel, arguments...), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

__global__ void writeIndices(int *x) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread =
      threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int threads = blockDim.x * blockDim.y * blockDim.z;
  x[block * threads + thread] = block * threads + thread;
}

TEST(EmulatorGrid, EveryThreadRunsOnce) {
  DeviceArray<int> x(2 * 3 * 2 * 4 * 5 * 2);
  run(dim3(2, 3, 2), dim3(4, 5, 2), writeIndices, x.data);
  std::vector<int> expected(x.size);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(x.get(), expected);
}

__global__ void reverse(float *x) {
  __shared__ float values[256];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

TEST(EmulatorGrid, BarriersOrderSharedMemory) {
  std::vector<float> values(256), reversed;
  std::iota(values.begin(), values.end(), 0.0f);
  DeviceArray<float> x(values);
  run(1, 256, reverse, x.data);
  EXPECT_EQ(x.get(), std::vector<float>(values.rbegin(), values.rend()));
}

__global__ void rotate(int *x) {
  __shared__ int values[64];
  for (int i = 0; i < 10; ++i) {
    values[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = values[(threadIdx.x + 1) % 64];
    __syncthreads();
  }
}

TEST(EmulatorGrid, ManyBarriers) {
  std::vector<int> values(64);
  std::iota(values.begin(), values.end(), 0);
  DeviceArray<int> x(values);
  run(1, 64, rotate, x.data);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(x.get()[i], (i + 10) % 64);
}

__global__ void shuffles(int *x) {
  int lane = threadIdx.x;
  int *row = x + lane * 8;
  row[0] = __shfl_xor_sync(allLanes, lane, 5);
  row[1] = __shfl_down_sync(allLanes, lane, 3);
  row[2] = __shfl_up_sync(allLanes, lane, 3);
  row[3] = __shfl_sync(allLanes, lane, 7);
  row[4] = __shfl_down_sync(allLanes, lane, 3, 8);
  row[5] = __shfl_up_sync(allLanes, lane, 3, 8);
  row[6] = __shfl_sync(allLanes, lane, 9, 8);
  row[7] = __shfl_xor_sync(allLanes, lane, 12, 8);
}

TEST(EmulatorGrid, Shuffles) {
  DeviceArray<int> x(32 * 8);
  run(1, 32, shuffles, x.data);
  std::vector<int> rows = x.get();
  for (int lane = 0; lane < 32; ++lane) {
    int segment = lane / 8 * 8;
    EXPECT_EQ(rows[lane * 8], lane ^ 5);
    EXPECT_EQ(rows[lane * 8 + 1], lane + 3 < 32 ? lane + 3 : lane);
    EXPECT_EQ(rows[lane * 8 + 2], lane >= 3 ? lane - 3 : lane);
    EXPECT_EQ(rows[lane * 8 + 3], 7);
    EXPECT_EQ(rows[lane * 8 + 4], lane + 3 < segment + 8 ? lane + 3 : lane);
    EXPECT_EQ(rows[lane * 8 + 5], lane - 3 >= segment ? lane - 3 : lane);
    EXPECT_EQ(rows[lane * 8 + 6], segment + 1);
    // A lower segment can be read, a higher one cannot.
    EXPECT_EQ(rows[lane * 8 + 7], (lane ^ 12) < segment + 8 ? lane ^ 12 : lane);
  }
}

__global__ void halves(double *x) {
  // The two halves of a warp at once, with masks of their own.
  bool isLow = threadIdx.x < 16;
  unsigned mask = isLow ? 0x0000ffffu : 0xffff0000u;
  double value = threadIdx.x;
  for (int offset = 8; offset > 0; offset /= 2)
    if (isLow)
      value += __shfl_xor_sync(mask, value, offset);
    else
      value += __shfl_xor_sync(mask, value, offset);
  x[threadIdx.x] = value;
}

TEST(EmulatorGrid, PartsOfWarps) {
  DeviceArray<double> x(32);
  run(1, 32, halves, x.data);
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(x.get()[i], i < 16 ? 120.0 : 376.0);
}

__global__ void votes(unsigned *x) {
  unsigned odd = __ballot_sync(allLanes, threadIdx.x % 2);
  int any = __any_sync(allLanes, threadIdx.x == 3);
  int all = __all_sync(allLanes, threadIdx.x < 31);
  __syncwarp();
  if (threadIdx.x == 5) {
    x[0] = odd;
    x[1] = any;
    x[2] = all;
    x[3] = __activemask();
  }
}

TEST(EmulatorGrid, Votes) {
  DeviceArray<unsigned> x(4);
  run(1, 32, votes, x.data);
  EXPECT_EQ(x.get()[0], 0xaaaaaaaau);
  EXPECT_EQ(x.get()[1], 1u);
  EXPECT_EQ(x.get()[2], 0u);
  EXPECT_TRUE(x.get()[3] >> 5 & 1);
}

__global__ void atomics(int *count, float *sum, int *largest) {
  atomicAdd(count, 1);
  atomicAdd(sum, 0.5f);
  atomicMax(largest, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x));
}

TEST(EmulatorGrid, Atomics) {
  DeviceArray<int> count(std::vector<int>{0}), largest(std::vector<int>{-1});
  DeviceArray<float> sum(std::vector<float>{0});
  run(4, 64, atomics, count.data, sum.data, largest.data);
  EXPECT_EQ(count.get()[0], 256);
  EXPECT_EQ(sum.get()[0], 128.0f);
  EXPECT_EQ(largest.get()[0], 255);
}

TEST(EmulatorGrid, RefusesBadConfigurations) {
  EXPECT_EQ(launchOn(nullptr, 0, 32, reverse, nullptr),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(launchOn(nullptr, 1, 1025, reverse, nullptr),
            cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

//===----------------------------------------------------------------------===//
// Divergence
//===----------------------------------------------------------------------===//

__global__ void exitBeforeBarrier() {
  if (threadIdx.x < 5)
    return;
  __syncthreads();
}

TEST(EmulatorGridDeathTest, ExitBeforeBarrier) {
  EXPECT_EXIT(launchOn(nullptr, 3, 64, exitBeforeBarrier),
              testing::ExitedWithCode(1),
              "block 0: threads wait for others that do not come\n"
              "  thread 0 to 4 has ended\n"
              "  thread 5 to 63 waits at the barrier at .*EmulatorGridTest");
}

__global__ void differentBarriers() {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
}

TEST(EmulatorGridDeathTest, DifferentBarriers) {
  EXPECT_EXIT(launchOn(nullptr, 1, 64, differentBarriers),
              testing::ExitedWithCode(1),
              "thread 0 to 31 waits at the barrier at .*\n"
              "  thread 32 to 63 waits at the barrier at ");
}

__global__ void partialShuffle(int *x) {
  if (threadIdx.x < 16)
    x[threadIdx.x] = __shfl_xor_sync(allLanes, 1, 1);
}

TEST(EmulatorGridDeathTest, PartialShuffle) {
  DeviceArray<int> x(32);
  EXPECT_EXIT(launchOn(nullptr, 1, 32, partialShuffle, x.data),
              testing::ExitedWithCode(1),
              "thread 0 to 15 waits at the warp's collective at .* with mask "
              "0xffffffff\n  thread 16 to 31 has ended");
}

__global__ void barrierAgainstShuffle() {
  if (threadIdx.x < 16)
    __syncthreads();
  else
    __shfl_xor_sync(allLanes, 1, 1);
}

TEST(EmulatorGridDeathTest, BarrierAgainstShuffle) {
  EXPECT_EXIT(launchOn(nullptr, 1, 32, barrierAgainstShuffle),
              testing::ExitedWithCode(1), "threads wait for others");
}

__global__ void wrongMask() { __shfl_sync(threadIdx.x ? allLanes : 2u, 1, 0); }

TEST(EmulatorGridDeathTest, LaneOutsideOfItsMask) {
  EXPECT_EXIT(launchOn(nullptr, 1, 32, wrongMask), testing::ExitedWithCode(1),
              "a lane that is not in the mask of its own collective: thread 0");
}

//===----------------------------------------------------------------------===//
// Reads of memory that nothing wrote
//===----------------------------------------------------------------------===//

__global__ void doubleAll(float *y, const float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i] * 2.0f;
}

TEST(EmulatorGridDeathTest, ReadOfUnwrittenMemory) {
  DeviceArray<float> x(128), y(128);
  ASSERT_EQ(cudaMemset(x.data, 0, 100 * sizeof(float)), cudaSuccess);
  EXPECT_EXIT(launchOn(nullptr, 2, 64, doubleAll, y.data, x.data),
              testing::ExitedWithCode(1),
              "block 1: thread 36 read memory that nothing wrote");
}

__global__ void compareAll(float *y, const float *x) {
  y[threadIdx.x] = x[threadIdx.x] > 0.0f ? 1.0f : 0.0f;
}

TEST(EmulatorGridDeathTest, ComparisonOfUnwrittenMemory) {
  DeviceArray<float> x(32), y(32);
  EXPECT_EXIT(launchOn(nullptr, 1, 32, compareAll, y.data, x.data),
              testing::ExitedWithCode(1),
              "thread 0 read memory that nothing wrote");
}

__global__ void invalidOperations(float *x) {
  volatile float zero = 0.0f;
  float infinity = 1.0f / zero;
  float nan = infinity - infinity;
  x[0] = nan;
  x[1] = zero / zero;
  x[2] = nan < 1.0f;
  x[3] = std::sqrt(-infinity);
}

TEST(EmulatorGrid, OtherInvalidOperationsAreLegal) {
  DeviceArray<float> x(4);
  run(1, 1, invalidOperations, x.data);
  EXPECT_TRUE(std::isnan(x.get()[0]));
  EXPECT_TRUE(std::isnan(x.get()[1]));
  EXPECT_EQ(x.get()[2], 0.0f);
}

} // namespace
