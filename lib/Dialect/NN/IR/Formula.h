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

#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"
#include <limits>

namespace accrue::nn {

/// Builds nn ops at one location.
struct Formula {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  static mlir::RankedTensorType getType(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }

  template <typename OpTy>
  mlir::Value unary(mlir::Value a) {
    return OpTy::create(builder, loc, a.getType(), a);
  }
  template <typename OpTy>
  mlir::Value binary(mlir::Value a, mlir::Value b) {
    return OpTy::create(builder, loc, a.getType(), a, b);
  }
  mlir::Value exp(mlir::Value a) { return unary<ExpOp>(a); }
  mlir::Value log(mlir::Value a) { return unary<LogOp>(a); }
  mlir::Value rsqrt(mlir::Value a) { return unary<RsqrtOp>(a); }
  mlir::Value square(mlir::Value a) { return unary<SquareOp>(a); }
  mlir::Value add(mlir::Value a, mlir::Value b) { return binary<AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return binary<SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return binary<MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return binary<DivOp>(a, b); }

  /// A tensor like `like` with every element `value`.
  mlir::Value splat(mlir::Value like, double value) {
    return createSplat(builder, loc, getType(like), value);
  }
  mlir::Value compare(ComparePredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return CompareOp::create(builder, loc, predicate, a, b);
  }
  mlir::Value isEqual(mlir::Value a, double value) {
    return compare(ComparePredicate::eq, a, splat(a, value));
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return SelectOp::create(builder, loc, a.getType(), condition, a, b);
  }

  /// A reduction over `dims`.
  template <typename OpTy>
  mlir::Value reduce(mlir::Value a, llvm::ArrayRef<int64_t> dims) {
    return OpTy::create(builder, loc, a, dims);
  }
  /// `a`, which lacks `dims`, repeated along them to the type of `like`.
  mlir::Value repeat(mlir::Value a, mlir::Value like,
                     llvm::ArrayRef<int64_t> dims) {
    return BroadcastOp::create(builder, loc, like.getType(), a, dims);
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
