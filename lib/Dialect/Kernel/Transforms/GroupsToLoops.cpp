//===- GroupsToLoops.cpp - Bodies of groups as loops ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the linalg body of every group by the loops of its schedule; the
// work is done by `ElementEvaluator`.
//
//===----------------------------------------------------------------------===//

#include "ElementEvaluator.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace accrue::kernel {
#define GEN_PASS_DEF_GROUPSTOLOOPS
#include "accrue/Dialect/Kernel/Passes.h.inc"
} // namespace accrue::kernel

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

/// Whether the group touches all its tensors at one and the same place, so
/// that their shape does not matter.
static bool canFlatten(GroupOp group) {
  ArrayRef<int64_t> shape;
  auto fits = [&](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || shaped.getRank() == 0)
      return true;
    if (shape.empty())
      shape = shaped.getShape();
    return shaped.getShape() == shape;
  };
  if (group.getSchedule() != Schedule::elementwise ||
      !llvm::all_of(group.getOperandTypes(), fits) || shape.size() < 2)
    return false;
  WalkResult result = group.getBody().walk([&](Operation *op) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      for (AffineMap map : generic.getIndexingMapsArray())
        if (!map.isIdentity() && map.getNumResults() != 0)
          return WalkResult::interrupt();
      if (generic.getNumReductionLoops() != 0)
        return WalkResult::interrupt();
    }
    if (isa<linalg::IndexOp, tensor::ExtractOp, tensor::ExtractSliceOp,
            tensor::CollapseShapeOp, tensor::ExpandShapeOp,
            tensor::InsertSliceOp>(op) ||
        !llvm::all_of(op->getResultTypes(), fits))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// What is computed for `value`, which a body yields: where it is a slice
/// inserted into the old value, the slice.
static Value getComputed(Value value) {
  if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>())
    return insert.getSource();
  return value;
}

/// The shape that the outer loop enumerates: of the results of reductions, of
/// everything where there are none. Ops that sum over a window or a line for
/// each element have results of the size of the domain, not of the reductions.
static ArrayRef<int64_t> getOuterShape(GroupOp group) {
  auto yield = cast<YieldOp>(group.getBody().front().getTerminator());
  std::optional<ArrayRef<int64_t>> outer;
  if (group.getSchedule() != Schedule::elementwise)
    for (auto generic : group.getBody().front().getOps<linalg::GenericOp>()) {
      auto shape = cast<ShapedType>(generic.getResult(0).getType()).getShape();
      if (generic.getNumReductionLoops() != 0 &&
          (!outer || shape.size() < outer->size()))
        outer = shape;
    }
  if (outer)
    return *outer;
  return cast<ShapedType>(getComputed(yield.getValues()[0]).getType())
      .getShape();
}

/// `memref` with its dimensions collapsed, before `group`.
static Value flatten(OpBuilder &builder, Location loc, Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type || type.getRank() < 2)
    return memref;
  ReassociationIndices all(
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  return memref::CollapseShapeOp::create(builder, loc, memref,
                                         ArrayRef<ReassociationIndices>{all});
}

static LogicalResult convert(GroupOp group) {
  Block &oldBody = group.getBody().front();
  auto yield = cast<YieldOp>(oldBody.getTerminator());
  Location loc = group.getLoc();
  OpBuilder builder(group);
  if (llvm::any_of(group.getOperandTypes(),
                   [](Type type) { return isa<TensorType>(type); }))
    return group.emitOpError("expected buffers; run 'bufferize-kernels' first");

  for (auto [value, argument] :
       llvm::zip_equal(yield.getValues(), group.getOutArguments()))
    if (auto insert = value.getDefiningOp<tensor::InsertSliceOp>())
      if (insert.getDest() != argument || !insert.hasUnitStride() ||
          insert.getSourceType().getRank() != insert.getType().getRank())
        return insert.emitError("expected a slice of unit strides that is "
                                "inserted into the destination");

  SmallVector<int64_t> outer(getOuterShape(group));
  bool flat = canFlatten(group);
  if (flat) {
    for (OpOperand &operand : group->getOpOperands())
      operand.set(flatten(builder, loc, operand.get()));
    outer = {ShapedType::getNumElements(outer)};
  }

  Block *body = new Block();
  group.getBody().push_back(body);
  for (Value operand : group.getOperands())
    body->addArgument(operand.getType(), operand.getLoc());
  builder.setInsertionPointToStart(body);
  YieldOp::create(builder, loc, ValueRange{});

  ElementEvaluator evaluator(oldBody, *body, flat);
  if (!outer.empty())
    evaluator.enterParallel(loc, outer);
  SmallVector<Value> rows(evaluator.getIndices());

  // Values with one element per iteration of the outer loop, then those with
  // elements along it; all are read before the first is written.
  auto store = [&](ArrayRef<unsigned> results, ArrayRef<Value> indices) {
    SmallVector<Value> scalars;
    for (unsigned result : results) {
      Value scalar =
          evaluator.evaluate(getComputed(yield.getValues()[result]), indices);
      if (!scalar)
        return failure();
      scalars.push_back(scalar);
    }
    for (auto [result, scalar] : llvm::zip_equal(results, scalars)) {
      SmallVector<Value> at(indices);
      // Next to a slice, the destination stays as it is.
      if (auto insert =
              yield.getValues()[result].getDefiningOp<tensor::InsertSliceOp>())
        at = evaluator.shift(loc, indices, insert.getMixedOffsets());
      evaluator.store(loc, scalar,
                      body->getArgument(group.getInputs().size() + result), at);
    }
    return success();
  };
  SmallVector<unsigned> perRow;
  SmallVector<std::pair<SmallVector<int64_t>, SmallVector<unsigned>>> along;
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    ArrayRef<int64_t> shape =
        cast<ShapedType>(getComputed(value).getType()).getShape();
    if (flat || shape.size() == outer.size()) {
      perRow.push_back(i);
      continue;
    }
    ArrayRef<int64_t> inner = shape.drop_front(outer.size());
    auto it = llvm::find_if(
        along, [&](const auto &entry) { return entry.first == inner; });
    if (it == along.end()) {
      along.emplace_back(SmallVector<int64_t>(inner), SmallVector<unsigned>());
      it = std::prev(along.end());
    }
    it->second.push_back(i);
  }
  if (failed(store(perRow, rows)))
    return failure();
  for (auto &[inner, results] : along) {
    evaluator.enterParallel(loc, inner);
    if (failed(store(results, evaluator.getIndices())))
      return failure();
    evaluator.leaveParallel();
  }
  oldBody.erase();
  return success();
}

namespace {
struct GroupsToLoopsPass
    : public kernel::impl::GroupsToLoopsBase<GroupsToLoopsPass> {
  using GroupsToLoopsBase::GroupsToLoopsBase;

  void runOnOperation() override {
    SmallVector<GroupOp> groups;
    getOperation().walk([&](GroupOp group) { groups.push_back(group); });
    for (GroupOp group : groups)
      if (failed(convert(group)))
        return signalPassFailure();
  }
};
} // namespace
