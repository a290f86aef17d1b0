//===- Multiply.cpp - Products of dense matrices --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops over packed copies, which no sanitizer needs to see. Every sum is
// in ascending order of k.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Matmul.h"

#include <algorithm>

using namespace accrue::emulator;

template <class T>
static void multiplyAs(int64_t m, int64_t n, int64_t k, const T *a, const T *b,
                       T *c) {
  std::fill(c, c + m * n, T(0));
  // Four columns share what is read of a.
  int64_t j = 0;
  for (; j + 4 <= n; j += 4) {
    T *__restrict__ c0 = c + j * m;
    T *__restrict__ c1 = c0 + m;
    T *__restrict__ c2 = c1 + m;
    T *__restrict__ c3 = c2 + m;
    for (int64_t l = 0; l < k; ++l) {
      const T *__restrict__ column = a + l * m;
      T b0 = b[j * k + l], b1 = b[(j + 1) * k + l];
      T b2 = b[(j + 2) * k + l], b3 = b[(j + 3) * k + l];
      for (int64_t i = 0; i < m; ++i) {
        c0[i] += column[i] * b0;
        c1[i] += column[i] * b1;
        c2[i] += column[i] * b2;
        c3[i] += column[i] * b3;
      }
    }
  }
  for (; j < n; ++j)
    for (int64_t l = 0; l < k; ++l)
      for (int64_t i = 0; i < m; ++i)
        c[j * m + i] += a[l * m + i] * b[j * k + l];
}

void accrue::emulator::multiply(int64_t m, int64_t n, int64_t k, const float *a,
                                const float *b, float *c) {
  multiplyAs(m, n, k, a, b, c);
}

void accrue::emulator::multiply(int64_t m, int64_t n, int64_t k,
                                const double *a, const double *b, double *c) {
  multiplyAs(m, n, k, a, b, c);
}
