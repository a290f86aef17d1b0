//===- Blas.h - Matrix products of generated code ---------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dense matrix products through CBLAS. OpenBLAS is loaded at run time, by the
// path of its OpenMP build, so that which variant is used does not depend on
// the alternatives configured on the machine.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CPU_BLAS_H
#define ACCRUE_RUNTIME_CPU_BLAS_H

#include "runtime/io/Result.h"

#include <cstdint>

extern "C" {

/// C = alpha op(A) op(B) + beta C on row-major matrices, op(A) of m x k and
/// op(B) of k x n, where op transposes if asked. `lda`, `ldb` and `ldc` count
/// the elements from one stored row to the next. With beta = 0, C is written
/// without being read. Zero extents are allowed. Ends the process with a
/// message if there is no BLAS; see loadBlas.
void accrue_sgemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k,
                  float alpha, const float *a, int64_t lda, const float *b,
                  int64_t ldb, float beta, float *c, int64_t ldc);
void accrue_dgemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k,
                  double alpha, const double *a, int64_t lda, const double *b,
                  int64_t ldb, double beta, double *c, int64_t ldc);

/// `batch` such products, of matrices that follow one another. Small ones are
/// divided among threads, and the result does not depend on their number.
void accrue_sgemm_batch(bool transA, bool transB, int64_t batch, int64_t m,
                        int64_t n, int64_t k, float alpha, const float *a,
                        int64_t lda, const float *b, int64_t ldb, float beta,
                        float *c, int64_t ldc);
void accrue_dgemm_batch(bool transA, bool transB, int64_t batch, int64_t m,
                        int64_t n, int64_t k, double alpha, const double *a,
                        int64_t lda, const double *b, int64_t ldb, double beta,
                        double *c, int64_t ldc);

/// The kernels that OpenBLAS chose for this processor, such as `SkylakeX`;
/// empty if there is no BLAS.
const char *accrue_blas_core(void);
}

namespace accrue::cpu {

/// Loads OpenBLAS if that has not happened yet: the file named by the
/// environment variable ACCRUE_BLAS, else the one found when Accrue was built,
/// else whatever the system calls libopenblas.so.0.
io::Status loadBlas();

} // namespace accrue::cpu

#endif // ACCRUE_RUNTIME_CPU_BLAS_H
