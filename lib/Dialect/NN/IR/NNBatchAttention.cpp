//===- NNBatchAttention.cpp - Batch rule of attention ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// The modes of the operands for a slice `mode` of samples or, where no key
/// head serves several query heads, of heads; none for other dimensions.
static std::optional<SmallVector<BatchState>> fetchAlong(AttentionOp op,
                                                         MappedMode mode) {
  auto getType = [](Value value) {
    return cast<RankedTensorType>(value.getType());
  };
  bool hasOwnKeys = getExtents(getType(op.getQuery()))[1] ==
                    getExtents(getType(op.getKey()))[1];
  if (mode.dim != 0 && !(mode.dim == 1 && hasOwnKeys))
    return std::nullopt;
  SmallVector<BatchState> states;
  for (Value operand : op->getOperands())
    states.push_back(getType(operand).getRank() == 4 ? BatchState::mapped(mode)
                                                     : BatchState::once());
  return states;
}

FailureOr<BatchRule> AttentionOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  for (auto [operand, state] : llvm::zip_equal(getOperands(), operands)) {
    bool hasSamples = state.isMapped() &&
                      cast<RankedTensorType>(operand.getType()).getRank() == 4;
    if (!hasSamples)
      continue;
    if (auto states = fetchAlong(*this, state.mode))
      return BatchRule{SmallVector<BatchState, 3>(ArrayRef(*states)), {state}};
  }
  // Positions of samples that see each other.
  return BatchRule{SmallVector<BatchState, 3>(operands.size()),
                   {BatchState::once()}};
}

std::optional<SmallVector<BatchState>>
AttentionOp::operandModes(unsigned, MappedMode mode) {
  return fetchAlong(*this, mode);
}
