//===- NNBatchShape.cpp - Batch rules of changes of shape -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

//===----------------------------------------------------------------------===//
// broadcast, distribute
//===----------------------------------------------------------------------===//

/// The dimension of the result that dimension `dim` of the operand becomes when
/// the dimensions `added` are new.
static int64_t getResultDim(ArrayRef<int64_t> added, int64_t dim) {
  for (int64_t a : added)
    if (a <= dim)
      ++dim;
  return dim;
}

static BatchRule inferRepetition(ArrayRef<int64_t> added, BatchState operand) {
  return {{operand},
          {BatchState::mapped(
              operand.mode.atDim(getResultDim(added, operand.mode.dim)))}};
}

/// A slice along a new dimension needs the whole operand.
static SmallVector<BatchState> repetitionModes(ArrayRef<int64_t> added,
                                               MappedMode mode) {
  if (llvm::is_contained(added, mode.dim))
    return {BatchState::once()};
  int64_t before =
      llvm::count_if(added, [&](int64_t a) { return a < mode.dim; });
  return {BatchState::mapped(mode.atDim(mode.dim - before))};
}

FailureOr<BatchRule> BroadcastOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  return inferRepetition(getDims(), operands[0]);
}
std::optional<SmallVector<BatchState>>
BroadcastOp::operandModes(unsigned, MappedMode mode) {
  return repetitionModes(getDims(), mode);
}
bool BroadcastOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

FailureOr<BatchRule> DistributeOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                  std::string &) {
  return inferRepetition(getDims(), operands[0]);
}
std::optional<SmallVector<BatchState>>
DistributeOp::operandModes(unsigned, MappedMode mode) {
  return repetitionModes(getDims(), mode);
}
bool DistributeOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}
bool DistributeOp::dividesBySamples(const BatchRule &rule) {
  return llvm::is_contained(getDims(), rule.results[0].mode.dim);
}

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

FailureOr<BatchRule> TransposeOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  MappedMode mode = operands[0].mode;
  int64_t dim =
      llvm::find(getPermutation(), mode.dim) - getPermutation().begin();
  return BatchRule{{operands[0]}, {BatchState::mapped(mode.atDim(dim))}};
}
std::optional<SmallVector<BatchState>>
TransposeOp::operandModes(unsigned, MappedMode mode) {
  return SmallVector<BatchState>{
      BatchState::mapped(mode.atDim(getPermutation()[mode.dim]))};
}
bool TransposeOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

/// The mode after a reshape from `from` to `to`. The sample of an element
/// follows from its row-major position: outer * B * inner positions, with
/// outer and inner counted over all dimensions before and after. Looks for the
/// batch dimension of `to` with the same two factors. `groups` allows an index
/// that stands for a whole group of samples. On failure `closest` is the
/// rejected mode, as text, if there was a candidate.
static std::optional<MappedMode> reshapeMode(ArrayRef<Extent> from,
                                             ArrayRef<Extent> to,
                                             MappedMode mode, bool groups,
                                             std::string &closest) {
  Extent outer = getProduct(from.take_front(mode.dim)) * Extent(mode.outer);
  Extent inner = getProduct(from.drop_front(mode.dim + 1)) *
                 Extent(mode.inner, mode.innerDenominator, 0);
  for (auto [dim, extent] : llvm::enumerate(to)) {
    if (extent.getPower() < 1)
      continue;
    Extent newOuter = outer / getProduct(to.take_front(dim));
    Extent newInner = inner / getProduct(to.drop_front(dim + 1));
    if (newOuter.getPower() != 0 || newInner.getPower() != 0 ||
        newOuter * newInner * Extent::batch() != extent)
      continue;
    bool integral = newInner.getDen() == 1;
    bool grouped = groups && newInner.getNum() == 1;
    if (newOuter.getDen() == 1 && (integral || grouped))
      return MappedMode{static_cast<int64_t>(dim), newOuter.getNum(),
                        newInner.getNum(), newInner.getDen()};
    closest = "dimension " + std::to_string(dim) + " would enumerate (" +
              newOuter.str() + ", sample, " + newInner.str() + ")";
  }
  return std::nullopt;
}

FailureOr<BatchRule> ReshapeOp::inferBatchRule(ArrayRef<BatchState> operands,
                                               std::string &reason) {
  std::string closest;
  std::optional<MappedMode> mode =
      reshapeMode(getExtents(cast<RankedTensorType>(getInput().getType())),
                  getExtents(cast<RankedTensorType>(getType())),
                  operands[0].mode, /*groups=*/true, closest);
  if (!mode) {
    reason = "mixes samples: no dimension of the result enumerates them";
    if (!closest.empty())
      reason += " (" + closest + ")";
    return failure();
  }
  return BatchRule{{operands[0]}, {BatchState::mapped(*mode)}};
}
std::optional<SmallVector<BatchState>>
ReshapeOp::operandModes(unsigned, MappedMode mode) {
  std::string closest;
  std::optional<MappedMode> operandMode =
      reshapeMode(getExtents(cast<RankedTensorType>(getType())),
                  getExtents(cast<RankedTensorType>(getInput().getType())),
                  mode, /*groups=*/false, closest);
  if (!operandMode)
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::mapped(*operandMode)};
}
bool ReshapeOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}
