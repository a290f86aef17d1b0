//===- NNBatchContraction.cpp - Batch rules of matrix products ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product has three labels: rows m, summed k and columns n. One of them
// enumerates the samples: a sample label that survives maps the result, a
// summed one makes it a partial sum. Where the operands offer two labels, the
// one that gathers fewer bytes wins.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

namespace {
enum Label { kRows, kSummed, kColumns };

/// The labels of the two dimensions of operand 0 or 1.
std::array<Label, 2> getLabels(MatmulOp op, unsigned operand) {
  std::array<Label, 2> labels;
  if (operand == 0)
    labels = {kRows, kSummed};
  else
    labels = {kSummed, kColumns};
  if (operand == 0 ? op.getTransposeLhs() : op.getTransposeRhs())
    std::swap(labels[0], labels[1]);
  return labels;
}

/// The mode in which `operand` enumerates samples along `label`, or once.
BatchState fetchAlong(MatmulOp op, unsigned operand, Label label,
                      MappedMode mode) {
  std::array<Label, 2> labels = getLabels(op, operand);
  for (int64_t dim : {0, 1})
    if (labels[dim] == label)
      return BatchState::mapped(mode.atDim(dim));
  return BatchState::once();
}

/// Order of the number of elements for a large batch.
std::pair<int64_t, double> getSizeOrder(Value value) {
  Extent size = getProduct(getExtents(cast<RankedTensorType>(value.getType())));
  return {size.getPower(), static_cast<double>(size.getNum()) / size.getDen()};
}
} // namespace

FailureOr<BatchRule> MatmulOp::inferBatchRule(ArrayRef<BatchState> operands,
                                              std::string &) {
  BatchRule best;
  std::pair<int64_t, double> bestGathered;
  for (unsigned candidate : {0, 1}) {
    if (!operands[candidate].isMapped())
      continue;
    MappedMode mode = operands[candidate].mode;
    Label label = getLabels(*this, candidate)[mode.dim];
    BatchRule rule;
    std::pair<int64_t, double> gathered = {0, 0.0};
    for (unsigned i : {0, 1}) {
      rule.operands.push_back(fetchAlong(*this, i, label, mode));
      if (operands[i].isMapped() && operands[i] != rule.operands.back())
        gathered = std::max(gathered, getSizeOrder(getOperand(i)));
    }
    rule.results.push_back(
        label == kSummed
            ? BatchState::partial(ReducerKind::Sum)
            : BatchState::mapped(mode.atDim(label == kRows ? 0 : 1)));
    if (best.results.empty() || gathered < bestGathered) {
      best = rule;
      bestGathered = gathered;
    }
  }
  return best;
}

std::optional<SmallVector<BatchState>> MatmulOp::operandModes(unsigned,
                                                              MappedMode mode) {
  Label label = mode.dim == 0 ? kRows : kColumns;
  return SmallVector<BatchState>{fetchAlong(*this, 0, label, mode),
                                 fetchAlong(*this, 1, label, mode)};
}

bool MatmulOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.count() == 1;
}
