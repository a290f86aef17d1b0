//===- Blas.cpp - cuBLAS --------------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handles and products; scalars are read when the call is made.
//
//===----------------------------------------------------------------------===//

#include "cublas_v2.h"

#include "runtime/emulator/Matmul.h"

#include <algorithm>

using namespace accrue::emulator;

using Lock = std::lock_guard<std::recursive_mutex>;

struct cublasContext {
  cudaStream_t stream = nullptr;
};

extern "C" cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasSetStream_v2(cublasHandle_t handle,
                                             cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle,
                                                  cublasPointerMode_t mode) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return mode == CUBLAS_POINTER_MODE_HOST ? CUBLAS_STATUS_SUCCESS
                                          : CUBLAS_STATUS_NOT_SUPPORTED;
}

extern "C" cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *,
                                                size_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

extern "C" cublasStatus_t cublasSetMathMode(cublasHandle_t handle,
                                            cublasMath_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

template <class T>
static cublasStatus_t multiply(const char *name, cublasHandle_t handle,
                               cublasOperation_t transA,
                               cublasOperation_t transB, int m, int n, int k,
                               const T *alpha, const T *a, int lda, const T *b,
                               int ldb, const T *beta, T *c, int ldc) {
  Lock lock(getMutex());
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  bool isTransposedA = transA != CUBLAS_OP_N;
  bool isTransposedB = transB != CUBLAS_OP_N;
  int rowsA = isTransposedA ? k : m;
  int rowsB = isTransposedB ? n : k;
  if (m < 0 || n < 0 || k < 0 || lda < std::max(1, rowsA) ||
      ldb < std::max(1, rowsB) || ldc < std::max(1, m) || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  Matmul matmul;
  matmul.name = name;
  matmul.isDouble = sizeof(T) == sizeof(double);
  cudaDataType type = matmul.isDouble ? CUDA_R_64F : CUDA_R_32F;
  matmul.a = {type, rowsA, isTransposedA ? m : k, lda, 0};
  matmul.b = {type, rowsB, isTransposedB ? k : n, ldb, 0};
  matmul.c = matmul.d = {type, m, n, ldc, 0};
  matmul.transposeA = isTransposedA;
  matmul.transposeB = isTransposedB;
  matmul.alpha = static_cast<double>(*alpha);
  matmul.beta = static_cast<double>(*beta);
  matmul.aData = a;
  matmul.bData = b;
  matmul.cData = matmul.dData = c;
  return submit(handle->stream, makeWork<MatmulWork>(matmul))
             ? CUBLAS_STATUS_EXECUTION_FAILED
             : CUBLAS_STATUS_SUCCESS;
}

extern "C" cublasStatus_t
cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transA,
               cublasOperation_t transB, int m, int n, int k,
               const float *alpha, const float *a, int lda, const float *b,
               int ldb, const float *beta, float *c, int ldc) {
  return multiply("cublasSgemm", handle, transA, transB, m, n, k, alpha, a, lda,
                  b, ldb, beta, c, ldc);
}

extern "C" cublasStatus_t
cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t transA,
               cublasOperation_t transB, int m, int n, int k,
               const double *alpha, const double *a, int lda, const double *b,
               int ldb, const double *beta, double *c, int ldc) {
  return multiply("cublasDgemm", handle, transA, transB, m, n, k, alpha, a, lda,
                  b, ldb, beta, c, ldc);
}
