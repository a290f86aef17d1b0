//===- NNBatchNormalization.cpp - Batch rules of normalization ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

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

FailureOr<BatchRule> LogSumExpOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  BatchRule rule = inferRows(*this, operands, getDims());
  MappedMode mode = operands[0].mode;
  if (rule.results[0].isMapped())
    rule.results[0] = BatchState::mapped(mode.atDim(
        mode.dim -
        llvm::count_if(getDims(), [&](int64_t d) { return d < mode.dim; })));
  return rule;
}
std::optional<SmallVector<BatchState>>
LogSumExpOp::operandModes(unsigned, MappedMode mode) {
  int64_t dim = mode.dim;
  for (int64_t reduced : getDims())
    if (reduced <= dim)
      ++dim;
  return SmallVector<BatchState>{BatchState::mapped(mode.atDim(dim))};
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
