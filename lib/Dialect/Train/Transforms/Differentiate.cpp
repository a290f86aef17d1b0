//===- Differentiate.cpp - Reverse-mode differentiation -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands train.gradient by one walk over the block from the loss backwards.
// Every op says itself how it passes cotangents on; here they are only handed
// around and summed, in the order of the walk. A zero cotangent is a null value
// until something asks for it.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Activity.h"
#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue::train {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {
/// Marks every op that is built as part of the backward pass.
struct BackwardMarker : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    op->setDiscardableAttr(attrs::kBackward, UnitAttr::get(op->getContext()));
  }
};
} // namespace

/// What a user calls `value`: `parameter 'fc1.weight'` for a named argument of
/// a function, `value` otherwise.
static std::string describe(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto function =
            dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      if (auto name = function.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), attrs::kName))
        return ("parameter '" + name.getValue() + "'").str();
  return "value";
}

/// Fails unless the loss and everything differentiated by are values of the
/// gradient's own block: only its ops are walked.
static LogicalResult verifyBlock(GradientOp gradient) {
  Block *block = gradient->getBlock();
  auto check = [&](Value value, StringRef what) -> LogicalResult {
    if (value.getParentBlock() == block)
      return success();
    InFlightDiagnostic error = gradient.emitOpError("expected the ")
                               << what
                               << " to be defined in the block of the op";
    error.attachNote(value.getLoc()) << "the " << what << " is defined here";
    return error;
  };
  if (failed(check(gradient.getLoss(), "loss")))
    return failure();
  for (Value value : gradient.getWrt())
    if (failed(check(value, describe(value))))
      return failure();
  return success();
}

static LogicalResult refuse(Operation *op, const Activity &activity,
                            Value loss) {
  InFlightDiagnostic error = op->emitError() << "op '" << op->getName()
                                             << "' has no derivative";
  for (Value result : op->getResults())
    if (activity.isActive(result)) {
      Value source = activity.getSource(result);
      error.attachNote(source.getLoc())
          << "it depends on this " << describe(source);
      break;
    }
  error.attachNote(loss.getLoc()) << "and this loss depends on it";
  return error;
}

/// Replaces `gradient` by the ops that compute its results.
static LogicalResult expand(GradientOp gradient) {
  if (failed(verifyBlock(gradient)))
    return failure();
  Value loss = gradient.getLoss();
  Activity activity(loss, gradient.getWrt());
  BackwardMarker marker;
  OpBuilder builder(gradient, &marker);

  DenseMap<Value, Value> cotangents;
  if (activity.isActive(loss))
    cotangents[loss] = nn::createSplat(
        builder, loss.getLoc(), cast<RankedTensorType>(loss.getType()), 1.0);

  for (Operation *op = loss.getDefiningOp(); op; op = op->getPrevNode()) {
    if (!activity.isActive(op))
      continue;
    SmallVector<Value> resultCotangents;
    for (Value result : op->getResults())
      resultCotangents.push_back(cotangents.lookup(result));
    if (llvm::none_of(resultCotangents, [](Value value) { return value; }))
      continue;
    auto rule = dyn_cast<DifferentiableOpInterface>(op);
    if (!rule)
      return refuse(op, activity, loss);
    SmallVector<bool> wanted;
    for (OpOperand &operand : op->getOpOperands())
      wanted.push_back(activity.isActive(operand.get()) &&
                       !rule.isInactiveOperand(operand.getOperandNumber()));
    SmallVector<Value> operandCotangents(op->getNumOperands());
    if (failed(rule.buildVJP(builder, resultCotangents, wanted,
                             operandCotangents)))
      return failure();
    for (auto [operand, contribution] :
         llvm::zip_equal(op->getOperands(), operandCotangents)) {
      if (!contribution)
        continue;
      Value &sum = cotangents[operand];
      sum = sum ? nn::AddOp::create(builder, op->getLoc(), sum, contribution)
                : contribution;
    }
  }

  for (auto [value, result] :
       llvm::zip_equal(gradient.getWrt(), gradient.getGradients())) {
    Value cotangent = cotangents.lookup(value);
    if (!cotangent) {
      emitWarning(value.getLoc())
          << "the loss does not depend on " << describe(value)
          << ": its gradient is zero";
      cotangent = nn::createSplat(builder, value.getLoc(),
                                  cast<RankedTensorType>(value.getType()), 0.0);
    }
    result.replaceAllUsesWith(cotangent);
  }
  gradient.erase();
  return success();
}

namespace {
struct Differentiate : train::impl::DifferentiateBase<Differentiate> {
  void runOnOperation() override {
    SmallVector<GradientOp> gradients;
    getOperation().walk([&](GradientOp op) { gradients.push_back(op); });
    for (GradientOp gradient : gradients)
      if (failed(expand(gradient)))
        return signalPassFailure();
  }
};
} // namespace
