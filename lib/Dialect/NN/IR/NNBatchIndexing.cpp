//===- NNBatchIndexing.cpp - Batch rules of indexing ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is indexed has to be there as a whole; the index and the other
// dimensions may enumerate samples. A scatter over the samples is a partial
// sum: it is linear in the updates, so the gradient of an embedding is the sum
// of those of the micro-batches.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

static int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

/// The rule of an op that has to see all samples.
static BatchRule seeWhole(unsigned operands) {
  return {SmallVector<BatchState, 3>(operands, BatchState::once()),
          {BatchState::once()}};
}

static BatchRule getRule(BatchState values, BatchState index,
                         BatchState result) {
  return {{values, index}, {result}};
}

//===----------------------------------------------------------------------===//
// gather, scatter_add
//===----------------------------------------------------------------------===//

namespace {
/// The dimensions of gathered slices, or of updates: those of the table before
/// the indexed one, those of the index, those of the table after it.
struct SliceDims {
  int64_t dim;
  int64_t indexRank;

  /// Whether `d` is one of the index.
  bool isOfIndex(int64_t d) const { return d >= dim && d < dim + indexRank; }
  int64_t toIndex(int64_t d) const { return d - dim; }
  int64_t fromIndex(int64_t d) const { return d + dim; }
  /// From and to the other dimensions of the table.
  int64_t toTable(int64_t d) const { return d < dim ? d : d - indexRank + 1; }
  int64_t fromTable(int64_t d) const { return d < dim ? d : d + indexRank - 1; }
};
} // namespace

FailureOr<BatchRule> GatherOp::inferBatchRule(ArrayRef<BatchState> operands,
                                              std::string &) {
  SliceDims dims{static_cast<int64_t>(getDim()), getRank(getIndex())};
  BatchState table = operands[0], index = operands[1];
  // Where both are mapped the index, which is the smaller one, is read as a
  // whole.
  if (table.isMapped() && table.mode.dim != dims.dim)
    return getRule(
        table, BatchState::once(),
        BatchState::mapped(table.mode.atDim(dims.fromTable(table.mode.dim))));
  if (!index.isMapped())
    return seeWhole(2);
  return getRule(
      BatchState::once(), index,
      BatchState::mapped(index.mode.atDim(dims.fromIndex(index.mode.dim))));
}
std::optional<SmallVector<BatchState>> GatherOp::operandModes(unsigned,
                                                              MappedMode mode) {
  SliceDims dims{static_cast<int64_t>(getDim()), getRank(getIndex())};
  if (dims.isOfIndex(mode.dim))
    return SmallVector<BatchState>{
        BatchState::once(),
        BatchState::mapped(mode.atDim(dims.toIndex(mode.dim)))};
  return SmallVector<BatchState>{
      BatchState::mapped(mode.atDim(dims.toTable(mode.dim))),
      BatchState::once()};
}
bool GatherOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.test(0) && !operands.test(1);
}

FailureOr<BatchRule> ScatterAddOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                  std::string &) {
  SliceDims dims{static_cast<int64_t>(getDim()), getRank(getIndex())};
  BatchState updates = operands[0], index = operands[1];
  if (updates.isMapped() && !dims.isOfIndex(updates.mode.dim))
    return getRule(
        updates, BatchState::once(),
        BatchState::mapped(updates.mode.atDim(dims.toTable(updates.mode.dim))));
  // A sum over the samples, whichever operand has them.
  MappedMode mode = updates.isMapped()
                        ? updates.mode
                        : index.mode.atDim(dims.fromIndex(index.mode.dim));
  return getRule(BatchState::mapped(mode),
                 BatchState::mapped(mode.atDim(dims.toIndex(mode.dim))),
                 BatchState::partial(ReducerKind::Sum));
}
std::optional<SmallVector<BatchState>>
ScatterAddOp::operandModes(unsigned, MappedMode mode) {
  SliceDims dims{static_cast<int64_t>(getDim()), getRank(getIndex())};
  // Any update may belong to any row.
  if (mode.dim == dims.dim)
    return std::nullopt;
  return SmallVector<BatchState>{
      BatchState::mapped(mode.atDim(dims.fromTable(mode.dim))),
      BatchState::once()};
}
bool ScatterAddOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.test(0) && !operands.test(1);
}

//===----------------------------------------------------------------------===//
// take_along, scatter_add_along
//===----------------------------------------------------------------------===//

FailureOr<BatchRule> TakeAlongOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  int64_t dim = getDim();
  for (BatchState state : operands)
    if (state.isMapped() && state.mode.dim != dim)
      return getRule(state, state, state);
  // Along the samples: each index reads all of them.
  if (!operands[1].isMapped())
    return seeWhole(2);
  return getRule(BatchState::once(), operands[1], operands[1]);
}
std::optional<SmallVector<BatchState>>
TakeAlongOp::operandModes(unsigned, MappedMode mode) {
  BatchState state = BatchState::mapped(mode);
  bool along = mode.dim == static_cast<int64_t>(getDim());
  return SmallVector<BatchState>{along ? BatchState::once() : state, state};
}
bool TakeAlongOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.test(0) && !operands.test(1);
}

FailureOr<BatchRule>
ScatterAddAlongOp::inferBatchRule(ArrayRef<BatchState> operands,
                                  std::string &) {
  int64_t dim = getDim();
  for (BatchState state : operands)
    if (state.isMapped() && state.mode.dim != dim)
      return getRule(state, state, state);
  BatchState state = operands[0].isMapped() ? operands[0] : operands[1];
  return getRule(state, state, BatchState::partial(ReducerKind::Sum));
}
std::optional<SmallVector<BatchState>>
ScatterAddAlongOp::operandModes(unsigned, MappedMode mode) {
  if (mode.dim == static_cast<int64_t>(getDim()))
    return std::nullopt;
  return SmallVector<BatchState>(2, BatchState::mapped(mode));
}
bool ScatterAddAlongOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.test(0) && !operands.test(1);
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

FailureOr<BatchRule> TopKOp::inferBatchRule(ArrayRef<BatchState> operands,
                                            std::string &) {
  // The largest of all samples are those of the whole operand.
  BatchState state = operands[0];
  if (state.isMapped() && state.mode.dim == getType().getRank() - 1)
    state = BatchState::once();
  return BatchRule{{state}, {state}};
}
std::optional<SmallVector<BatchState>> TopKOp::operandModes(unsigned,
                                                            MappedMode mode) {
  if (mode.dim == getType().getRank() - 1)
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::mapped(mode)};
}
