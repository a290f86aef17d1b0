//===- NNVJPElementwise.cpp - Derivatives of elementwise ops --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reverse-mode rules: the cotangent of an operand is that of the result times
// the partial derivative, element by element. Functions of one operand are in
// NNVJPMath.cpp.
//
//===----------------------------------------------------------------------===//

#include "TensorBuilder.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

Value nn::createSplat(OpBuilder &builder, Location loc, RankedTensorType type,
                      double value) {
  auto scalar = RankedTensorType::get({}, type.getElementType());
  APFloat element(value);
  bool losesInfo = false;
  element.convert(cast<FloatType>(type.getElementType()).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
  Value constant =
      ConstantOp::create(builder, loc, DenseElementsAttr::get(scalar, element));
  if (type.getRank() == 0)
    return constant;
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  return BroadcastOp::create(builder, loc, type, constant, dims);
}

LogicalResult ConvertOp::buildVJP(OpBuilder &builder,
                                  ValueRange resultCotangents,
                                  ArrayRef<bool> wanted,
                                  SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] = ConvertOp::create(
        builder, getLoc(), getInput().getType(), resultCotangents[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Binary ops
//===----------------------------------------------------------------------===//

LogicalResult AddOp::buildVJP(OpBuilder &, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  for (unsigned i : {0, 1})
    if (wanted[i])
      operandCotangents[i] = resultCotangents[0];
  return success();
}

LogicalResult SubOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  TensorBuilder t{builder, getLoc()};
  if (wanted[0])
    operandCotangents[0] = resultCotangents[0];
  if (wanted[1])
    operandCotangents[1] = t.neg(resultCotangents[0]);
  return success();
}

LogicalResult MulOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  TensorBuilder t{builder, getLoc()};
  if (wanted[0])
    operandCotangents[0] = t.mul(resultCotangents[0], getRhs());
  if (wanted[1])
    operandCotangents[1] = t.mul(resultCotangents[0], getLhs());
  return success();
}

LogicalResult DivOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0] && !wanted[1])
    return success();
  // 1 / b and -(a / b) / b
  TensorBuilder t{builder, getLoc()};
  Value quotient = t.div(resultCotangents[0], getRhs());
  if (wanted[0])
    operandCotangents[0] = quotient;
  if (wanted[1]) {
    Value product = t.mul(quotient, getResult());
    operandCotangents[1] = t.neg(product);
  }
  return success();
}

/// Of the two operands the one that is `predicate` the other receives the
/// cotangent; where they are equal, each receives half.
template <typename OpTy>
static LogicalResult
buildExtremumVJP(OpTy op, OpBuilder &builder, ComparePredicate predicate,
                 Value cotangent, ArrayRef<bool> wanted,
                 SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0] && !wanted[1])
    return success();
  TensorBuilder t{builder, op.getLoc()};
  Value zero = t.splat(cotangent, 0.0);
  Value half = t.scale(cotangent, 0.5);
  Value equal = t.compare(ComparePredicate::eq, op.getLhs(), op.getRhs());
  Value taken = t.compare(predicate, op.getLhs(), op.getRhs());
  if (wanted[0]) {
    Value strict = t.select(taken, cotangent, zero);
    operandCotangents[0] = t.select(equal, half, strict);
  }
  if (wanted[1]) {
    Value strict = t.select(taken, zero, cotangent);
    operandCotangents[1] = t.select(equal, half, strict);
  }
  return success();
}

LogicalResult MaxOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  return buildExtremumVJP(*this, builder, ComparePredicate::gt,
                          resultCotangents[0], wanted, operandCotangents);
}

LogicalResult MinOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  return buildExtremumVJP(*this, builder, ComparePredicate::lt,
                          resultCotangents[0], wanted, operandCotangents);
}

LogicalResult PowOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0] && !wanted[1])
    return success();
  TensorBuilder t{builder, getLoc()};
  Value cotangent = resultCotangents[0];
  Value zero = t.splat(cotangent, 0.0);
  if (wanted[0]) {
    // b a^(b - 1)
    Value lowered = t.shift(getRhs(), -1.0);
    Value power = t.binary<PowOp>(getLhs(), lowered);
    Value slope = t.mul(getRhs(), power);
    Value product = t.mul(cotangent, slope);
    Value constant = t.compare(ComparePredicate::eq, getRhs(), zero);
    operandCotangents[0] = t.select(constant, zero, product);
  }
  if (wanted[1]) {
    // a^b log(a)
    Value log = t.unary<LogOp>(getLhs());
    Value slope = t.mul(getResult(), log);
    Value product = t.mul(cotangent, slope);
    Value atZero = t.compare(ComparePredicate::eq, getLhs(), zero);
    Value bounded = t.compare(ComparePredicate::ge, getRhs(), zero);
    Value constant = t.binary<AndOp>(atZero, bounded);
    operandCotangents[1] = t.select(constant, zero, product);
  }
  return success();
}

LogicalResult SelectOp::buildVJP(OpBuilder &builder,
                                 ValueRange resultCotangents,
                                 ArrayRef<bool> wanted,
                                 SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[1] && !wanted[2])
    return success();
  TensorBuilder t{builder, getLoc()};
  Value cotangent = resultCotangents[0];
  Value zero = t.splat(cotangent, 0.0);
  if (wanted[1])
    operandCotangents[1] = t.select(getCondition(), cotangent, zero);
  if (wanted[2])
    operandCotangents[2] = t.select(getCondition(), zero, cotangent);
  return success();
}

LogicalResult
WhenTrainingOp::buildVJP(OpBuilder &, ValueRange resultCotangents,
                         ArrayRef<bool> wanted,
                         SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] = resultCotangents[0];
  return success();
}
