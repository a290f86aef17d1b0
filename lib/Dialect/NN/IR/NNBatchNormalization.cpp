//===- NNBatchNormalization.cpp - Batch rules of normalization ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// All operands and the result of `op` in one mode, that of the first mapped
/// operand. Where it enumerates samples along one of `dims`, every result needs
/// all samples.
static BatchRule inferRows(Operation *op, ArrayRef<BatchState> operands,
                           ArrayRef<int64_t> dims) {
  const auto *mapped =
      llvm::find_if(operands, [](BatchState s) { return s.isMapped(); });
  BatchState state =
      llvm::is_contained(dims, mapped->mode.dim) ? BatchState::once() : *mapped;
  BatchRule rule;
  rule.operands.assign(operands.size(), state);
  rule.results.assign(op->getNumResults(), state);
  return rule;
}

/// A slice along one of `dims` needs whole operands.
static std::optional<SmallVector<BatchState>>
rowModes(Operation *op, ArrayRef<int64_t> dims, MappedMode mode) {
  if (llvm::is_contained(dims, mode.dim))
    return std::nullopt;
  return SmallVector<BatchState>(op->getNumOperands(),
                                 BatchState::mapped(mode));
}

FailureOr<BatchRule> SoftmaxOp::inferBatchRule(ArrayRef<BatchState> operands,
                                               std::string &) {
  return inferRows(*this, operands, static_cast<int64_t>(getDim()));
}
std::optional<SmallVector<BatchState>>
SoftmaxOp::operandModes(unsigned, MappedMode mode) {
  return rowModes(*this, static_cast<int64_t>(getDim()), mode);
}

FailureOr<BatchRule> LogSoftmaxOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                  std::string &) {
  return inferRows(*this, operands, static_cast<int64_t>(getDim()));
}
std::optional<SmallVector<BatchState>>
LogSoftmaxOp::operandModes(unsigned, MappedMode mode) {
  return rowModes(*this, static_cast<int64_t>(getDim()), mode);
}

FailureOr<BatchRule> RmsNormOp::inferBatchRule(ArrayRef<BatchState> operands,
                                               std::string &) {
  return inferRows(*this, operands, getDims());
}
std::optional<SmallVector<BatchState>>
RmsNormOp::operandModes(unsigned, MappedMode mode) {
  return rowModes(*this, getDims(), mode);
}

/// A reduction of one operand over `dims`.
static BatchRule inferReduction(Operation *op, BatchState operand,
                                ArrayRef<int64_t> dims, ReducerKind reducer) {
  MappedMode mode = operand.mode;
  int64_t before =
      llvm::count_if(dims, [&](int64_t d) { return d < mode.dim; });
  BatchState result = llvm::is_contained(dims, mode.dim)
                          ? BatchState::partial(reducer)
                          : BatchState::mapped(mode.atDim(mode.dim - before));
  BatchRule rule;
  rule.operands.push_back(operand);
  rule.results.assign(op->getNumResults(), result);
  return rule;
}

static SmallVector<BatchState> reductionModes(ArrayRef<int64_t> dims,
                                              MappedMode mode) {
  for (int64_t reduced : dims)
    if (reduced <= mode.dim)
      ++mode.dim;
  return {BatchState::mapped(mode)};
}

FailureOr<BatchRule> LogSumExpOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  return inferReduction(*this, operands[0], getDims(), ReducerKind::LogSumExp);
}
std::optional<SmallVector<BatchState>>
LogSumExpOp::operandModes(unsigned, MappedMode mode) {
  return reductionModes(getDims(), mode);
}
FailureOr<SmallVector<Value>>
LogSumExpOp::buildMerge(OpBuilder &builder, ValueRange stacked, Value) {
  return SmallVector<Value>{
      LogSumExpOp::create(builder, getLoc(), stacked[0], ArrayRef<int64_t>{0})};
}

FailureOr<BatchRule> MomentsOp::inferBatchRule(ArrayRef<BatchState> operands,
                                               std::string &) {
  return inferReduction(*this, operands[0], getDims(), ReducerKind::Moments);
}
std::optional<SmallVector<BatchState>>
MomentsOp::operandModes(unsigned, MappedMode mode) {
  return reductionModes(getDims(), mode);
}
FailureOr<SmallVector<Value>>
MomentsOp::buildMerge(OpBuilder &builder, ValueRange stacked, Value weights) {
  // mean = sum of w mean_k, variance = sum of w (variance_k + (mean_k -
  // mean)^2)
  Formula f{builder, getLoc()};
  Value means = stacked[0], variances = stacked[1];
  auto others =
      llvm::to_vector(llvm::seq<int64_t>(1, Formula::getType(means).getRank()));
  Value shares = others.empty() ? weights : f.repeat(weights, means, others);
  Value mean = f.reduce<SumOp>(f.mul(shares, means), 0);
  Value apart = f.square(f.sub(means, f.repeat(mean, means, 0)));
  Value variance = f.reduce<SumOp>(f.mul(shares, f.add(variances, apart)), 0);
  return SmallVector<Value>{mean, variance};
}

//===----------------------------------------------------------------------===//
// normalize
//===----------------------------------------------------------------------===//

// Statistics of a micro-batch: samples among the dimensions stay mapped.

FailureOr<BatchRule> NormalizeOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  return inferRows(*this, operands, getDims());
}
std::optional<BatchRule>
NormalizeOp::inferMicroBatchRule(ArrayRef<BatchState> operands) {
  return inferRows(*this, operands, {});
}
std::optional<SmallVector<BatchState>>
NormalizeOp::operandModes(unsigned, MappedMode mode) {
  return rowModes(*this, getDims(), mode);
}

FailureOr<BatchRule>
NormalizeGradOp::inferBatchRule(ArrayRef<BatchState> operands, std::string &) {
  return inferRows(*this, operands, getDims());
}
std::optional<BatchRule>
NormalizeGradOp::inferMicroBatchRule(ArrayRef<BatchState> operands) {
  return inferRows(*this, operands, {});
}
std::optional<SmallVector<BatchState>>
NormalizeGradOp::operandModes(unsigned, MappedMode mode) {
  return rowModes(*this, getDims(), mode);
}
bool NormalizeGradOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.count() == 1 && operands.test(1);
}
