//===- Formula.h - Ops written like formulas --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the decompositions and the derivatives of composite ops build:
// arithmetic on values of one type, reductions and their repetition.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_FORMULA_H
#define ACCRUE_LIB_DIALECT_NN_IR_FORMULA_H

#include "TensorBuilder.h"
#include <limits>

namespace accrue::nn {

/// Builds nn ops at one location: elementwise ones and those that change shape.
struct Formula : TensorBuilder {
  static mlir::RankedTensorType getType(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  mlir::Value log(mlir::Value a) { return unary<LogOp>(a); }
  mlir::Value rsqrt(mlir::Value a) { return unary<RsqrtOp>(a); }
  mlir::Value isEqual(mlir::Value a, double value) {
    return compare(ComparePredicate::eq, a, splat(a, value));
  }
  /// A reduction over `dims`.
  template <typename OpTy>
  mlir::Value reduce(mlir::Value a, llvm::ArrayRef<int64_t> dims) {
    return OpTy::create(builder, loc, a, dims);
  }
  /// `a`, which lacks `dims`, repeated along them to the type of `like`.
  mlir::Value repeat(mlir::Value a, mlir::Value like,
                     llvm::ArrayRef<int64_t> dims) {
    return broadcast(a, like, dims);
  }
  mlir::Value reshape(mlir::Value a, mlir::RankedTensorType type) {
    return builder.createOrFold<ReshapeOp>(loc, type, a);
  }
  mlir::Value matmul(mlir::Value a, bool transposeA, mlir::Value b,
                     bool transposeB) {
    return MatmulOp::create(builder, loc, a, b, transposeA, transposeB);
  }
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_FORMULA_H
