//===- NNBatchContraction.cpp - Batch rules of matrix products ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product has labels: one for each leading dimension, rows m, summed k and
// columns n. One of them enumerates the samples: a sample label that survives
// maps the result, a summed one makes it a partial sum. Where the operands
// offer two labels, the one that gathers fewer bytes wins.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

namespace {
/// A label that survives is a dimension of the result.
constexpr int64_t kSummed = -1;

/// The labels of the dimensions of operand 0 or 1.
SmallVector<int64_t> getLabels(MatmulOp op, unsigned operand) {
  int64_t rank = cast<RankedTensorType>(op.getType()).getRank();
  auto labels = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  labels[operand == 0 ? rank - 1 : rank - 2] = kSummed;
  if (operand == 0 ? op.getTransposeLhs() : op.getTransposeRhs())
    std::swap(labels[rank - 2], labels[rank - 1]);
  return labels;
}

/// The mode in which `operand` enumerates samples along `label`, or once.
BatchState fetchAlong(MatmulOp op, unsigned operand, int64_t label,
                      MappedMode mode) {
  SmallVector<int64_t> labels = getLabels(op, operand);
  auto it = llvm::find(labels, label);
  return it == labels.end()
             ? BatchState::once()
             : BatchState::mapped(mode.atDim(it - labels.begin()));
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
    int64_t label = getLabels(*this, candidate)[mode.dim];
    BatchRule rule;
    std::pair<int64_t, double> gathered = {0, 0.0};
    for (unsigned i : {0, 1}) {
      rule.operands.push_back(fetchAlong(*this, i, label, mode));
      if (operands[i].isMapped() && operands[i] != rule.operands.back())
        gathered = std::max(gathered, getSizeOrder(getOperand(i)));
    }
    rule.results.push_back(label == kSummed
                               ? BatchState::partial(ReducerKind::Sum)
                               : BatchState::mapped(mode.atDim(label)));
    if (best.results.empty() || gathered < bestGathered) {
      best = rule;
      bestGathered = gathered;
    }
  }
  return best;
}

std::optional<SmallVector<BatchState>> MatmulOp::operandModes(unsigned,
                                                              MappedMode mode) {
  return SmallVector<BatchState>{fetchAlong(*this, 0, mode.dim, mode),
                                 fetchAlong(*this, 1, mode.dim, mode)};
}

bool MatmulOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.count() == 1;
}
