//===- Reduce.cuh - Reductions over a block -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warps reduce by a butterfly of shuffles, which gives every lane the same
// value, bit by bit; then every thread combines the values of the warps in
// their order. The order never depends on timing.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_REDUCE_CUH
#define ACCRUE_RUNTIME_CUDA_REDUCE_CUH

#include "runtime/cuda/Math.cuh"

namespace accrue {

struct Sum {
  template <class T>
  __device__ static T combine(T a, T b) {
    return a + b;
  }
};
struct Product {
  template <class T>
  __device__ static T combine(T a, T b) {
    return a * b;
  }
};
struct Maximum {
  template <class T>
  __device__ static T combine(T a, T b) {
    return maximum(a, b);
  }
};
struct Minimum {
  template <class T>
  __device__ static T combine(T a, T b) {
    return minimum(a, b);
  }
};
struct All {
  __device__ static bool combine(bool a, bool b) { return a && b; }
};
struct Any {
  __device__ static bool combine(bool a, bool b) { return a || b; }
};

/// The values of the 32 threads of a warp combined, in every one of them.
template <class Op, class T>
__device__ T warpReduce(T value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    const T other = static_cast<T>(__shfl_xor_sync(0xffffffffu, value, offset));
    value = Op::combine(value, other);
  }
  return value;
}

/// The values of all threads of a block combined, in every one of them. The
/// block has whole warps. Orders memory like __syncthreads().
template <class Op, class T>
__device__ T blockReduce(T value) {
  __shared__ T warps[32];
  value = warpReduce<Op>(value);
  // The values of the reduction before have been read.
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = value;
  __syncthreads();
  T total = warps[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp)
    total = Op::combine(total, warps[warp]);
  return total;
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_REDUCE_CUH
