//===- Verify.cpp - What a level of IR guarantees -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks between passes what no single op can check of itself, so that a broken
// program is reported where it breaks and not by whatever reads it later.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainOps.h"

namespace accrue::train {
#define GEN_PASS_DEF_VERIFY
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

/// Every argument has at most one new value, of its own type; one result is
/// the loss.
static LogicalResult verifyResults(func::FuncOp function) {
  SmallVector<std::optional<unsigned>> updatedBy(function.getNumArguments());
  unsigned losses = 0;
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i) {
    auto kind = function.getResultAttrOfType<ResultKindAttr>(i, attrs::kResult);
    auto updates =
        function.getResultAttrOfType<IntegerAttr>(i, attrs::kUpdates);
    if (!kind && !updates)
      return function.emitError("expected result ")
             << i << " to have the attribute '" << attrs::kResult << "' or '"
             << attrs::kUpdates << "'";
    losses += kind && kind.getValue() == ResultKind::loss;
    if (!updates)
      continue;
    std::optional<unsigned> &other = updatedBy[updates.getInt()];
    if (other)
      return function.emitError("expected one new value of argument ")
             << updates.getInt() << ", got results " << *other << " and " << i;
    other = i;
    Type type = function.getArgumentTypes()[updates.getInt()];
    if (function.getResultTypes()[i] != type)
      return function.emitError("expected result ")
             << i << " to have the type " << type << " of argument "
             << updates.getInt() << " that it updates, got "
             << function.getResultTypes()[i];
  }
  if (losses != 1)
    return function.emitError("expected one result that is the loss, got ")
           << losses;
  return success();
}

static bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || tensor.hasStaticShape();
}

/// No type below `op` depends on a symbolic batch.
static LogicalResult verifyStatic(Operation *op) {
  for (Type type : op->getResultTypes())
    if (!isStatic(type))
      return op->emitOpError("expected static types after accumulation, got ")
             << type;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        if (!isStatic(argument.getType()))
          return emitError(argument.getLoc())
                 << "expected static types after accumulation, got "
                 << argument.getType();
  return success();
}

namespace {
struct Verify : train::impl::VerifyBase<Verify> {
  using VerifyBase::VerifyBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr(attrs::kModel) && !function->hasAttr(attrs::kStep))
      return;
    if (failed(verifyResults(function)))
      return signalPassFailure();
    WalkResult result = function.walk([&](Operation *op) -> WalkResult {
      if (isa<GradientOp>(op))
        return op->emitOpError("expected none after differentiation");
      if (level == VerifyLevel::Accumulated) {
        if (isa<AccumulateOp>(op) && op->getParentOfType<AccumulateOp>())
          return op->emitOpError("expected no loop over samples in another");
        return verifyStatic(op);
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
