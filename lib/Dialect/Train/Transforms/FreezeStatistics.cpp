//===- FreezeStatistics.cpp - Train with running statistics ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value that is statistics of samples in training and a function of state in
// evaluation (batch norm) takes the latter in training too, and the state
// stays.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/BatchOpInterface.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"

namespace accrue::train {
#define GEN_PASS_DEF_FREEZESTATISTICS
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

/// The state of a value whose first extent that depends on the batch enumerates
/// samples.
static BatchState getState(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [dim, extent] : llvm::enumerate(nn::getExtents(type)))
    if (extent.getPower() == 1)
      return BatchState::mapped(
          {static_cast<int64_t>(dim), 1, extent.getNum(), extent.getDen()});
  return BatchState::once();
}

/// Whether `value` is computed from statistics over samples which micro-batches
/// could have too.
static bool takesStatistics(Value value) {
  auto op = value.getDefiningOp<BatchOpInterface>();
  if (!op)
    return false;
  SmallVector<BatchState> states =
      llvm::map_to_vector(op->getOperands(), getState);
  if (llvm::none_of(states, [](BatchState s) { return s.isMapped(); }) ||
      !op.inferMicroBatchRule(states))
    return false;
  std::string reason;
  FailureOr<BatchRule> rule = op.inferBatchRule(states, reason);
  return failed(rule) ||
         llvm::all_of(rule->results, [](BatchState s) { return s.isOnce(); });
}

/// "layer1.0.bn1." of "layer1.0.bn1.running_mean".
static StringRef getScope(StringRef name) {
  return name.take_front(name.rfind('.') + 1);
}

namespace {
struct FreezeStatistics
    : public train::impl::FreezeStatisticsBase<FreezeStatistics> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr(attrs::kModel))
      return;
    function.walk([&](nn::WhenTrainingOp op) {
      if (!takesStatistics(op.getTraining()))
        return;
      collectState(op.getEvaluation(), op.getTraining().getDefiningOp());
      op.replaceAllUsesWith(op.getEvaluation());
    });
    if (scopes.empty())
      return markAllAnalysesPreserved();
    keepState();
    function->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }

  /// The scopes of state that `value` reads, but not through what `statistics`
  /// reads: the normalized values.
  void collectState(Value value, Operation *statistics) {
    func::FuncOp function = getOperation();
    llvm::SmallPtrSet<void *, 16> seen;
    for (Value normalized : statistics->getOperands())
      seen.insert(normalized.getAsOpaquePointer());
    SmallVector<Value> worklist = {value};
    while (!worklist.empty()) {
      Value next = worklist.pop_back_val();
      if (!seen.insert(next.getAsOpaquePointer()).second)
        continue;
      if (auto argument = dyn_cast<BlockArgument>(next)) {
        auto role = function.getArgAttrOfType<RoleAttr>(argument.getArgNumber(),
                                                        attrs::kRole);
        auto name = function.getArgAttrOfType<StringAttr>(
            argument.getArgNumber(), attrs::kName);
        if (role && role.getValue() == Role::state && name)
          scopes.insert(getScope(name));
        continue;
      }
      Operation *op = next.getDefiningOp();
      for (Value operand : op->getOperands())
        worklist.push_back(operand);
    }
  }

  /// State of the scopes keeps its value.
  void keepState() {
    func::FuncOp function = getOperation();
    auto returns = cast<func::ReturnOp>(function.front().getTerminator());
    for (OpOperand &operand : returns->getOpOperands()) {
      auto updates = function.getResultAttrOfType<IntegerAttr>(
          operand.getOperandNumber(), attrs::kUpdates);
      if (!updates)
        continue;
      auto name =
          function.getArgAttrOfType<StringAttr>(updates.getInt(), attrs::kName);
      if (name && scopes.contains(getScope(name)))
        operand.set(function.getArgument(updates.getInt()));
    }
  }

  llvm::StringSet<> scopes;
};
} // namespace
