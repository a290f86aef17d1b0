//===- Matmul.h - Matrix products -----------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = alpha op(A) op(B) + beta C, column-major: what every entry point of
// cuBLAS and cuBLASLt comes down to.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_MATMUL_H
#define ACCRUE_RUNTIME_EMULATOR_MATMUL_H

#include "runtime/emulator/Stream.h"

namespace accrue::emulator {

/// A matrix in memory, and the distance in elements to the next one of a batch.
struct Matrix {
  cudaDataType type = CUDA_R_32F;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t leading = 0;
  int64_t stride = 0;
};

/// What is done to a product before it is stored.
enum class Activation { None, Relu, Gelu };

struct Matmul {
  /// Who called, for reports.
  const char *name = "";
  /// A and B as they are in memory, before they are transposed.
  Matrix a, b, c, d;
  bool transposeA = false;
  bool transposeB = false;
  int64_t batch = 1;
  /// Sums in f64, or else in f32.
  bool isDouble = false;
  double alpha = 1;
  double beta = 0;
  const void *aData = nullptr;
  const void *bData = nullptr;
  const void *cData = nullptr;
  void *dData = nullptr;
  /// One number for each row of D, of its type, or null.
  const void *bias = nullptr;
  int64_t biasStride = 0;
  Activation activation = Activation::None;
  /// Overwritten with garbage.
  void *workspace = nullptr;
  size_t workspaceBytes = 0;

  int64_t getM() const { return d.rows; }
  int64_t getN() const { return d.columns; }
  int64_t getK() const { return transposeA ? a.rows : a.columns; }
};

class MatmulWork final : public Work {
public:
  explicit MatmulWork(const Matmul &matmul)
      : Work(WorkKind::Matmul), matmul(matmul) {}
  void run() const override;

private:
  template <class Sum>
  void runAs() const;

  Matmul matmul;
};

/// c[m, n] = a[m, k] b[k, n], all dense and column-major.
void multiply(int64_t m, int64_t n, int64_t k, const float *a, const float *b,
              float *c);
void multiply(int64_t m, int64_t n, int64_t k, const double *a, const double *b,
              double *c);

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_MATMUL_H
