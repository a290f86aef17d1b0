//===- NNSplit.cpp - Formulas that split over samples ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op that couples samples means, in ops whose contributions merge: a
// softmax over samples reads one logsumexp instead of a maximum and then a sum.
//
//===----------------------------------------------------------------------===//

#include "Normalization.h"
#include "Positions.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult ArgmaxOp::buildSplittable(OpBuilder &builder,
                                        SmallVectorImpl<Value> &results) {
  int64_t dim = getDim();
  RankedTensorType type =
      withElementType(Formula::getType(getInput()), builder.getI32Type());
  Value indices = createIndices(builder, getLoc(), type, dim);
  auto largest = ReduceArgmaxOp::create(builder, getLoc(), getInput(), indices,
                                        ArrayRef<int64_t>{dim});
  results.push_back(largest.getIndex());
  return success();
}

/// `value` in f32 where it has less: what micro-batches contribute is rounded
/// once more than the result for the whole batch, and a logarithm of a sum has
/// the magnitude of its operands, not of the result.
static Value widen(Formula &f, Value value) {
  RankedTensorType type = Formula::getType(value);
  if (type.getElementType().getIntOrFloatBitWidth() >= 32)
    return value;
  return ConvertOp::create(
      f.builder, f.loc, withElementType(type, f.builder.getF32Type()), value);
}

/// The inverse, to the type of `like`.
static Value narrow(Formula &f, Value value, Value like) {
  RankedTensorType type = withElementType(
      Formula::getType(value), Formula::getType(like).getElementType());
  return type == value.getType()
             ? value
             : Value(ConvertOp::create(f.builder, f.loc, type, value));
}

//===----------------------------------------------------------------------===//
// softmax, log_softmax, cross_entropy
//===----------------------------------------------------------------------===//

/// x - logsumexp(x) along `dim`; -inf where all elements are.
static Value buildLogProbabilities(Formula &f, Value x, int64_t dim) {
  Value total = f.reduce<LogSumExpOp>(x, dim);
  Value isEmpty = f.isEqual(total, -kInfinity);
  Value shift = f.select(isEmpty, f.splat(total, 0.0), total);
  // NaN throughout a row with an infinite element.
  shift = f.add(shift, f.sub(shift, shift));
  return f.sub(x, f.repeat(shift, x, dim));
}

LogicalResult SoftmaxOp::buildSplittable(OpBuilder &builder,
                                         SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  Value logarithms =
      buildLogProbabilities(f, widen(f, getInput()), getDimAttr().getInt());
  results.push_back(narrow(f, f.exp(logarithms), getInput()));
  return success();
}

LogicalResult LogSoftmaxOp::buildSplittable(OpBuilder &builder,
                                            SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  Value logarithms =
      buildLogProbabilities(f, widen(f, getInput()), getDimAttr().getInt());
  results.push_back(narrow(f, logarithms, getInput()));
  return success();
}

/// Whether each of `logits` is the one of the row's label.
static Value buildIsLabel(Formula &f, Value logits, Value label) {
  int64_t dim = Formula::getType(logits).getRank() - 1;
  RankedTensorType type = withElementType(
      Formula::getType(logits), Formula::getType(label).getElementType());
  Value classes = createIndices(f.builder, f.loc, type, dim);
  return f.compare(ComparePredicate::eq, classes,
                   f.repeat(label, classes, dim));
}

LogicalResult CrossEntropyOp::buildSplittable(OpBuilder &builder,
                                              SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  Value logits = widen(f, getLogits());
  int64_t dim = Formula::getType(logits).getRank() - 1;
  Value isLabel = buildIsLabel(f, logits, getLabel());
  Value own =
      f.reduce<SumOp>(f.select(isLabel, logits, f.splat(logits, 0.0)), dim);
  Value loss = f.sub(f.reduce<LogSumExpOp>(logits, dim), own);
  results.push_back(narrow(f, loss, getLogits()));
  return success();
}

LogicalResult
CrossEntropyGradOp::buildSplittable(OpBuilder &builder,
                                    SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  Value logits = widen(f, getLogits());
  int64_t dim = Formula::getType(logits).getRank() - 1;
  Value total = f.reduce<LogSumExpOp>(logits, dim);
  Value probabilities = f.exp(f.sub(logits, f.repeat(total, logits, dim)));
  Value isLabel = buildIsLabel(f, logits, getLabel());
  Value target = f.select(isLabel, f.splat(logits, 1.0), f.splat(logits, 0.0));
  Value cotangent = f.repeat(widen(f, getCotangent()), logits, dim);
  Value result = f.mul(f.sub(probabilities, target), cotangent);
  results.push_back(narrow(f, result, getLogits()));
  return success();
}

//===----------------------------------------------------------------------===//
// normalize, normalize_grad
//===----------------------------------------------------------------------===//

namespace {
/// Normalized elements and the factors 1 / sqrt(var + eps), repeated.
struct Standardized {
  Standardized(Formula &f, Value input, ArrayRef<int64_t> dims, double eps) {
    auto moments = MomentsOp::create(f.builder, f.loc, input, dims);
    Value variance = moments.getVariance();
    factor = f.repeat(f.rsqrt(f.shift(variance, eps)), input, dims);
    Value mean = f.repeat(moments.getMean(), input, dims);
    value = f.mul(f.sub(input, mean), factor);
  }

  Value factor, value;
};
} // namespace

LogicalResult NormalizeOp::buildSplittable(OpBuilder &builder,
                                           SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  Standardized all(f, widen(f, getInput()), getDims(),
                   getEps().convertToDouble());
  results.push_back(narrow(f, all.value, getInput()));
  return success();
}

LogicalResult
NormalizeGradOp::buildSplittable(OpBuilder &builder,
                                 SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  Value cotangent = widen(f, getCotangent());
  Standardized all(f, widen(f, getInput()), getDims(),
                   getEps().convertToDouble());
  auto mean = [&](Value value) {
    return f.repeat(f.reduce<MeanOp>(value, getDims()), value, getDims());
  };
  Value along = f.mul(all.value, mean(f.mul(cotangent, all.value)));
  Value rest = f.sub(f.sub(cotangent, mean(cotangent)), along);
  results.push_back(narrow(f, f.mul(all.factor, rest), getInput()));
  return success();
}
