//===- Matmul.cuh - Matrix products by cuBLASLt ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matrix products of a program are planned when a model is created: their
// descriptors, and the algorithm that cuBLASLt thinks best with the workspace
// that the program has for it. A step only calls; the same algorithm adds in
// the same order every time.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_MATMUL_CUH
#define ACCRUE_RUNTIME_CUDA_MATMUL_CUH

#include "runtime/cuda/Check.cuh"

#include <cublasLt.h>

#include <cstddef>
#include <cstdint>

namespace accrue {

inline int check(cublasStatus_t status, const char *call, const char *file,
                 int line) {
  if (status == CUBLAS_STATUS_SUCCESS)
    return 0;
  return report(static_cast<int>(status), cublasLtGetStatusString(status), call,
                file, line);
}

/// The types of a product: of the sums, of alpha and beta, of the matrices.
struct MatmulTypes {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  cudaDataType_t a, b, c;
};

/// All of one type. Inputs are rounded to TF32 only where ACCRUE_TF32 is
/// defined.
#ifdef ACCRUE_TF32
inline constexpr cublasComputeType_t kComputeF32 = CUBLAS_COMPUTE_32F_FAST_TF32;
#else
inline constexpr cublasComputeType_t kComputeF32 = CUBLAS_COMPUTE_32F;
#endif
inline constexpr MatmulTypes kF32 = {kComputeF32, CUDA_R_32F, CUDA_R_32F,
                                     CUDA_R_32F, CUDA_R_32F};
inline constexpr MatmulTypes kF64 = {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F,
                                     CUDA_R_64F, CUDA_R_64F};

/// C = alpha op(A) op(B) + beta C, column-major: op(A) is m x k, op(B) k x n.
struct MatmulShape {
  MatmulTypes types;
  cublasOperation_t operationA, operationB;
  uint64_t m, n, k;
  /// Products of a call; their matrices follow one another.
  int32_t batch;
  /// Elements from one column to the next.
  int64_t lda, ldb, ldc;
  /// Bytes.
  size_t workspace;
};

/// A product that can be called.
struct Matmul {
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t product = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
  cublasLtMatmulAlgo_t algorithm = {};
  size_t workspace = 0;

  int create(cublasLtHandle_t lt, const MatmulShape &shape);
  void destroy();

private:
  static int describe(cublasLtMatrixLayout_t &layout, cudaDataType_t type,
                      uint64_t rows, uint64_t columns, int64_t leading,
                      int32_t batch);
  int choose(cublasLtMatmulPreference_t preference);
};

/// The layout of `batch` matrices one after another.
inline int Matmul::describe(cublasLtMatrixLayout_t &layout, cudaDataType_t type,
                            uint64_t rows, uint64_t columns, int64_t leading,
                            int32_t batch) {
  ACCRUE_CHECK(
      cublasLtMatrixLayoutCreate(&layout, type, rows, columns, leading));
  const int64_t stride = leading * static_cast<int64_t>(columns);
  ACCRUE_CHECK(cublasLtMatrixLayoutSetAttribute(
      layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
  ACCRUE_CHECK(cublasLtMatrixLayoutSetAttribute(
      layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
      sizeof stride));
  return 0;
}

/// Chooses the algorithm.
inline int Matmul::choose(cublasLtMatmulPreference_t preference) {
  ACCRUE_CHECK(cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
      sizeof workspace));
  // Every buffer of an arena begins at a multiple of 64 bytes.
  const uint32_t alignment = 64;
  for (cublasLtMatmulPreferenceAttributes_t attribute :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    ACCRUE_CHECK(cublasLtMatmulPreferenceSetAttribute(
        preference, attribute, &alignment, sizeof alignment));
  cublasLtMatmulHeuristicResult_t result = {};
  int found = 0;
  ACCRUE_CHECK(cublasLtMatmulAlgoGetHeuristic(handle, product, a, b, c, c,
                                              preference, 1, &result, &found));
  if (found == 0)
    return fail("cuBLASLt has no algorithm for a matrix product");
  algorithm = result.algo;
  return 0;
}

inline int Matmul::create(cublasLtHandle_t lt, const MatmulShape &shape) {
  handle = lt;
  workspace = shape.workspace;
  ACCRUE_CHECK(cublasLtMatmulDescCreate(&product, shape.types.compute,
                                        shape.types.scale));
  ACCRUE_CHECK(cublasLtMatmulDescSetAttribute(
      product, CUBLASLT_MATMUL_DESC_TRANSA, &shape.operationA,
      sizeof shape.operationA));
  ACCRUE_CHECK(cublasLtMatmulDescSetAttribute(
      product, CUBLASLT_MATMUL_DESC_TRANSB, &shape.operationB,
      sizeof shape.operationB));
  const bool turnA = shape.operationA != CUBLAS_OP_N;
  const bool turnB = shape.operationB != CUBLAS_OP_N;
  ACCRUE_CHECK(describe(a, shape.types.a, turnA ? shape.k : shape.m,
                        turnA ? shape.m : shape.k, shape.lda, shape.batch));
  ACCRUE_CHECK(describe(b, shape.types.b, turnB ? shape.n : shape.k,
                        turnB ? shape.k : shape.n, shape.ldb, shape.batch));
  ACCRUE_CHECK(
      describe(c, shape.types.c, shape.m, shape.n, shape.ldc, shape.batch));
  cublasLtMatmulPreference_t preference = nullptr;
  ACCRUE_CHECK(cublasLtMatmulPreferenceCreate(&preference));
  const int status = choose(preference);
  cublasLtMatmulPreferenceDestroy(preference);
  return status;
}

inline void Matmul::destroy() {
  if (c)
    cublasLtMatrixLayoutDestroy(c);
  if (b)
    cublasLtMatrixLayoutDestroy(b);
  if (a)
    cublasLtMatrixLayoutDestroy(a);
  if (product)
    cublasLtMatmulDescDestroy(product);
}

/// The products of a program.
template <int N>
class Matmuls {
public:
  Matmuls() = default;
  Matmuls(const Matmuls &) = delete;
  Matmuls &operator=(const Matmuls &) = delete;
  ~Matmuls() {
    for (Matmul &matmul : all)
      matmul.destroy();
    if (handle)
      cublasLtDestroy(handle);
  }

  int create(const MatmulShape (&shapes)[N]) {
    ACCRUE_CHECK(cublasLtCreate(&handle));
    for (int i = 0; i < N; ++i)
      ACCRUE_CHECK(all[i].create(handle, shapes[i]));
    return 0;
  }

  const Matmul &operator[](int i) const { return all[i]; }

private:
  cublasLtHandle_t handle = nullptr;
  Matmul all[N];
};

/// Starts a product. `alpha` and `beta` are on the host and read at once;
/// `workspace` is at a multiple of 256 bytes.
inline cublasStatus_t matmul(const Matmul &plan, const void *alpha,
                             const void *a, const void *b, const void *beta,
                             void *c, void *workspace, cudaStream_t stream) {
  return cublasLtMatmul(plan.handle, plan.product, alpha, a, plan.a, b, plan.b,
                        beta, c, plan.c, c, plan.c, &plan.algorithm, workspace,
                        plan.workspace, stream);
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_MATMUL_CUH
