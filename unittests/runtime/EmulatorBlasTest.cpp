//===- EmulatorBlasTest.cpp - cuBLAS and cuBLASLt of the emulator ---------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorTesting.h"

#include "cublasLt.h"
#include "cublas_v2.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include <cmath>
#include <limits>

using namespace accrue::emulator;

namespace {

/// Small whole numbers: products are exact in every type.
template <class T>
std::vector<T> getNumbers(size_t count, int seed) {
  std::vector<T> numbers;
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(T(static_cast<int>((i * 7 + seed) % 5) - 2));
  return numbers;
}

double getElement(const std::vector<double> &matrix, int leading, bool turn,
                  int row, int column) {
  return turn ? matrix[row * leading + column] : matrix[column * leading + row];
}

TEST(EmulatorBlas, GemmTransposes) {
  const int m = 3, n = 4, k = 5, lda = 6, ldb = 7, ldc = 5;
  cublasHandle_t handle;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  for (bool turnA : {false, true})
    for (bool turnB : {false, true}) {
      std::vector<double> a = getNumbers<double>(lda * 6, 1);
      std::vector<double> b = getNumbers<double>(ldb * 6, 2);
      std::vector<double> c = getNumbers<double>(ldc * n, 3);
      DeviceArray<double> deviceA(a), deviceB(b), deviceC(c);
      const double alpha = 2, beta = 3;
      ASSERT_EQ(cublasDgemm(handle, turnA ? CUBLAS_OP_T : CUBLAS_OP_N,
                            turnB ? CUBLAS_OP_T : CUBLAS_OP_N, m, n, k, &alpha,
                            deviceA.data, lda, deviceB.data, ldb, &beta,
                            deviceC.data, ldc),
                CUBLAS_STATUS_SUCCESS);
      std::vector<double> result = deviceC.get();
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < ldc; ++i) {
          double expected = c[j * ldc + i];
          if (i < m) {
            expected *= beta;
            for (int l = 0; l < k; ++l)
              expected += alpha * getElement(a, lda, turnA, i, l) *
                          getElement(b, ldb, turnB, l, j);
          }
          EXPECT_EQ(result[j * ldc + i], expected) << i << ' ' << j;
        }
    }
  cublasDestroy(handle);
}

TEST(EmulatorBlas, BetaZeroDoesNotRead) {
  cublasHandle_t handle;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  DeviceArray<float> a(std::vector<float>{2}), b(std::vector<float>{3}), c(1);
  const float one = 1, zero = 0;
  ASSERT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a.data,
                        1, b.data, 1, &zero, c.data, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.get()[0], 6.0f);
  cublasDestroy(handle);
}

TEST(EmulatorBlas, RefusesBadSizes) {
  cublasHandle_t handle;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  DeviceArray<float> a(16);
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 1, 1, &one, a.data,
                        3, a.data, 1, &zero, a.data, 4),
            CUBLAS_STATUS_INVALID_VALUE);
  cublasDestroy(handle);
}

TEST(EmulatorBlasDeathTest, ReadOfUnwrittenOperand) {
  cublasHandle_t handle;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  DeviceArray<float> a(1), b(std::vector<float>{3}), c(1);
  const float one = 1, zero = 0;
  EXPECT_EXIT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one,
                          a.data, 1, b.data, 1, &zero, c.data, 1),
              testing::ExitedWithCode(1),
              "cublasSgemm read memory that nothing wrote");
  cublasDestroy(handle);
}

/// A product of cuBLASLt with everything that it takes.
struct LtProduct {
  LtProduct(cudaDataType type, cublasComputeType_t compute, int m, int n, int k,
            size_t workspace = 0) {
    cublasLtCreate(&handle);
    cublasLtMatmulDescCreate(&desc, compute,
                             type == CUDA_R_64F ? CUDA_R_64F : CUDA_R_32F);
    cublasLtMatrixLayoutCreate(&a, type, m, k, m);
    cublasLtMatrixLayoutCreate(&b, type, k, n, k);
    cublasLtMatrixLayoutCreate(&c, type, m, n, m);
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
        sizeof workspace);
  }
  ~LtProduct() {
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatrixLayoutDestroy(c);
    cublasLtMatrixLayoutDestroy(b);
    cublasLtMatrixLayoutDestroy(a);
    cublasLtMatmulDescDestroy(desc);
    cublasLtDestroy(handle);
  }
  cublasStatus_t choose() {
    int found = 0;
    return cublasLtMatmulAlgoGetHeuristic(handle, desc, a, b, c, c, preference,
                                          1, &result, &found);
  }
  cublasStatus_t run(const void *alpha, const void *x, const void *y,
                     const void *beta, void *z, void *workspace = nullptr,
                     size_t bytes = 0) {
    return cublasLtMatmul(handle, desc, alpha, x, a, y, b, beta, z, c, z, c,
                          &result.algo, workspace, bytes, nullptr);
  }
  void setBatch(int32_t batch, int64_t strideA, int64_t strideB,
                int64_t strideC) {
    cublasLtMatrixLayout_t layouts[] = {a, b, c};
    int64_t strides[] = {strideA, strideB, strideC};
    for (int i = 0; i < 3; ++i) {
      cublasLtMatrixLayoutSetAttribute(
          layouts[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch);
      cublasLtMatrixLayoutSetAttribute(
          layouts[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &strides[i],
          sizeof strides[i]);
    }
  }
  cublasLtHandle_t handle;
  cublasLtMatmulDesc_t desc;
  cublasLtMatrixLayout_t a, b, c;
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t result;
};

template <class T>
void checkBatched(cudaDataType type) {
  const int m = 2, n = 3, k = 4, batch = 2;
  LtProduct product(type, CUBLAS_COMPUTE_32F, m, n, k);
  product.setBatch(batch, m * k, k * n, m * n);
  ASSERT_EQ(product.choose(), CUBLAS_STATUS_SUCCESS);
  std::vector<T> a = getNumbers<T>(batch * m * k, 1);
  std::vector<T> b = getNumbers<T>(batch * k * n, 2);
  DeviceArray<T> deviceA(a), deviceB(b), deviceC(batch * m * n);
  const float alpha = 0.5f, beta = 0;
  ASSERT_EQ(
      product.run(&alpha, deviceA.data, deviceB.data, &beta, deviceC.data),
      CUBLAS_STATUS_SUCCESS);
  std::vector<T> c = deviceC.get();
  for (int p = 0; p < batch; ++p)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        float sum = 0;
        for (int l = 0; l < k; ++l)
          sum +=
              float(a[p * m * k + l * m + i]) * float(b[p * k * n + j * k + l]);
        EXPECT_EQ(float(c[p * m * n + j * m + i]), alpha * sum);
      }
}

TEST(EmulatorBlasLt, Batched) {
  checkBatched<float>(CUDA_R_32F);
  checkBatched<__half>(CUDA_R_16F);
  checkBatched<__nv_bfloat16>(CUDA_R_16BF);
}

TEST(EmulatorBlasLt, Epilogues) {
  struct Case {
    uint32_t epilogue;
    float expected[2];
  };
  // One row is 1 * 3 - 2, the other -1 * 3 + 1.
  for (const Case &c :
       {Case{CUBLASLT_EPILOGUE_DEFAULT, {3, -3}},
        Case{CUBLASLT_EPILOGUE_RELU, {3, 0}},
        Case{CUBLASLT_EPILOGUE_BIAS, {1, -2}},
        Case{CUBLASLT_EPILOGUE_RELU_BIAS, {1, 0}},
        Case{CUBLASLT_EPILOGUE_GELU_BIAS, {0.841192f, -0.0454023f}}}) {
    LtProduct product(CUDA_R_32F, CUBLAS_COMPUTE_32F, 2, 1, 1);
    DeviceArray<float> a({1, -1}), b(std::vector<float>{3}), bias({-2, 1}),
        d(2);
    ASSERT_EQ(cublasLtMatmulDescSetAttribute(product.desc,
                                             CUBLASLT_MATMUL_DESC_EPILOGUE,
                                             &c.epilogue, sizeof c.epilogue),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cublasLtMatmulDescSetAttribute(product.desc,
                                             CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                                             &bias.data, sizeof bias.data),
              CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(product.choose(), CUBLAS_STATUS_SUCCESS);
    const float one = 1, zero = 0;
    ASSERT_EQ(product.run(&one, a.data, b.data, &zero, d.data),
              CUBLAS_STATUS_SUCCESS);
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(d.get()[i], c.expected[i], 1e-5) << c.epilogue;
  }
}

TEST(EmulatorBlasLt, WorkspaceIsOverwritten) {
  LtProduct product(CUDA_R_32F, CUBLAS_COMPUTE_32F, 1, 1, 1, 1024);
  ASSERT_EQ(product.choose(), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(product.result.workspaceSize, 1024u);
  DeviceArray<float> a(std::vector<float>{1}), c(1),
      workspace(std::vector<float>(257, 1.0f));
  const float one = 1, zero = 0;
  // Too small, not aligned, missing.
  EXPECT_EQ(
      product.run(&one, a.data, a.data, &zero, c.data, workspace.data, 512),
      CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(product.run(&one, a.data, a.data, &zero, c.data, workspace.data + 1,
                        1024),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(product.run(&one, a.data, a.data, &zero, c.data, nullptr, 1024),
            CUBLAS_STATUS_INVALID_VALUE);
  ASSERT_EQ(
      product.run(&one, a.data, a.data, &zero, c.data, workspace.data, 1028),
      CUBLAS_STATUS_SUCCESS);
  std::vector<float> values = workspace.get();
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_TRUE(std::isnan(values[255]));
  EXPECT_EQ(values[256], 1.0f);
}

TEST(EmulatorBlasLt, RefusesWrongShapesAndTypes) {
  LtProduct product(CUDA_R_32F, CUBLAS_COMPUTE_32F, 2, 2, 3);
  int32_t turn = CUBLAS_OP_T;
  cublasLtMatmulDescSetAttribute(product.desc, CUBLASLT_MATMUL_DESC_TRANSA,
                                 &turn, sizeof turn);
  EXPECT_EQ(product.choose(), CUBLAS_STATUS_INVALID_VALUE);
  LtProduct mixed(CUDA_R_64F, CUBLAS_COMPUTE_32F, 2, 2, 3);
  EXPECT_EQ(mixed.choose(), CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST(EmulatorHalf, RoundsToNearestEven) {
  EXPECT_EQ(float(__half(1.0f + 0x1p-11f)), 1.0f);
  EXPECT_EQ(float(__half(1.0f + 3 * 0x1p-11f)), 1.0f + 0x1p-9f);
  EXPECT_EQ(float(__half(65519.0f)), 65504.0f);
  EXPECT_TRUE(std::isinf(float(__half(65520.0f))));
  EXPECT_EQ(float(__half(0x1p-24f)), 0x1p-24f);
  EXPECT_EQ(float(__half(0x1p-25f)), 0.0f);
  EXPECT_EQ(float(__half(3 * 0x1p-26f)), 0x1p-24f);
  EXPECT_EQ(float(__half(-0x1.ffcp-15f)), -0x1p-14f);
  EXPECT_TRUE(std::isnan(float(__half(NAN))));
  EXPECT_EQ(float(__nv_bfloat16(1.0f + 0x1p-8f)), 1.0f);
  EXPECT_EQ(float(__nv_bfloat16(1.0f + 3 * 0x1p-8f)), 1.0f + 0x1p-6f);
  EXPECT_TRUE(std::isnan(float(__nv_bfloat16(NAN))));
  EXPECT_TRUE(
      std::isinf(float(__nv_bfloat16(std::numeric_limits<float>::max()))));
}

} // namespace
