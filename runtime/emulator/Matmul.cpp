//===- Matmul.cpp - Matrix products ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every access to the matrices of the program is here, where the sanitizers
// see it: operands are packed, multiplied, and the result is stored.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Matmul.h"

#include "runtime/emulator/Memory.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>

using namespace accrue::emulator;

namespace {

[[noreturn]] void reportUnwritten(const char *name) {
  fatal(std::string(name) + " read memory that nothing wrote");
}

/// An element of memory as a number to compute with.
template <class T, class Sum>
Sum loadAs(const void *data, int64_t index, const char *name) {
  const T *element = static_cast<const T *>(data) + index;
  if constexpr (sizeof(T) != sizeof(double)) {
    float value = static_cast<float>(*element);
    if (getFloatBits(value) == unwrittenWord)
      reportUnwritten(name);
    return static_cast<Sum>(value);
  } else {
    uint64_t bits;
    std::memcpy(&bits, element, sizeof bits);
    if (bits == (uint64_t(unwrittenDoubleWord) << 32 | unwrittenDoubleWord))
      reportUnwritten(name);
    return static_cast<Sum>(*element);
  }
}

template <class Sum>
Sum load(cudaDataType type, const void *data, int64_t index, const char *name) {
  switch (type) {
  case CUDA_R_64F:
    return loadAs<double, Sum>(data, index, name);
  case CUDA_R_16F:
    return loadAs<__half, Sum>(data, index, name);
  case CUDA_R_16BF:
    return loadAs<__nv_bfloat16, Sum>(data, index, name);
  default:
    return loadAs<float, Sum>(data, index, name);
  }
}

template <class Sum>
void store(cudaDataType type, void *data, int64_t index, Sum value) {
  switch (type) {
  case CUDA_R_64F:
    static_cast<double *>(data)[index] = static_cast<double>(value);
    return;
  case CUDA_R_16F:
    static_cast<__half *>(data)[index] = value;
    return;
  case CUDA_R_16BF:
    static_cast<__nv_bfloat16 *>(data)[index] = value;
    return;
  default:
    static_cast<float *>(data)[index] = static_cast<float>(value);
  }
}

template <class Sum>
Sum activate(Activation activation, Sum value) {
  switch (activation) {
  case Activation::None:
    return value;
  case Activation::Relu:
    return value < 0 ? Sum(0) : value;
  case Activation::Gelu: {
    // The approximation by tanh, as cuBLASLt.
    double x = static_cast<double>(value);
    double inner = 0.7978845608028654 * (x + 0.044715 * x * x * x);
    return static_cast<Sum>(0.5 * x * (1 + std::tanh(inner)));
  }
  }
  return value;
}

/// What split products leave in their workspace.
void spoil(void *workspace, size_t bytes) {
  // The ends of a large one are enough to notice it.
  constexpr size_t end = 16 << 10;
  auto *words = static_cast<uint32_t *>(workspace);
  size_t count = bytes / sizeof(uint32_t);
  for (size_t i = 0; i < count; ++i) {
    words[i] = unwrittenWord;
    if (i == end && count > 2 * end)
      i = count - end;
  }
}

/// A dense copy of one matrix of a batch, transposed or not.
template <class Sum>
std::vector<Sum> pack(const Matrix &matrix, const void *data, int64_t batch,
                      bool transpose, const char *name) {
  std::vector<Sum> packed(static_cast<size_t>(matrix.rows * matrix.columns));
  for (int64_t column = 0; column < matrix.columns; ++column)
    for (int64_t row = 0; row < matrix.rows; ++row)
      packed[transpose ? row * matrix.columns + column
                       : column * matrix.rows + row] =
          load<Sum>(matrix.type, data,
                    batch * matrix.stride + column * matrix.leading + row,
                    name);
  return packed;
}

} // namespace

template <class Sum>
void MatmulWork::runAs() const {
  int64_t m = matmul.getM(), n = matmul.getN(), k = matmul.getK();
  std::vector<Sum> product(static_cast<size_t>(m * n));
  for (int64_t batch = 0; batch < matmul.batch; ++batch) {
    std::vector<Sum> a = pack<Sum>(matmul.a, matmul.aData, batch,
                                   matmul.transposeA, matmul.name);
    std::vector<Sum> b = pack<Sum>(matmul.b, matmul.bData, batch,
                                   matmul.transposeB, matmul.name);
    multiply(m, n, k, a.data(), b.data(), product.data());
    for (int64_t column = 0; column < n; ++column)
      for (int64_t row = 0; row < m; ++row) {
        Sum value = static_cast<Sum>(matmul.alpha) * product[column * m + row];
        // With beta 0 the old contents are not read: they may be anything.
        if (matmul.beta != 0)
          value += static_cast<Sum>(matmul.beta) *
                   load<Sum>(matmul.c.type, matmul.cData,
                             batch * matmul.c.stride +
                                 column * matmul.c.leading + row,
                             matmul.name);
        if (matmul.bias)
          value += load<Sum>(matmul.d.type, matmul.bias,
                             batch * matmul.biasStride + row, matmul.name);
        value = activate(matmul.activation, value);
        store(matmul.d.type, matmul.dData,
              batch * matmul.d.stride + column * matmul.d.leading + row, value);
      }
  }
}

void MatmulWork::run() const {
  spoil(matmul.workspace, matmul.workspaceBytes);
  if (matmul.isDouble)
    runAs<double>();
  else
    runAs<float>();
}
