//===- NNBatchReduction.cpp - Batch rules of reductions and losses --------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// The dimension of the result that `dim` of the operand becomes.
static int64_t getResultDim(ArrayRef<int64_t> reduced, int64_t dim) {
  return dim - llvm::count_if(reduced, [&](int64_t r) { return r < dim; });
}

/// The dimension of the operand that `dim` of the result was.
static int64_t getOperandDim(ArrayRef<int64_t> reduced, int64_t dim) {
  for (int64_t r : reduced)
    if (r <= dim)
      ++dim;
  return dim;
}

/// A reduction of one operand over `dims`: mapped where the sample dimension
/// survives, else a partial of kind `reducer`.
static BatchRule inferReduction(ArrayRef<int64_t> dims, BatchState operand,
                                ReducerKind reducer) {
  if (llvm::is_contained(dims, operand.mode.dim))
    return {{operand}, {BatchState::partial(reducer)}};
  return {{operand},
          {BatchState::mapped(
              operand.mode.atDim(getResultDim(dims, operand.mode.dim)))}};
}

static SmallVector<BatchState> reductionModes(ArrayRef<int64_t> dims,
                                              MappedMode mode) {
  return {BatchState::mapped(mode.atDim(getOperandDim(dims, mode.dim)))};
}

FailureOr<BatchRule> SumOp::inferBatchRule(ArrayRef<BatchState> operands,
                                           std::string &) {
  return inferReduction(getDims(), operands[0], ReducerKind::Sum);
}
std::optional<SmallVector<BatchState>> SumOp::operandModes(unsigned,
                                                           MappedMode mode) {
  return reductionModes(getDims(), mode);
}
bool SumOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

// The contribution of a micro-batch is its local mean times m/B, which makes
// the contributions sum up (see dividesBySamples).
FailureOr<BatchRule> MeanOp::inferBatchRule(ArrayRef<BatchState> operands,
                                            std::string &) {
  return inferReduction(getDims(), operands[0], ReducerKind::Sum);
}
std::optional<SmallVector<BatchState>> MeanOp::operandModes(unsigned,
                                                            MappedMode mode) {
  return reductionModes(getDims(), mode);
}
bool MeanOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}
bool MeanOp::dividesBySamples(const BatchRule &rule) {
  return rule.results[0].isPartial();
}

FailureOr<BatchRule> ReduceMaxOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  return inferReduction(getDims(), operands[0], ReducerKind::Max);
}
std::optional<SmallVector<BatchState>>
ReduceMaxOp::operandModes(unsigned, MappedMode mode) {
  return reductionModes(getDims(), mode);
}

// There is no reducer for minima: over samples it needs the whole operand.
FailureOr<BatchRule> ReduceMinOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  return inferReduction(getDims(), operands[0], ReducerKind::Min);
}
std::optional<SmallVector<BatchState>>
ReduceMinOp::operandModes(unsigned, MappedMode mode) {
  return reductionModes(getDims(), mode);
}

FailureOr<SmallVector<Value>>
ReduceMaxOp::buildMerge(OpBuilder &builder, ValueRange stacked, Value) {
  return SmallVector<Value>{
      ReduceMaxOp::create(builder, getLoc(), stacked[0], ArrayRef<int64_t>{0})};
}

FailureOr<SmallVector<Value>>
ReduceMinOp::buildMerge(OpBuilder &builder, ValueRange stacked, Value) {
  return SmallVector<Value>{
      ReduceMinOp::create(builder, getLoc(), stacked[0], ArrayRef<int64_t>{0})};
}

FailureOr<BatchRule>
ReduceArgmaxOp::inferBatchRule(ArrayRef<BatchState> operands, std::string &) {
  BatchState state = operands[0].isMapped() ? operands[0] : operands[1];
  BatchRule rule = inferReduction(getDims(), state, ReducerKind::ArgMax);
  rule.operands.assign(2, state);
  rule.results.assign(2, rule.results[0]);
  return rule;
}
std::optional<SmallVector<BatchState>>
ReduceArgmaxOp::operandModes(unsigned, MappedMode mode) {
  return SmallVector<BatchState>(2, reductionModes(getDims(), mode)[0]);
}
FailureOr<SmallVector<Value>>
ReduceArgmaxOp::buildMerge(OpBuilder &builder, ValueRange stacked, Value) {
  auto merged = ReduceArgmaxOp::create(builder, getLoc(), stacked[0],
                                       stacked[1], ArrayRef<int64_t>{0});
  return SmallVector<Value>(merged->getResults());
}

FailureOr<BatchRule> CumsumOp::inferBatchRule(ArrayRef<BatchState> operands,
                                              std::string &) {
  BatchState state = operands[0].mode.dim == static_cast<int64_t>(getDim())
                         ? BatchState::once()
                         : operands[0];
  return BatchRule{{state}, {state}};
}
std::optional<SmallVector<BatchState>> CumsumOp::operandModes(unsigned,
                                                              MappedMode mode) {
  if (mode.dim == static_cast<int64_t>(getDim()))
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::mapped(mode)};
}
bool CumsumOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

FailureOr<BatchRule> ArgmaxOp::inferBatchRule(ArrayRef<BatchState> operands,
                                              std::string &) {
  // Without their maxima the indices of micro-batches do not merge.
  if (operands[0].mode.dim == static_cast<int64_t>(getDim()))
    return BatchRule{{BatchState::once()}, {BatchState::once()}};
  return inferReduction({static_cast<int64_t>(getDim())}, operands[0],
                        ReducerKind::ArgMax);
}
std::optional<SmallVector<BatchState>> ArgmaxOp::operandModes(unsigned,
                                                              MappedMode mode) {
  return reductionModes({static_cast<int64_t>(getDim())}, mode);
}

/// Rules of ops with one class dimension, the last one of operand 0: all
/// operands share the row dimensions. A sample dimension among the classes
/// means that every row needs all samples.
static BatchRule inferRows(Operation *op, ArrayRef<BatchState> operands) {
  int64_t classDim =
      cast<RankedTensorType>(op->getOperand(0).getType()).getRank() - 1;
  BatchRule rule;
  auto mapped =
      llvm::find_if(operands, [](BatchState s) { return s.isMapped(); });
  BatchState state =
      mapped->mode.dim == classDim ? BatchState::once() : *mapped;
  rule.operands.assign(operands.size(), state);
  rule.results.assign(op->getNumResults(), state);
  return rule;
}

FailureOr<BatchRule>
CrossEntropyOp::inferBatchRule(ArrayRef<BatchState> operands, std::string &) {
  return inferRows(*this, operands);
}
std::optional<SmallVector<BatchState>>
CrossEntropyOp::operandModes(unsigned, MappedMode mode) {
  return SmallVector<BatchState>(2, BatchState::mapped(mode));
}

FailureOr<BatchRule>
CrossEntropyGradOp::inferBatchRule(ArrayRef<BatchState> operands,
                                   std::string &) {
  return inferRows(*this, operands);
}
std::optional<SmallVector<BatchState>>
CrossEntropyGradOp::operandModes(unsigned, MappedMode mode) {
  if (mode.dim == cast<RankedTensorType>(getType()).getRank() - 1)
    return std::nullopt;
  return SmallVector<BatchState>(3, BatchState::mapped(mode));
}
bool CrossEntropyGradOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.count() == 1 && operands.test(2);
}
