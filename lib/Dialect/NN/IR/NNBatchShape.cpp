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

namespace {
/// How a dimension of the result of a reshape enumerates samples: the sample of
/// an element follows from its row-major position, of outer * B * inner ones,
/// with outer and inner counted over all dimensions before and after.
struct Enumeration {
  int64_t dim;
  Extent outer, inner;

  /// Whether samples that share an index are adjacent.
  bool isMode() const { return outer.getDen() == 1; }
  MappedMode getMode() const {
    return {dim, outer.getNum(), inner.getNum(), inner.getDen()};
  }
};
} // namespace

/// The dimension of `to` that enumerates samples as `mode` does in `from`, if
/// there is one with the same product of the two factors.
static std::optional<Enumeration> findEnumeration(RankedTensorType fromType,
                                                  RankedTensorType toType,
                                                  MappedMode mode) {
  SmallVector<Extent> from = getExtents(fromType), to = getExtents(toType);
  auto takeFront = [](ArrayRef<Extent> extents, int64_t count) {
    return getProduct(extents.take_front(count));
  };
  auto dropFront = [](ArrayRef<Extent> extents, int64_t count) {
    return getProduct(extents.drop_front(count));
  };
  Extent outer = takeFront(from, mode.dim) * Extent(mode.outer);
  Extent inner = dropFront(from, mode.dim + 1) *
                 Extent(mode.inner, mode.innerDenominator, 0);
  std::optional<Enumeration> found;
  for (auto [dim, extent] : llvm::enumerate(to)) {
    if (extent.getPower() < 1)
      continue;
    Enumeration here{static_cast<int64_t>(dim), outer / takeFront(to, dim),
                     inner / dropFront(to, dim + 1)};
    if (here.outer.getPower() != 0 || here.inner.getPower() != 0 ||
        here.outer * here.inner * Extent::batch() != extent)
      continue;
    if (!found || here.isMode())
      found = here;
  }
  return found;
}

FailureOr<BatchRule> ReshapeOp::inferBatchRule(ArrayRef<BatchState> operands,
                                               std::string &reason) {
  std::optional<Enumeration> found =
      findEnumeration(cast<RankedTensorType>(getInput().getType()),
                      cast<RankedTensorType>(getType()), operands[0].mode);
  if (found && found->isMode())
    return BatchRule{{operands[0]}, {BatchState::mapped(found->getMode())}};
  reason = "mixes samples: no dimension of the result enumerates them";
  if (found)
    reason += " (dimension " + std::to_string(found->dim) +
              " would enumerate (" + found->outer.str() + ", sample, " +
              found->inner.str() +
              "); micro-batches of the same positions of " +
              std::to_string(found->outer.getDen()) + " equal runs would do)";
  return failure();
}
std::optional<int64_t>
ReshapeOp::getRequiredRuns(ArrayRef<BatchState> operands) {
  std::optional<Enumeration> found =
      findEnumeration(cast<RankedTensorType>(getInput().getType()),
                      cast<RankedTensorType>(getType()), operands[0].mode);
  if (!found || found->isMode())
    return std::nullopt;
  return found->outer.getDen();
}
std::optional<SmallVector<BatchState>>
ReshapeOp::operandModes(unsigned, MappedMode mode) {
  std::optional<Enumeration> found =
      findEnumeration(cast<RankedTensorType>(getType()),
                      cast<RankedTensorType>(getInput().getType()), mode);
  // Groups that the result does not have already would constrain micro-batches.
  if (!found || !found->isMode() ||
      mode.innerDenominator % found->inner.getDen() != 0)
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::mapped(found->getMode())};
}
bool ReshapeOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}
