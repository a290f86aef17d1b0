//===- Diagnose.cpp - Why a step does not split ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnose.h"
#include "PlanCosts.h"
#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Analysis/Phases.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/CostOpInterface.h"
#include "fmt/format.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace accrue;

std::string accrue::describe(Value value) {
  if (Operation *op = value.getDefiningOp())
    return "'" + op->getName().getStringRef().str() + "'";
  auto argument = cast<BlockArgument>(value);
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  StringAttr name;
  if (function)
    name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                 train::attrs::kName);
  if (name)
    return "batch input '" + name.str() + "'";
  return "argument " + std::to_string(argument.getArgNumber());
}

bool accrue::isMovement(const PlanNode &node) {
  if (node.kind != PlanNode::Kind::Op || node.operands.size() != 1)
    return false;
  auto op = dyn_cast<CostOpInterface>(node.op);
  return op && op.getFlops(/*batch=*/1) == 0;
}

/// The accumulator that a value known once waits for: the last one in program
/// order, which is the one closest to the reader.
static PlanNode *findAccumulator(PlanNode *node) {
  SmallVector<PlanNode *> worklist = {node};
  DenseSet<PlanNode *> seen;
  PlanNode *found = nullptr;
  while (!worklist.empty()) {
    PlanNode *current = worklist.pop_back_val();
    if (!seen.insert(current).second || current->level == 0)
      continue;
    if (current->kind == PlanNode::Kind::Accumulator) {
      if (!found || current->id > found->id)
        found = current;
      continue;
    }
    for (PlanValue operand : current->operands)
      worklist.push_back(operand.node);
  }
  return found;
}

/// Whether `node` is a slice of an argument, or an argument that has samples.
static bool isInput(const PlanNode &node) {
  if (node.kind == PlanNode::Kind::Argument)
    return getBatchPower(node.types.front()) > 0;
  return node.kind == PlanNode::Kind::Slice && !node.op;
}

/// The shortest chain of nodes from a batch input to `node`.
static SmallVector<PlanNode *> findChainToInput(PlanNode *node,
                                                bool acrossLoops) {
  DenseMap<PlanNode *, PlanNode *> reader;
  SmallVector<PlanNode *> queue = {node};
  reader[node] = nullptr;
  for (size_t i = 0; i < queue.size(); ++i) {
    PlanNode *current = queue[i];
    if (isInput(*current)) {
      SmallVector<PlanNode *> chain;
      for (; current; current = reader[current])
        chain.push_back(current);
      return chain;
    }
    for (PlanValue operand : current->operands)
      if ((acrossLoops || operand.node->perMicroBatch) &&
          reader.try_emplace(operand.node, current).second)
        queue.push_back(operand.node);
  }
  return {};
}

void accrue::attachChainToInput(InFlightDiagnostic &error, PlanNode *node,
                                bool acrossLoops) {
  SmallVector<PlanNode *> chain = findChainToInput(node, acrossLoops);
  if (chain.empty())
    return;
  Diagnostic &note = error.attachNote(chain.front()->getLoc());
  note << "it depends on " << describe(chain.front()->source);
  StringRef separator = " through ";
  for (PlanNode *link : ArrayRef(chain).drop_front()) {
    if (link->kind != PlanNode::Kind::Op)
      continue;
    note << separator << describe(link->source);
    separator = ", ";
  }
}

/// The op that brings `node`, a repetition of a value of all samples, together
/// with values of single samples; `node` itself if it does so already.
static PlanNode *findMeeting(const BatchPlan &plan, PlanNode *node) {
  for (PlanNode *user : plan.needed) {
    if (!llvm::is_contained(user->operands, PlanValue{node, 0}) ||
        !user->perMicroBatch)
      continue;
    bool readsSamples = llvm::any_of(node->operands, [](PlanValue operand) {
      return operand.node->perMicroBatch;
    });
    return readsSamples ? node : findMeeting(plan, user);
  }
  return node;
}

/// The op that needs the whole of the values that `accumulator` puts side by
/// side: their first reader that does more than move them.
static PlanNode *findReader(const BatchPlan &plan, PlanNode *accumulator) {
  for (PlanNode *node : plan.needed) {
    if (node->kind != PlanNode::Kind::Op || node->perMicroBatch ||
        !llvm::is_contained(node->operands, PlanValue{accumulator, 0}))
      continue;
    PlanNode *reader = isMovement(*node) ? findReader(plan, node) : node;
    if (reader)
      return reader;
  }
  return nullptr;
}

/// The plan of `function` with statistics of micro-batches, without errors.
static FailureOr<BatchPlan>
analyzeMicroStatistics(FunctionOpInterface function) {
  ScopedDiagnosticHandler quiet(function->getContext(),
                                [](Diagnostic &) { return success(); });
  BatchAnalysisOptions options;
  options.microStatistics = true;
  return analyzeBatch(function, options);
}

bool accrue::hasMicroStatistics(FunctionOpInterface function) {
  FailureOr<BatchPlan> plan = analyzeMicroStatistics(function);
  return succeeded(plan) && !plan->microStatistics.empty();
}

/// The first part of the error, at the op that brings samples together.
static InFlightDiagnostic emitCoupling(const BatchPlan &plan, PlanNode *node,
                                       PlanNode *accumulator, int64_t batch) {
  // A function of all samples that is known before anything else reads it.
  PlanNode *reader = accumulator->reducer == ReducerKind::Concat
                         ? findReader(plan, accumulator)
                         : nullptr;
  PlanNode *place = reader ? reader : findMeeting(plan, node);
  InFlightDiagnostic error = emitError(place->getLoc());
  error << describe(place->source) << " couples samples: "
        << (reader ? "it reads " : "every sample reads ")
        << describe(accumulator->source) << " of all " << batch << " samples";
  return error;
}

/// The ways to an equal step, with their prices.
static void attachPrices(InFlightDiagnostic &error,
                         FunctionOpInterface function,
                         const BatchPlanOptions &options, double limit) {
  for (const PricedCrossings &way : priceCrossings(function, options)) {
    InFlightDiagnostic &diagnostic = error;
    Diagnostic &note = diagnostic.attachNote();
    note << "exact: --coupled "
         << (way.coupled == Coupled::Store ? "store" : "recompute") << ": "
         << describePrice(way.price);
    if (limit != 0 && way.price.work > limit)
      note << fmt::format(" (above the {:.2f} x that auto accepts)", limit);
  }
}

void accrue::emitCoupled(FunctionOpInterface function, const BatchPlan &plan,
                         const BatchPlanOptions &options, double limit) {
  int64_t batch = options.analysis.batch;
  for (PlanNode *node : plan.needed) {
    if (!node->perMicroBatch || node->level == 0)
      continue;
    PlanValue coupling;
    for (PlanValue operand : node->operands)
      if (!operand.node->perMicroBatch && operand.node->level > 0)
        coupling = operand;
    if (!coupling)
      continue;
    PlanNode *accumulator = findAccumulator(coupling.node);
    FailureOr<BatchPlan> micro = analyzeMicroStatistics(function);
    bool hasMicroForm = succeeded(micro) && micro->loops < plan.loops;
    InFlightDiagnostic error = emitCoupling(plan, node, accumulator, batch);
    error.attachNote(accumulator->getLoc())
        << describe(accumulator->source) << " is combined over all samples ("
        << BatchState::partial(accumulator->reducer).str() << ")";
    attachChainToInput(error, accumulator->operands.front().node,
                       /*acrossLoops=*/false);
    attachPrices(error, function, options, limit);
    if (hasMicroForm)
      error.attachNote() << "'--batch-norm micro' normalizes by the statistics "
                            "of each micro-batch: a different step";
    return;
  }
}
