//===- TensorBuilder.h - Rules like formulas --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Short names for the ops that rules build: elementwise ops on values of one
// type.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_TENSORBUILDER_H
#define ACCRUE_LIB_DIALECT_NN_IR_TENSORBUILDER_H

#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"

namespace accrue::nn {

/// Builds elementwise ops on values of one type at `builder`. Operands of two
/// calls in one argument list are built in no fixed order: name them first.
struct TensorBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;

  template <typename OpTy>
  mlir::Value unary(mlir::Value a) {
    return OpTy::create(builder, loc, a.getType(), a);
  }
  template <typename OpTy>
  mlir::Value binary(mlir::Value a, mlir::Value b) {
    return OpTy::create(builder, loc, a.getType(), a, b);
  }
  mlir::Value neg(mlir::Value a) { return unary<NegOp>(a); }
  mlir::Value exp(mlir::Value a) { return unary<ExpOp>(a); }
  mlir::Value square(mlir::Value a) { return unary<SquareOp>(a); }
  mlir::Value sigmoid(mlir::Value a) { return unary<SigmoidOp>(a); }
  mlir::Value add(mlir::Value a, mlir::Value b) { return binary<AddOp>(a, b); }
  mlir::Value sub(mlir::Value a, mlir::Value b) { return binary<SubOp>(a, b); }
  mlir::Value mul(mlir::Value a, mlir::Value b) { return binary<MulOp>(a, b); }
  mlir::Value div(mlir::Value a, mlir::Value b) { return binary<DivOp>(a, b); }
  /// Every element `value`, in the type of `like`.
  mlir::Value splat(mlir::Value like, double value) {
    return createSplat(builder, loc,
                       llvm::cast<mlir::RankedTensorType>(like.getType()),
                       value);
  }
  /// `a` times a number, and plus a number.
  mlir::Value scale(mlir::Value a, double factor) {
    return mul(a, splat(a, factor));
  }
  mlir::Value shift(mlir::Value a, double offset) {
    return add(a, splat(a, offset));
  }
  mlir::Value compare(ComparePredicate predicate, mlir::Value a,
                      mlir::Value b) {
    return CompareOp::create(builder, loc, predicate, a, b);
  }
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return SelectOp::create(builder, loc, a.getType(), condition, a, b);
  }
  /// `a` repeated along the dimensions `dims` of `like`.
  mlir::Value broadcast(mlir::Value a, mlir::Value like,
                        llvm::ArrayRef<int64_t> dims) {
    return BroadcastOp::create(builder, loc, like.getType(), a, dims);
  }
};

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_TENSORBUILDER_H
