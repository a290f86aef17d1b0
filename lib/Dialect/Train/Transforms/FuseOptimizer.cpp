//===- FuseOptimizer.cpp - One update for all parameters ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges the updates of a block and their clipping into one op, which becomes
// one kernel over all parameters.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue::train {
#define GEN_PASS_DEF_FUSEOPTIMIZER
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

/// An error at `op`, with a note at `first`.
static LogicalResult refuse(Operation *op, Operation *first,
                            const Twine &message, const Twine &note) {
  InFlightDiagnostic error = op->emitError(message);
  error.attachNote(first->getLoc()) << note;
  return error;
}

/// Fails unless all of `updates` belong to one step.
static LogicalResult verifySameStep(ArrayRef<UpdateOp> updates) {
  UpdateOp first = updates.front();
  auto clip = first.getGradient().getDefiningOp<ClipOp>();
  for (UpdateOp update : updates.drop_front()) {
    StringRef differs;
    if (update.getCompleted() != first.getCompleted())
      differs = "counter of steps";
    else if (update.getFactor() != first.getFactor())
      differs = "factor";
    else if (update.getFinite() != first.getFinite())
      differs = "finite flag";
    else if (update.getGradient().getDefiningOp<ClipOp>() != clip)
      differs = "clipping";
    if (!differs.empty())
      return refuse(update, first,
                    "expected all updates of a step to have one " + differs,
                    "another update is here");
  }
  return success();
}

/// Fails unless the results of the clip are read by `updates` only.
static LogicalResult verifyClip(ClipOp clip, ArrayRef<UpdateOp> updates) {
  for (OpOperand &use : clip->getUses()) {
    auto update = dyn_cast<UpdateOp>(use.getOwner());
    if (!update || use.get() != update.getGradient() ||
        use.getOperandNumber() != 1)
      return refuse(clip, use.getOwner(),
                    "expected clipped gradients to be read by updates only",
                    "it is read here");
  }
  return success();
}

/// Fails where a result is read before the last update.
static LogicalResult verifyUses(ArrayRef<UpdateOp> updates) {
  UpdateOp last = updates.back();
  for (UpdateOp update : updates)
    for (Operation *user : update->getUsers()) {
      Operation *ancestor = last->getBlock()->findAncestorOpInBlock(*user);
      if (ancestor && !last->isBeforeInBlock(ancestor))
        return refuse(user, last,
                      "new value of 'train.update' is read before the last "
                      "update",
                      "the last update is here");
    }
  return success();
}

static LogicalResult fuse(ArrayRef<UpdateOp> updates) {
  UpdateOp last = updates.back();
  auto clip = last.getGradient().getDefiningOp<ClipOp>();
  if (failed(verifySameStep(updates)) ||
      (clip && failed(verifyClip(clip, updates))) ||
      failed(verifyUses(updates)))
    return failure();

  SmallVector<Value> params, gradients, slots, oldParams, oldSlots;
  SmallVector<Attribute> rules;
  SmallVector<Location> locations;
  for (UpdateOp update : updates) {
    params.push_back(update.getParam());
    Value gradient = update.getGradient();
    if (clip)
      gradient =
          clip.getGradients()[cast<OpResult>(gradient).getResultNumber()];
    gradients.push_back(gradient);
    llvm::append_range(slots, update.getSlots());
    oldParams.push_back(update.getNewParam());
    llvm::append_range(oldSlots, update.getNewSlots());
    rules.push_back(update.getRule());
    locations.push_back(update.getLoc());
  }
  SmallVector<Value> replaced(oldParams);
  llvm::append_range(replaced, oldSlots);

  OpBuilder builder(last);
  auto fused = FusedUpdateOp::create(
      builder, builder.getFusedLoc(locations), ValueRange(replaced).getTypes(),
      params, gradients, slots, last.getCompleted(), last.getFactor(),
      last.getFinite(), clip ? clip.getNorm() : Value(),
      clip ? clip.getMaxNormAttr() : FloatAttr(), builder.getArrayAttr(rules));
  for (auto [before, after] : llvm::zip_equal(replaced, fused.getResults()))
    before.replaceAllUsesWith(after);
  for (UpdateOp update : updates)
    update.erase();
  if (clip)
    clip.erase();
  return success();
}

/// The sum over one device is the gradient itself.
static void removeAllReduces(func::FuncOp function) {
  SmallVector<AllReduceOp> ops;
  function.walk([&](AllReduceOp op) { ops.push_back(op); });
  for (AllReduceOp op : ops) {
    op->replaceAllUsesWith(op.getGradients());
    op.erase();
  }
}

namespace {
struct FuseOptimizer : train::impl::FuseOptimizerBase<FuseOptimizer> {
  void runOnOperation() override {
    removeAllReduces(getOperation());
    WalkResult result = getOperation().walk([](Block *block) {
      auto updates = llvm::to_vector(block->getOps<UpdateOp>());
      if (!updates.empty() && failed(fuse(updates)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
