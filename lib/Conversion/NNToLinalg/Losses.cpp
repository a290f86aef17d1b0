//===- Losses.cpp - Losses ------------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace accrue;

/// sum_j exp(x_j - max) of every row.
static Value expSum(Lowering &l, Value logits, Value max) {
  int64_t rank = Lowering::typeOf(logits).getRank();
  return l.reduce(
      Lowering::typeOf(max), {logits, max},
      {l.identity(rank), l.mapWithout(rank, rank - 1)}, {rank - 1},
      l.b.getFloatAttr(Lowering::typeOf(max).getElementType(), 0),
      [](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        Value shifted = arith::SubFOp::create(builder, loc, args[0], args[1]);
        Value exp = math::ExpOp::create(builder, loc, shifted);
        return arith::AddFOp::create(builder, loc, args[2], exp);
      });
}

/// Whether `label` is one of `classes`: unsigned, so that negative ones fail.
static Value isClass(OpBuilder &b, Location loc, Value label, int64_t classes) {
  Value count = arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(label.getType(), classes));
  return arith::CmpIOp::create(b, as("is_class", loc),
                               arith::CmpIPredicate::ult, label, count);
}

/// log(sum_j exp(x_j - max)) + max - x_label; NaN, which the finite check
/// reports, where the label is no class.
static Value crossEntropy(Lowering &l, nn::CrossEntropyOp op) {
  Value logits = op.getLogits();
  RankedTensorType type = Lowering::typeOf(op.getResult());
  int64_t rank = Lowering::typeOf(logits).getRank();
  int64_t classes = Lowering::typeOf(logits).getDimSize(rank - 1);
  Value largest = l.max(logits, type, {rank - 1});
  Value sum = expSum(l, logits, largest);
  return l.map(
      type, {largest, sum, op.getLabel()},
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        Value valid = isClass(builder, loc, args[2], classes);
        Value zero = arith::ConstantOp::create(
            builder, loc, builder.getZeroAttr(args[2].getType()));
        Value safe =
            arith::SelectOp::create(builder, loc, valid, args[2], zero);
        SmallVector<Value> indices;
        for (int64_t i = 0; i != rank - 1; ++i)
          indices.push_back(linalg::IndexOp::create(builder, loc, i));
        indices.push_back(arith::IndexCastOp::create(
            builder, as("safe_label", loc), builder.getIndexType(), safe));
        Value picked = tensor::ExtractOp::create(builder, loc, logits, indices);
        Value log = math::LogOp::create(builder, loc, args[1]);
        Value total = arith::AddFOp::create(builder, as("log_sum_exp", loc),
                                            log, args[0]);
        Value loss = arith::SubFOp::create(builder, loc, total, picked);
        Value nan = createNaN(builder, loc, loss.getType());
        return arith::SelectOp::create(builder, loc, valid, loss, nan);
      });
}

/// (exp(x_j - max) / sum - [j == label]) * cotangent.
static Value crossEntropyGrad(Lowering &l, nn::CrossEntropyGradOp op) {
  Value logits = op.getLogits();
  RankedTensorType type = Lowering::typeOf(op.getResult());
  int64_t rank = type.getRank();
  int64_t classes = type.getDimSize(rank - 1);
  auto rowType =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  Value largest = l.max(logits, rowType, {rank - 1});
  Value sum = expSum(l, logits, largest);
  Value scale =
      l.map(rowType, sum,
            [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
              Value one = createFloat(builder, loc, args[0].getType(), 1);
              return arith::DivFOp::create(builder, as("inverse_sum", loc), one,
                                           args[0]);
            });
  Value cotangent =
      l.map(rowType, {op.getCotangent(), op.getLabel()},
            [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
              Value valid = isClass(builder, loc, args[1], classes);
              Value nan = createNaN(builder, loc, args[0].getType());
              return arith::SelectOp::create(builder, as("weight", loc), valid,
                                             args[0], nan);
            });
  AffineMap rows = l.mapWithout(rank, rank - 1);
  return l.map(
      type, {logits, largest, scale, cotangent, op.getLabel()},
      {l.identity(rank), rows, rows, rows, rows},
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        Value shifted = arith::SubFOp::create(builder, loc, args[0], args[1]);
        Value exp = math::ExpOp::create(builder, loc, shifted);
        Value softmax =
            arith::MulFOp::create(builder, as("softmax", loc), exp, args[2]);
        Value index = linalg::IndexOp::create(builder, loc, rank - 1);
        Value column =
            arith::IndexCastOp::create(builder, loc, args[4].getType(), index);
        Value hit = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, column, args[4]);
        Value one = createFloat(builder, loc, softmax.getType(), 1);
        Value less = arith::SubFOp::create(builder, loc, softmax, one);
        Value difference =
            arith::SelectOp::create(builder, loc, hit, less, softmax);
        return arith::MulFOp::create(builder, loc, difference, args[3]);
      });
}

std::optional<Value> accrue::lowerLoss(Lowering &l, Operation *op) {
  if (auto loss = dyn_cast<nn::CrossEntropyOp>(op))
    return crossEntropy(l, loss);
  if (auto gradient = dyn_cast<nn::CrossEntropyGradOp>(op))
    return crossEntropyGrad(l, gradient);
  return std::nullopt;
}
