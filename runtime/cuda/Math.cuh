//===- Math.cuh - Scalar functions of kernels -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What C's functions do not do: maxima that keep a NaN, so that a step that is
// not finite is noticed, and comparisons by their order.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_MATH_CUH
#define ACCRUE_RUNTIME_CUDA_MATH_CUH

#include <cmath>
#include <cstdint>

namespace accrue {

/// Whether one of two floats is a NaN.
template <class T>
__device__ bool unordered(T a, T b) {
  return a != a || b != b;
}

/// Less or greater; false with a NaN.
template <class T>
__device__ bool orderedUnequal(T a, T b) {
  return a < b || a > b;
}

template <class T>
__device__ T maximum(T a, T b) {
  return a > b ? a : b;
}
template <class T>
__device__ T minimum(T a, T b) {
  return a < b ? a : b;
}

/// The larger, a NaN if there is one; +0 is larger than -0.
__device__ inline float maximum(float a, float b) {
  return unordered(a, b) ? a + b : fmaxf(a, b);
}
__device__ inline double maximum(double a, double b) {
  return unordered(a, b) ? a + b : fmax(a, b);
}

/// The smaller, a NaN if there is one; -0 is smaller than +0.
__device__ inline float minimum(float a, float b) {
  return unordered(a, b) ? a + b : fminf(a, b);
}
__device__ inline double minimum(double a, double b) {
  return unordered(a, b) ? a + b : fmin(a, b);
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_MATH_CUH
