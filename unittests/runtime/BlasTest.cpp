//===- BlasTest.cpp - Unit tests of matrix products -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every combination of transposes and scalars against a plain triple loop, with
// matrices stored inside larger ones, and the cases at the edge.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Blas.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

void callGemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k,
              float alpha, const float *a, int64_t lda, const float *b,
              int64_t ldb, float beta, float *c, int64_t ldc) {
  accrue_sgemm(transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void callGemm(bool transA, bool transB, int64_t m, int64_t n, int64_t k,
              double alpha, const double *a, int64_t lda, const double *b,
              int64_t ldb, double beta, double *c, int64_t ldc) {
  accrue_dgemm(transA, transB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// A row-major matrix whose rows are `stride` apart, of small integers: every
/// product and sum of them is exact.
template <typename T>
struct Matrix {
  Matrix(int64_t rows, int64_t columns, int salt)
      : stride(columns + 3), values(rows * stride) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<T>(static_cast<int>(i * 7 + salt) % 11 - 5);
  }
  T &at(int64_t i, int64_t j) { return values[i * stride + j]; }

  int64_t stride;
  std::vector<T> values;
};

template <typename T>
void checkProduct(bool transA, bool transB, T beta) {
  constexpr int64_t m = 5, n = 9, k = 17;
  Matrix<T> a(transA ? k : m, transA ? m : k, 1);
  Matrix<T> b(transB ? n : k, transB ? k : n, 2);
  Matrix<T> c(m, n, 3);
  Matrix<T> expected = c;
  T alpha = 0.5;
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      T sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += (transA ? a.at(l, i) : a.at(i, l)) *
               (transB ? b.at(j, l) : b.at(l, j));
      expected.at(i, j) = alpha * sum + beta * c.at(i, j);
    }
  }
  callGemm(transA, transB, m, n, k, alpha, a.values.data(), a.stride,
           b.values.data(), b.stride, beta, c.values.data(), c.stride);
  // What lies between the rows stays as it was.
  EXPECT_EQ(c.values, expected.values)
      << "transA " << transA << ", transB " << transB << ", beta " << beta;
}

TEST(Blas, AgreesWithTheDefinition) {
  ASSERT_TRUE(accrue::cpu::loadBlas().ok());
  for (bool transA : {false, true}) {
    for (bool transB : {false, true}) {
      for (int beta : {0, 1, 2}) {
        checkProduct<float>(transA, transB, beta);
        checkProduct<double>(transA, transB, beta);
      }
    }
  }
}

TEST(Blas, ZeroBetaOverwrites) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  // Small and large products take different paths in OpenBLAS.
  for (int64_t size : {1, 4, 64, 300}) {
    std::vector<float> a(size * size, 1), c(size * size, nan);
    accrue_sgemm(false, false, size, size, size, 1, a.data(), size, a.data(),
                 size, 0, c.data(), size);
    EXPECT_EQ(c, std::vector<float>(size * size, size));
  }
}

TEST(Blas, EmptyExtents) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> c = {nan, 1, nan, 2};
  accrue_sgemm(false, false, 0, 2, 3, 1, nullptr, 3, nullptr, 2, 0, c.data(),
               2);
  accrue_sgemm(false, false, 2, 0, 3, 1, nullptr, 3, nullptr, 0, 0, c.data(),
               2);
  EXPECT_EQ(c[1], 1);
  EXPECT_TRUE(std::isnan(c[0]));
  // An empty sum: only the first column of the two rows is C.
  accrue_sgemm(false, false, 2, 1, 0, 1, nullptr, 0, nullptr, 1, 0, c.data(),
               2);
  EXPECT_EQ(c, (std::vector<float>{0, 1, 0, 2}));
  accrue_sgemm(false, false, 2, 2, 0, 1, nullptr, 0, nullptr, 2, 3, c.data(),
               2);
  EXPECT_EQ(c, (std::vector<float>{0, 3, 0, 6}));
}

/// `batch` products of integers, one after another, against one at a time.
template <typename T>
void checkBatch(bool transA, bool transB, int64_t batch, int64_t m, int64_t n,
                int64_t k) {
  auto fill = [](int64_t count, int salt) {
    std::vector<T> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = static_cast<T>(static_cast<int>(i * 7 + salt) % 11 - 5);
    return values;
  };
  std::vector<T> a = fill(batch * m * k, 1), b = fill(batch * k * n, 2),
                 c = fill(batch * m * n, 3), expected = c;
  int64_t lda = transA ? m : k, ldb = transB ? k : n;
  for (int64_t i = 0; i < batch; ++i)
    callGemm(transA, transB, m, n, k, T(2), a.data() + i * m * k, lda,
             b.data() + i * k * n, ldb, T(1), expected.data() + i * m * n, n);
  if constexpr (std::is_same_v<T, float>)
    accrue_sgemm_batch(transA, transB, batch, m, n, k, 2, a.data(), lda,
                       b.data(), ldb, 1, c.data(), n);
  else
    accrue_dgemm_batch(transA, transB, batch, m, n, k, 2, a.data(), lda,
                       b.data(), ldb, 1, c.data(), n);
  EXPECT_EQ(c, expected) << batch << " products of " << m << "x" << n << "x"
                         << k;
}

TEST(Blas, Batches) {
  for (bool transA : {false, true}) {
    for (bool transB : {false, true}) {
      checkBatch<float>(transA, transB, 1, 3, 4, 5);
      checkBatch<float>(transA, transB, 3, 5, 9, 17);
      checkBatch<double>(transA, transB, 3, 5, 9, 17);
      // Enough work for several threads: in all, and in each.
      checkBatch<double>(transA, transB, 40, 64, 60, 56);
      checkBatch<double>(transA, transB, 2, 200, 180, 160);
    }
  }
  checkBatch<float>(false, false, 0, 3, 4, 5);
}

TEST(Blas, NamesItsCore) { EXPECT_STRNE(accrue_blas_core(), ""); }

TEST(Blas, SaysWhatIsMissing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto multiplyWithoutBlas = [] {
    ::setenv("ACCRUE_BLAS", "/nonexistent/libblas.so", 1);
    accrue::io::Status status = accrue::cpu::loadBlas();
    if (status.ok() || *accrue_blas_core() != '\0')
      std::exit(0);
    float one = 1, c = 0;
    accrue_sgemm(false, false, 1, 1, 1, 1, &one, 1, &one, 1, 0, &c, 1);
    std::exit(0);
  };
  EXPECT_EXIT(multiplyWithoutBlas(), ::testing::ExitedWithCode(1),
              "error: cannot load OpenBLAS \\(/nonexistent/libblas.so: .*; "
              "install libopenblas0-openmp or set ACCRUE_BLAS");
}

TEST(Blas, RefusesALibraryOfSomethingElse) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  auto loadTheMathLibrary = [] {
    ::setenv("ACCRUE_BLAS", "libm.so.6", 1);
    accrue::io::Status status = accrue::cpu::loadBlas();
    std::exit(!status.ok() &&
                      status.message() ==
                          "libm.so.6: expected a library with cblas_sgemm"
                  ? 42
                  : 0);
  };
  EXPECT_EXIT(loadTheMathLibrary(), ::testing::ExitedWithCode(42), "");
}

} // namespace
