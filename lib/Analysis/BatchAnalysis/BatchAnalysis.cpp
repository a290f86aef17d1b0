//===- BatchAnalysis.cpp - Proof that a step splits along the batch -------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the analyzer with the numbering of samples that the ops of the step
// need, twice: what is finished anyway is known in the second run.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/BatchAnalysis.h"
#include "Analyzer.h"
#include "llvm/ADT/StringSwitch.h"
#include <numeric>

using namespace mlir;
using namespace accrue;

/// More runs of samples than any layout that is written on purpose.
static constexpr int64_t kMaxRuns = 4096;

std::optional<AnalysisFault> accrue::parseAnalysisFault(StringRef name) {
  using Fault = AnalysisFault;
  return llvm::StringSwitch<std::optional<Fault>>(name)
      .Case("local-divisor", Fault::LocalDivisor)
      .Case("mean-of-means", Fault::MeanOfMeans)
      .Case("moments-without-means", Fault::MomentsWithoutMeans)
      .Case("equal-shares", Fault::EqualShares)
      .Case("offset-per-micro-batch", Fault::OffsetPerMicroBatch)
      .Case("mode-by-dimension", Fault::ModeByDimension)
      .Case("local-indices", Fault::LocalIndices)
      .Case("last-contribution", Fault::LastContribution)
      .Case("last-maximum", Fault::LastMaximum)
      .Case("everything-linear", Fault::EverythingLinear)
      .Case("term-in-contribution", Fault::TermInContribution)
      .Case("max-as-sum", Fault::MaxAsSum)
      .Case("keep-sign", Fault::KeepSign)
      .Case("outer-as-inner", Fault::OuterAsInner)
      .Case("drop-tail", Fault::DropTail)
      .Default(std::nullopt);
}

/// Marks what the results need and reads loops and groups off it.
static void collectNeeded(BatchPlan &plan, const Analyzer &analyzer) {
  DenseSet<PlanNode *> seen;
  SmallVector<PlanNode *> worklist;
  auto push = [&](PlanNode *node) {
    if (seen.insert(node).second)
      worklist.push_back(node);
  };
  for (PlanValue value : plan.results)
    push(value.node);
  while (!worklist.empty())
    for (PlanValue operand : worklist.pop_back_val()->operands)
      push(operand.node);
  for (const std::unique_ptr<PlanNode> &owned : plan.graph.getNodes()) {
    PlanNode *node = owned.get();
    if (!seen.contains(node))
      continue;
    plan.needed.push_back(node);
    if (node->kind == PlanNode::Kind::Op && node->perMicroBatch &&
        analyzer.getMicroStatistics().contains(node->op))
      plan.microStatistics.push_back(node->op);
    if (node->kind == PlanNode::Kind::Op && !node->perMicroBatch &&
        analyzer.getWhole().contains(node->op))
      plan.whole.push_back(node->op);
    if (node->kind == PlanNode::Kind::Accumulator) {
      plan.accumulators.push_back(node);
      plan.loops = std::max(plan.loops, node->level);
    }
    for (const std::optional<MappedMode> &mode : node->modes) {
      if (!mode || plan.sampleGroup % mode->innerDenominator == 0)
        continue;
      plan.sampleGroup = std::lcm(plan.sampleGroup, mode->innerDenominator);
      plan.groupOp = node->op;
    }
  }
}

/// The plan with this numbering of samples. Where an op needs another one, sets
/// `requiredRuns` and fails without an error.
static FailureOr<BatchPlan>
analyzeEnumeration(FunctionOpInterface function,
                   const BatchAnalysisOptions &options, Enumeration enumeration,
                   std::optional<int64_t> &requiredRuns) {
  // The first run finds which sums are finished anyway, which lets the second
  // one move functions of them behind the loop.
  DenseSet<Value> finished;
  for (bool final : {false, true}) {
    BatchPlan plan;
    Analyzer analyzer(options, enumeration, plan.graph, finished);
    if (failed(analyzer.run(function, plan.results))) {
      requiredRuns = analyzer.getRequiredRuns();
      return failure();
    }
    if (final) {
      collectNeeded(plan, analyzer);
      plan.partialSums = analyzer.getPartialSums();
      llvm::append_range(plan.reordered, analyzer.getReordered());
      plan.swapsSampleDims = analyzer.hasSwapped();
      return plan;
    }
    finished = analyzer.getFinished();
  }
  llvm_unreachable("the second run returns");
}

/// Whether the batch can be cut between the groups of samples that `plan` keeps
/// together.
static bool fitsGroups(const BatchAnalysisOptions &options,
                       const BatchPlan &plan, Enumeration enumeration) {
  if (options.batch % plan.sampleGroup != 0)
    return false;
  // Groups that a model states are named in an error; others can be avoided.
  auto isAvoidable = [](const PlanNode *node) {
    return llvm::any_of(node->modes, [](const auto &mode) {
      return mode && makesGroups(*mode);
    });
  };
  return (enumeration.runs == 1 && llvm::none_of(plan.needed, isAvoidable)) ||
         !options.acceptsGroup || options.acceptsGroup(plan.sampleGroup);
}

FailureOr<BatchPlan> accrue::analyzeBatch(FunctionOpInterface function,
                                          const BatchAnalysisOptions &options) {
  if (!function.getFunctionBody().hasOneBlock())
    return function.emitError("expected one block");
  // Samples one after another; else in the runs that ops ask for; else ops that
  // nothing suits read whole operands.
  Enumeration enumeration;
  while (true) {
    std::optional<int64_t> runs;
    FailureOr<BatchPlan> plan =
        analyzeEnumeration(function, options, enumeration, runs);
    if (succeeded(plan) && options.isSplit && !enumeration.gathers &&
        !fitsGroups(options, *plan, enumeration)) {
      enumeration = {1, true};
      continue;
    }
    if (succeeded(plan) || !runs)
      return plan;
    bool isNew = *runs > enumeration.runs && *runs <= kMaxRuns;
    enumeration = isNew ? Enumeration{*runs, false} : Enumeration{1, true};
  }
}
