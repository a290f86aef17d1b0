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

#include <cstring>

using namespace accrue::emulator;

namespace {

/// Elements of memory as numbers to compute with.
template <class T, class Sum>
Sum loadAs(const void *data, int64_t index, const char *name) {
  T value;
  std::memcpy(&value, static_cast<const T *>(data) + index, sizeof(T));
  if (sizeof(T) == sizeof(uint32_t)) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    if (bits == unwrittenWord)
      fatal(std::string(name) + " read memory that nothing wrote");
  }
  return static_cast<Sum>(value);
}

template <class Sum>
Sum load(cudaDataType type, const void *data, int64_t index, const char *name) {
  return type == CUDA_R_64F ? loadAs<double, Sum>(data, index, name)
                            : loadAs<float, Sum>(data, index, name);
}

template <class Sum>
void store(cudaDataType type, void *data, int64_t index, Sum value) {
  if (type == CUDA_R_64F)
    static_cast<double *>(data)[index] = static_cast<double>(value);
  else
    static_cast<float *>(data)[index] = static_cast<float>(value);
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
        store(matmul.d.type, matmul.dData,
              batch * matmul.d.stride + column * matmul.d.leading + row, value);
      }
  }
}

void MatmulWork::run() const {
  if (matmul.isDouble)
    runAs<double>();
  else
    runAs<float>();
}
