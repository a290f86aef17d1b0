//===- NNVJPElementwise.cpp - Derivatives of elementwise ops --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reverse-mode rules: the cotangent of an operand is that of the result times
// the partial derivative, element by element. A rule reads the result rather
// than the operand where it has the choice: the result is what the next op has
// to keep anyway.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"

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

namespace {
/// Elementwise ops on values of one type, to write rules like formulas.
struct TensorBuilder {
  OpBuilder &builder;
  Location loc;

  template <typename OpTy>
  Value unary(Value a) {
    return OpTy::create(builder, loc, a.getType(), a);
  }
  template <typename OpTy>
  Value binary(Value a, Value b) {
    return OpTy::create(builder, loc, a.getType(), a, b);
  }
  Value neg(Value a) { return unary<NegOp>(a); }
  Value add(Value a, Value b) { return binary<AddOp>(a, b); }
  Value sub(Value a, Value b) { return binary<SubOp>(a, b); }
  Value mul(Value a, Value b) { return binary<MulOp>(a, b); }
  Value div(Value a, Value b) { return binary<DivOp>(a, b); }
  Value splat(Value like, double value) {
    return createSplat(builder, loc, cast<RankedTensorType>(like.getType()),
                       value);
  }
  Value compare(ComparePredicate predicate, Value a, Value b) {
    return CompareOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return SelectOp::create(builder, loc, a.getType(), condition, a, b);
  }
};
} // namespace

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
// Unary ops
//===----------------------------------------------------------------------===//

LogicalResult NegOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  TensorBuilder t{builder, getLoc()};
  if (wanted[0])
    operandCotangents[0] = t.neg(resultCotangents[0]);
  return success();
}

LogicalResult ExpOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  TensorBuilder t{builder, getLoc()};
  if (wanted[0])
    operandCotangents[0] = t.mul(resultCotangents[0], getResult());
  return success();
}

LogicalResult LogOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  TensorBuilder t{builder, getLoc()};
  if (wanted[0])
    operandCotangents[0] = t.div(resultCotangents[0], getInput());
  return success();
}

LogicalResult TanhOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                               ArrayRef<bool> wanted,
                               SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // 1 - y^2
  TensorBuilder t{builder, getLoc()};
  Value one = t.splat(getResult(), 1.0);
  Value squared = t.unary<SquareOp>(getResult());
  Value slope = t.sub(one, squared);
  operandCotangents[0] = t.mul(resultCotangents[0], slope);
  return success();
}

LogicalResult SigmoidOp::buildVJP(OpBuilder &builder,
                                  ValueRange resultCotangents,
                                  ArrayRef<bool> wanted,
                                  SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // y (1 - y); 1 - y is exact where y is close to 1.
  TensorBuilder t{builder, getLoc()};
  Value one = t.splat(getResult(), 1.0);
  Value rest = t.sub(one, getResult());
  Value slope = t.mul(getResult(), rest);
  operandCotangents[0] = t.mul(resultCotangents[0], slope);
  return success();
}

LogicalResult ReluOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                               ArrayRef<bool> wanted,
                               SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // The result is positive exactly where the operand is.
  TensorBuilder t{builder, getLoc()};
  Value zero = t.splat(getResult(), 0.0);
  Value positive = t.compare(ComparePredicate::gt, getResult(), zero);
  operandCotangents[0] = t.select(positive, resultCotangents[0], zero);
  return success();
}

LogicalResult SqrtOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                               ArrayRef<bool> wanted,
                               SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // 1 / (2 y)
  TensorBuilder t{builder, getLoc()};
  Value twice = t.add(getResult(), getResult());
  operandCotangents[0] = t.div(resultCotangents[0], twice);
  return success();
}

LogicalResult SquareOp::buildVJP(OpBuilder &builder,
                                 ValueRange resultCotangents,
                                 ArrayRef<bool> wanted,
                                 SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  TensorBuilder t{builder, getLoc()};
  Value twice = t.add(getInput(), getInput());
  operandCotangents[0] = t.mul(resultCotangents[0], twice);
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

LogicalResult MaxOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0] && !wanted[1])
    return success();
  TensorBuilder t{builder, getLoc()};
  Value cotangent = resultCotangents[0];
  Value zero = t.splat(cotangent, 0.0);
  Value half = t.mul(cotangent, t.splat(cotangent, 0.5));
  Value equal = t.compare(ComparePredicate::eq, getLhs(), getRhs());
  Value greater = t.compare(ComparePredicate::gt, getLhs(), getRhs());
  if (wanted[0]) {
    Value strict = t.select(greater, cotangent, zero);
    operandCotangents[0] = t.select(equal, half, strict);
  }
  if (wanted[1]) {
    Value strict = t.select(greater, zero, cotangent);
    operandCotangents[1] = t.select(equal, half, strict);
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
