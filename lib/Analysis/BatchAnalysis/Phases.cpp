//===- Phases.cpp - Loops over the batch, and what crosses them -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Phases.h"
#include "PlanCosts.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/SplittableOpInterface.h"
#include "fmt/format.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/io/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace accrue;

const StoredValue *accrue::findStored(const BatchPlan &plan, PlanValue value,
                                      unsigned loop) {
  for (const StoredValue &stored : plan.stored)
    if (stored.value == value && stored.whole->loop < loop)
      return &stored;
  return nullptr;
}

llvm::BitVector accrue::getLoopBody(const BatchPlan &plan, unsigned loop) {
  llvm::BitVector body(plan.graph.getNodes().size());
  SmallVector<PlanNode *> worklist;
  auto push = [&](PlanValue value) {
    if (const StoredValue *stored = findStored(plan, value, loop))
      body.set(stored->slice->id);
    else if (value.node->perMicroBatch && !body.test(value.node->id)) {
      body.set(value.node->id);
      worklist.push_back(value.node);
    }
  };
  for (PlanNode *accumulator : plan.accumulators)
    if (accumulator->loop == loop)
      push(accumulator->operands.front());
  while (!worklist.empty())
    for (PlanValue operand : worklist.pop_back_val()->operands)
      push(operand);
  return body;
}

//===----------------------------------------------------------------------===//
// Price
//===----------------------------------------------------------------------===//

PhasePrice accrue::getPrice(const BatchPlan &plan, int64_t batch) {
  PhasePrice price;
  price.loops = plan.loops;
  double once = 0, full = 0, visited = 0, bytes = 0;
  llvm::BitVector anywhere(plan.graph.getNodes().size());
  for (unsigned loop = 0; loop < plan.loops; ++loop) {
    llvm::BitVector body = getLoopBody(plan, loop);
    for (const PlanNode *node : plan.needed)
      if (body.test(node->id))
        visited += getFlops(*node, batch);
    anywhere |= body;
  }
  for (const PlanNode *node : plan.needed) {
    if (node->perMicroBatch) {
      if (anywhere.test(node->id))
        full += getFlops(*node, batch);
      continue;
    }
    once += getFlops(*node, batch);
    bool isResult = llvm::any_of(
        plan.results, [&](PlanValue value) { return value.node == node; });
    bool isGathered = node->kind == PlanNode::Kind::Accumulator &&
                      node->reducer == ReducerKind::Concat;
    bool isComputed = node->kind == PlanNode::Kind::Op && node->level > 0 &&
                      getFlops(*node, batch) > 0;
    if (!isResult && (isGathered || isComputed))
      for (RankedTensorType type : node->types)
        if (getBatchPower(type) > 0)
          bytes += countBytes(type, batch);
  }
  if (full + once > 0)
    price.work = (visited + once) / (full + once);
  price.bytes = std::llround(bytes);
  return price;
}

std::string accrue::describePrice(const PhasePrice &price) {
  return fmt::format(
      "{} loops over the batch, {:.2f} x the work of one, {} B held for the "
      "whole batch",
      price.loops, price.work, io::groupDigits(price.bytes));
}

//===----------------------------------------------------------------------===//
// The decision
//===----------------------------------------------------------------------===//

/// Ops of `plan` that mix samples and are formulas of others, which may split.
static SmallVector<Operation *> getMixingFormulas(const BatchPlan &plan) {
  SmallVector<Operation *> ops;
  for (Operation *op : plan.whole)
    if (isa<SplittableOpInterface>(op) && !llvm::is_contained(ops, op))
      ops.push_back(op);
  return ops;
}

namespace {
/// Pins what is built for a pinned op: it is computed again for the backward
/// pass.
struct PinKeeper : OpBuilder::Listener {
  explicit PinKeeper(Operation *formula)
      : pin(formula->getDiscardableAttr(train::attrs::kRecompute)) {}

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (pin)
      op->setDiscardableAttr(train::attrs::kRecompute, pin);
  }

  Attribute pin;
};
} // namespace

/// Replaces `ops` by what they are formulas of.
static LogicalResult expandFormulas(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    PinKeeper keeper(op);
    OpBuilder builder(op, &keeper);
    SmallVector<Value> results;
    if (failed(
            cast<SplittableOpInterface>(op).buildSplittable(builder, results)))
      return failure();
    op->replaceAllUsesWith(results);
    op->erase();
  }
  return success();
}

/// Analyses `function` with every formula expanded that mixes samples.
static FailureOr<BatchPlan>
analyzeExpanded(FunctionOpInterface function,
                const BatchAnalysisOptions &options) {
  while (true) {
    FailureOr<BatchPlan> plan = analyzeBatch(function, options);
    if (failed(plan))
      return failure();
    SmallVector<Operation *> formulas = getMixingFormulas(*plan);
    if (formulas.empty())
      return plan;
    if (failed(expandFormulas(formulas)))
      return failure();
  }
}

SmallVector<PricedCrossings>
accrue::priceCrossings(FunctionOpInterface function,
                       const BatchPlanOptions &options) {
  OwningOpRef<FunctionOpInterface> copy(
      cast<FunctionOpInterface>(function->clone()));
  SmallVector<PricedCrossings> prices;
  FailureOr<BatchPlan> plan = analyzeExpanded(*copy, options.analysis);
  if (failed(plan))
    return prices;
  placeLoops(*plan, options.analysis.batch);
  PhasePrice recompute = getPrice(*plan, options.analysis.batch);
  storeCrossings(*plan, options.analysis.batch);
  prices.push_back({Coupled::Store, getPrice(*plan, options.analysis.batch)});
  prices.push_back({Coupled::Recompute, recompute});
  return prices;
}

/// Places the loops of `plan` and stores what `coupled` says. Fails, without an
/// error, where it refuses.
static LogicalResult chooseCrossings(BatchPlan &plan,
                                     const BatchPlanOptions &options) {
  placeLoops(plan, options.analysis.batch);
  bool isAuto = options.coupled == Coupled::Auto;
  auto isAccepted = [&] {
    return getPrice(plan, options.analysis.batch).work <= kAutomaticWork;
  };
  if (plan.loops <= 1 || options.coupled == Coupled::Recompute ||
      (isAuto && isAccepted()))
    return success();
  storeCrossings(plan, options.analysis.batch);
  return success(!isAuto || isAccepted());
}

/// The plan of `planBatch`, whatever it gathers.
static FailureOr<BatchPlan> choosePlan(FunctionOpInterface function,
                                       const BatchPlanOptions &options) {
  FailureOr<BatchPlan> plan = analyzeBatch(function, options.analysis);
  // One micro-batch computes everything in its one visit.
  if (failed(plan) || !options.analysis.isSplit)
    return plan;
  if (options.coupled == Coupled::Error) {
    if (plan->loops <= 1)
      return plan;
    emitCoupled(function, *plan, options, /*limit=*/0);
    return failure();
  }
  // A refusal names the ops of the model.
  OwningOpRef<FunctionOpInterface> original;
  SmallVector<Operation *> formulas = getMixingFormulas(*plan);
  if (!formulas.empty()) {
    if (options.coupled == Coupled::Auto)
      original = cast<FunctionOpInterface>(function->clone());
    if (failed(expandFormulas(formulas)))
      return failure();
    plan = analyzeExpanded(function, options.analysis);
    if (failed(plan))
      return failure();
  }
  if (succeeded(chooseCrossings(*plan, options)))
    return plan;
  if (!original) {
    emitCoupled(function, *plan, options, kAutomaticWork);
    return failure();
  }
  plan = analyzeBatch(*original, options.analysis);
  if (succeeded(plan))
    emitCoupled(*original, *plan, options, kAutomaticWork);
  return failure();
}

FailureOr<BatchPlan> accrue::planBatch(FunctionOpInterface function,
                                       const BatchPlanOptions &options) {
  FailureOr<BatchPlan> plan = choosePlan(function, options);
  if (succeeded(plan) && failed(limitGathered(*plan, options)))
    return failure();
  return plan;
}
