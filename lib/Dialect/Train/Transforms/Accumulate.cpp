//===- Accumulate.cpp - Split a step into micro-batches -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts the batch, plans how the step visits it, and builds the plan. The
// analysis has the proof.
//
//===----------------------------------------------------------------------===//

#include "MaterializePlan.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"

namespace accrue::train {
#define GEN_PASS_DEF_ACCUMULATE
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

/// Drops the new values of declared state, and what only they need.
static void dropUpdates(FunctionOpInterface function) {
  Operation *terminator = function.getFunctionBody().front().getTerminator();
  llvm::BitVector dropped(function.getNumResults());
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (function.getResultAttr(i, attrs::kUpdates))
      dropped.set(i);
  if (dropped.none())
    return;
  terminator->eraseOperands(dropped);
  (void)function.eraseResults(dropped);
  function->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

namespace {
struct AccumulatePass : public train::impl::AccumulateBase<AccumulatePass> {
  using AccumulateBase::AccumulateBase;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal() ||
        (!function->hasAttr(attrs::kModel) && !function->hasAttr(attrs::kStep)))
      return;
    if (failed(accumulateFunction(function)))
      signalPassFailure();
  }

  LogicalResult accumulateFunction(FunctionOpInterface function) {
    int64_t size = batch;
    if (size == 0)
      if (auto attr = function->getAttrOfType<IntegerAttr>(attrs::kBatch))
        size = attr.getInt();
    if (size == 0)
      return function.emitError("expected a batch: neither the option 'batch' "
                                "nor the attribute 'train.batch' is given");
    // It would read the finished loss, behind the loop, and so have no value.
    GradientOp gradient;
    function.walk([&](GradientOp op) { gradient = op; });
    if (gradient)
      return gradient.emitOpError("expected none before accumulation: expand "
                                  "it by train-differentiate first");
    if (function->hasAttr(attrs::kModel))
      dropUpdates(function);
    std::string error;
    auto spans = cutBatch(size, microBatch, accumulate, error);
    if (failed(spans))
      return function.emitError(error);
    auto cutInGroups = [&](int64_t group) {
      return cutBatch(size, microBatch, accumulate, error, group);
    };
    BatchPlanOptions options;
    options.analysis.acceptsGroup = [&](int64_t group) {
      return succeeded(cutInGroups(group));
    };
    options.analysis.batch = size;
    options.coupled = coupled;
    options.gatherLimit = gatherLimit;
    options.rewrites = rewrites;
    options.analysis.isSplit = spans->size() > 1 || spans->front().count > 1;
    options.analysis.microStatistics = batchNorm == BatchNorm::Micro;
    options.analysis.fold = fold;
    options.analysis.sink = sink;
    if (!plantFault.empty()) {
      std::optional<AnalysisFault> fault = parseAnalysisFault(plantFault);
      if (!fault)
        return function.emitError("unknown fault '") << plantFault << "'";
      options.analysis.fault = *fault;
    }
    FailureOr<BatchPlan> plan = planBatch(function, options);
    if (failed(plan))
      return failure();
    // Where groups do not fit, the ones they split are named below.
    if (auto groups = cutInGroups(plan->sampleGroup); succeeded(groups))
      spans = std::move(groups);
    function->setAttr(
        attrs::kBatch,
        IntegerAttr::get(IntegerType::get(&getContext(), 64), size));
    if (function->hasAttr(attrs::kModel))
      function->setAttr(
          attrs::kProgram,
          ProgramKindAttr::get(&getContext(), ProgramKind::evaluation));
    MaterializeOptions materialize;
    materialize.omitWeights = omitWeights;
    materialize.fault = options.analysis.fault;
    if (materialize.fault == AnalysisFault::DropTail && spans->size() > 1)
      spans->pop_back();
    return materializePlan(function, *plan, *spans, size, materialize);
  }
};
} // namespace
