//===- ChoosePlan.cpp - The plan that a step is visited by ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step of several loops can be visited in different ways, all of them equal:
// with its factors hoisted or not, similarities sliced along one sample
// dimension or the other, crossings stored or computed again. The cheapest is
// taken.
//
//===----------------------------------------------------------------------===//

#include "HoistFactors.h"
#include "PlanCosts.h"
#include "accrue/Analysis/Phases.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/SplittableOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace accrue;

//===----------------------------------------------------------------------===//
// Formulas that mix samples
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

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// To spare less than this share of the full batch is no reason to rewrite a
/// step.
static constexpr double kNoticeableWork = 0.05;

namespace {
/// One way to visit the batch.
struct Candidate {
  BatchPlan plan;
  PhasePrice price;
  /// What the plan is of.
  FunctionOpInterface function;
};
} // namespace

/// Places the loops of `plan` and stores what `coupled` says.
static void chooseCrossings(BatchPlan &plan, const BatchPlanOptions &options) {
  int64_t batch = options.analysis.batch;
  placeLoops(plan, batch);
  readGathered(plan, batch);
  bool recomputes = options.coupled == Coupled::Recompute ||
                    options.coupled == Coupled::Error ||
                    (options.coupled == Coupled::Auto &&
                     getPrice(plan, batch).work <= kAutomaticWork);
  if (!recomputes)
    storeCrossings(plan, batch);
}

/// Whether `coupled` accepts a plan of this price.
static bool isAccepted(const PhasePrice &price, Coupled coupled) {
  if (coupled == Coupled::Error)
    return price.loops <= 1;
  return coupled != Coupled::Auto || price.work <= kAutomaticWork;
}

/// Whether `a` is better than the plainer `b`: of cheap ones that which holds
/// less, else that of less work.
static bool isBetter(const PhasePrice &a, const PhasePrice &b,
                     Coupled coupled) {
  if (isAccepted(a, coupled) != isAccepted(b, coupled))
    return isAccepted(a, coupled);
  bool isCheap = a.work <= kAutomaticWork;
  if (isCheap != (b.work <= kAutomaticWork))
    return isCheap;
  if (isCheap && a.bytes != b.bytes)
    return a.bytes < b.bytes;
  return a.work < b.work - kNoticeableWork;
}

/// A copy of `function` with factors hoisted out of `sums`; null if there are
/// none.
static OwningOpRef<FunctionOpInterface>
hoist(FunctionOpInterface function, const BatchAnalysisOptions &options,
      SmallVectorImpl<Operation *> &sums) {
  OwningOpRef<FunctionOpInterface> copy(
      cast<FunctionOpInterface>(function->clone()));
  if (FailureOr<BatchPlan> plan = analyzeBatch(*copy, options); succeeded(plan))
    llvm::append_range(sums, hoistFactors(*copy, plan->partialSums));
  return sums.empty() ? nullptr : std::move(copy);
}

/// The best plan for `function`, which becomes what it is a plan of.
static FailureOr<Candidate> choosePlan(FunctionOpInterface function,
                                       const BatchPlanOptions &options) {
  FailureOr<BatchPlan> plan = analyzeExpanded(function, options.analysis);
  if (failed(plan))
    return failure();
  if (plan->loops <= 1) {
    PhasePrice price;
    price.loops = plan->loops;
    placeLoops(*plan, options.analysis.batch);
    return Candidate{std::move(*plan), price, function};
  }
  OwningOpRef<FunctionOpInterface> hoisted;
  SmallVector<Operation *> sums;
  if (options.rewrites != Rewrites::Never)
    hoisted = hoist(function, options.analysis, sums);
  std::optional<Candidate> best;
  double fullFlops = 0;
  auto consider = [&](FunctionOpInterface planned, BatchPlan plan) {
    plan.fullFlops = fullFlops;
    chooseCrossings(plan, options);
    PhasePrice price = getPrice(plan, options.analysis.batch);
    if (!best && price.work > 0)
      fullFlops = price.flops / price.work;
    if (!best || options.rewrites == Rewrites::Always ||
        isBetter(price, best->price, options.coupled))
      best = Candidate{std::move(plan), price, planned};
  };
  BatchAnalysisOptions swapping = options.analysis;
  swapping.swapSampleDims = true;
  auto considerSwapped = [&](FunctionOpInterface planned) {
    FailureOr<BatchPlan> swapped = analyzeBatch(planned, swapping);
    if (succeeded(swapped) && swapped->swapsSampleDims)
      consider(planned, std::move(*swapped));
  };
  consider(function, std::move(*plan));
  if (options.rewrites != Rewrites::Never)
    considerSwapped(function);
  if (hoisted) {
    if (FailureOr<BatchPlan> plan = analyzeBatch(*hoisted, options.analysis);
        succeeded(plan))
      consider(*hoisted, std::move(*plan));
    considerSwapped(*hoisted);
  }
  if (best->function != function) {
    best->plan.hoisted = std::move(sums);
    function.getFunctionBody().takeBody(best->function.getFunctionBody());
  }
  return std::move(*best);
}

SmallVector<PricedCrossings>
accrue::priceCrossings(FunctionOpInterface function,
                       const BatchPlanOptions &options) {
  SmallVector<PricedCrossings> prices;
  for (Coupled coupled : {Coupled::Store, Coupled::Recompute}) {
    OwningOpRef<FunctionOpInterface> copy(
        cast<FunctionOpInterface>(function->clone()));
    BatchPlanOptions crossing = options;
    crossing.coupled = coupled;
    if (FailureOr<Candidate> chosen = choosePlan(*copy, crossing);
        succeeded(chosen))
      prices.push_back({coupled, chosen->price});
  }
  return prices;
}

/// The plan of `planBatch`, whatever it gathers.
static FailureOr<BatchPlan> planUnlimited(FunctionOpInterface function,
                                          const BatchPlanOptions &options) {
  FailureOr<BatchPlan> plan = analyzeBatch(function, options.analysis);
  // One micro-batch computes everything in its one visit.
  if (failed(plan) || !options.analysis.isSplit)
    return plan;
  if (plan->loops <= 1 && getMixingFormulas(*plan).empty()) {
    placeLoops(*plan, options.analysis.batch);
    return plan;
  }
  // A refusal names the ops of the model.
  OwningOpRef<FunctionOpInterface> original(
      cast<FunctionOpInterface>(function->clone()));
  FailureOr<Candidate> chosen = choosePlan(function, options);
  if (failed(chosen))
    return failure();
  if (isAccepted(chosen->price, options.coupled))
    return std::move(chosen->plan);
  plan = analyzeBatch(*original, options.analysis);
  if (succeeded(plan))
    emitCoupled(*original, *plan, options,
                options.coupled == Coupled::Error ? 0 : kAutomaticWork);
  return failure();
}

FailureOr<BatchPlan> accrue::planBatch(FunctionOpInterface function,
                                       const BatchPlanOptions &options) {
  FailureOr<BatchPlan> plan = planUnlimited(function, options);
  if (succeeded(plan) && failed(limitGathered(*plan, options)))
    return failure();
  return plan;
}
