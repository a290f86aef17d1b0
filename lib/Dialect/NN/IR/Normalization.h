//===- Normalization.h - What normalization ops share -----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_NORMALIZATION_H
#define ACCRUE_LIB_DIALECT_NN_IR_NORMALIZATION_H

#include "Formula.h"

namespace accrue::nn {

/// Joins the dimensions of a statistic into one where they are the last ones.
class LastDims {
public:
  LastDims(Formula &f, mlir::Type type, llvm::ArrayRef<int64_t> dims);

  /// `value`, of the type given, as one whose statistics are over `dims`.
  mlir::Value join(mlir::Value value) { return f.reshape(value, joined); }
  /// The inverse of `join`.
  mlir::Value split(mlir::Value value) { return f.reshape(value, original); }

  llvm::SmallVector<int64_t> dims;

private:
  Formula &f;
  mlir::RankedTensorType original, joined;
};

/// 1 / sqrt(mean(input^2) + eps), repeated to the type of `input`.
mlir::Value getRmsFactor(Formula &f, mlir::Value input,
                         llvm::ArrayRef<int64_t> dims, double eps);

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_NORMALIZATION_H
