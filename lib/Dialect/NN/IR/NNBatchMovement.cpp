//===- NNBatchMovement.cpp - Batch rules of slices and the like -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample dimension passes where the op leaves the dimension alone. Two
// operands that are concatenated along samples enumerate them in one mode: the
// operands are further outer indices.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// The rule of an op that keeps its one operand's dimensions.
static BatchRule passOn(BatchState operand) { return {{operand}, {operand}}; }

/// The rule of an op that has to see all samples.
static BatchRule seeWhole(unsigned operands) {
  return {SmallVector<BatchState, 3>(operands, BatchState::once()),
          {BatchState::once()}};
}

//===----------------------------------------------------------------------===//
// slice, pad, flip
//===----------------------------------------------------------------------===//

FailureOr<BatchRule> SliceOp::inferBatchRule(ArrayRef<BatchState> operands,
                                             std::string &) {
  return passOn(operands[0]);
}
std::optional<SmallVector<BatchState>> SliceOp::operandModes(unsigned,
                                                             MappedMode mode) {
  return SmallVector<BatchState>{BatchState::mapped(mode)};
}
bool SliceOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

FailureOr<BatchRule> PadOp::inferBatchRule(ArrayRef<BatchState> operands,
                                           std::string &) {
  return passOn(operands[0]);
}
std::optional<SmallVector<BatchState>> PadOp::operandModes(unsigned,
                                                           MappedMode mode) {
  return SmallVector<BatchState>{BatchState::mapped(mode)};
}
bool PadOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all() && getValue().isZero();
}

FailureOr<BatchRule> FlipOp::inferBatchRule(ArrayRef<BatchState> operands,
                                            std::string &) {
  if (llvm::is_contained(getDims(), operands[0].mode.dim))
    return seeWhole(1);
  return passOn(operands[0]);
}
std::optional<SmallVector<BatchState>> FlipOp::operandModes(unsigned,
                                                            MappedMode mode) {
  if (llvm::is_contained(getDims(), mode.dim))
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::mapped(mode)};
}
bool FlipOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

/// The modes of operands that are concatenated along the samples as `mode`
/// enumerates them, each with an outer factor of its own; none where an operand
/// is no multiple of (sample, inner).
static std::optional<SmallVector<BatchState>>
getConcatenatedModes(ConcatOp op, MappedMode mode) {
  Extent rows = Extent::batch() * Extent(mode.inner, mode.innerDenominator, 0);
  SmallVector<BatchState> modes;
  for (Value operand : op.getInputs()) {
    Extent outer =
        getExtents(cast<RankedTensorType>(operand.getType()))[mode.dim] / rows;
    if (!outer.isStatic() || outer.getNum() == 0)
      return std::nullopt;
    mode.outer = outer.getNum();
    modes.push_back(BatchState::mapped(mode));
  }
  return modes;
}

FailureOr<BatchRule> ConcatOp::inferBatchRule(ArrayRef<BatchState> operands,
                                              std::string &) {
  MappedMode mode =
      llvm::find_if(operands, [](BatchState s) { return s.isMapped(); })->mode;
  if (mode.dim != static_cast<int64_t>(getDim())) {
    BatchRule rule;
    rule.operands.assign(operands.size(), BatchState::mapped(mode));
    rule.results.push_back(BatchState::mapped(mode));
    return rule;
  }
  // As the samples of some operand are enumerated, else one after another; what
  // has another order is gathered. Where no order suits all, all are.
  SmallVector<MappedMode> candidates;
  for (const BatchState &operand : operands)
    if (operand.isMapped() && operand.mode.dim == mode.dim)
      candidates.push_back(operand.mode);
  candidates.push_back({mode.dim});
  std::optional<SmallVector<BatchState>> modes;
  for (const MappedMode &candidate : candidates) {
    mode = candidate;
    if ((modes = getConcatenatedModes(*this, mode)))
      break;
  }
  if (!modes)
    return seeWhole(operands.size());
  MappedMode result = mode;
  result.outer = 0;
  for (const BatchState &operand : *modes)
    result.outer += operand.mode.outer;
  BatchRule rule;
  rule.operands.assign(modes->begin(), modes->end());
  rule.results.push_back(BatchState::mapped(result));
  return rule;
}
std::optional<SmallVector<BatchState>> ConcatOp::operandModes(unsigned,
                                                              MappedMode mode) {
  if (mode.dim != static_cast<int64_t>(getDim()))
    return SmallVector<BatchState>(getNumOperands(), BatchState::mapped(mode));
  return getConcatenatedModes(*this, mode);
}
bool ConcatOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}
