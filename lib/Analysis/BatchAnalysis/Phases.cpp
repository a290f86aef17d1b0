//===- Phases.cpp - Loops over the batch, and what crosses them -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Phases.h"
#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Interfaces/CostOpInterface.h"
#include "accrue/Interfaces/SplittableOpInterface.h"
#include "accrue/Support/MinimumCut.h"
#include "fmt/format.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/io/Progress.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace accrue;

/// Operations per element of a result from which on an op is not to be computed
/// again, tried in this order: products; products of small matrices and costly
/// functions; everything that computes.
static constexpr double kExpensiveFlopsPerElement[] = {16, 4, 0.25};

/// The work that is accepted without being asked for, relative to the full
/// batch.
static constexpr double kAutomaticWork = 1.10;

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

static double countElements(RankedTensorType type, int64_t batch) {
  nn::Extent product = nn::getProduct(nn::getExtents(type));
  return static_cast<double>(product.getNum()) / product.getDen() *
         std::pow(static_cast<double>(batch), product.getPower());
}

static double countBytes(RankedTensorType type, int64_t batch) {
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  return countElements(type, batch) * std::max(1u, bits / 8);
}

/// The power of the batch in the number of elements of `type`.
static int64_t getBatchPower(RankedTensorType type) {
  return nn::getProduct(nn::getExtents(type)).getPower();
}

/// Operations of `node` in a visit of the whole batch.
static double getFlops(const PlanNode &node, int64_t batch) {
  if (node.kind != PlanNode::Kind::Op)
    return 0;
  auto op = dyn_cast<CostOpInterface>(node.op);
  return op ? op.getFlops(batch) : 0;
}

//===----------------------------------------------------------------------===//
// Slices of the graph
//===----------------------------------------------------------------------===//

/// Marks in `seen` what is computed per micro-batch for `root`, including it;
/// calls `onOnce` for values that are known once.
template <typename Fn>
static void visitSlice(PlanNode *root, llvm::BitVector &seen, Fn &&onOnce) {
  SmallVector<PlanNode *> worklist = {root};
  while (!worklist.empty()) {
    PlanNode *node = worklist.pop_back_val();
    if (!node->perMicroBatch) {
      onOnce(node);
      continue;
    }
    if (seen.test(node->id))
      continue;
    seen.set(node->id);
    for (PlanValue operand : node->operands)
      worklist.push_back(operand.node);
  }
}

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
// Placement
//===----------------------------------------------------------------------===//

namespace {

/// Chooses the loops of the accumulators of a plan. Those of which the chains
/// before and after them leave one choice come first; every other one goes
/// where it adds the least work to the body of the loop.
class LoopPlacer {
public:
  LoopPlacer(BatchPlan &plan, int64_t batch);

  void run();

private:
  /// The work that accumulator `index` adds to the body of `loop`.
  double getAddedWork(unsigned index, unsigned loop) const;
  void place(unsigned index, unsigned loop);
  /// The last loop in which accumulator `index` is in time for its readers.
  unsigned getLast(unsigned index) const;

  BatchPlan &plan;
  SmallVector<double> work;
  /// Per accumulator: what is computed for it, and which accumulators that
  /// reads.
  SmallVector<llvm::BitVector> slices, needs;
  /// Per accumulator: the last loop that it may be in, and whether that is
  /// final.
  SmallVector<unsigned> last;
  llvm::BitVector placed;
  SmallVector<llvm::BitVector> bodies;
};

} // namespace

LoopPlacer::LoopPlacer(BatchPlan &plan, int64_t batch) : plan(plan) {
  size_t count = plan.graph.getNodes().size();
  work.resize(count);
  for (PlanNode *node : plan.needed)
    work[node->id] = getFlops(*node, batch);

  DenseMap<const PlanNode *, unsigned> indexOf;
  for (auto [i, accumulator] : llvm::enumerate(plan.accumulators))
    indexOf[accumulator] = i;
  // Which accumulators a value that is known once reads; operands come first.
  DenseMap<const PlanNode *, llvm::BitVector> readsOf;
  for (PlanNode *node : plan.needed) {
    if (node->perMicroBatch)
      continue;
    llvm::BitVector reads(plan.accumulators.size());
    if (node->kind == PlanNode::Kind::Accumulator)
      reads.set(indexOf.lookup(node));
    else
      for (PlanValue operand : node->operands)
        reads |= readsOf.find(operand.node)->second;
    readsOf[node] = std::move(reads);
  }
  for (PlanNode *accumulator : plan.accumulators) {
    llvm::BitVector slice(count), reads(plan.accumulators.size());
    visitSlice(accumulator->operands.front().node, slice,
               [&](PlanNode *node) { reads |= readsOf.find(node)->second; });
    slices.push_back(std::move(slice));
    needs.push_back(std::move(reads));
  }
  placed.resize(plan.accumulators.size());
  bodies.assign(plan.loops, llvm::BitVector(count));
}

double LoopPlacer::getAddedWork(unsigned index, unsigned loop) const {
  double sum = 0;
  for (unsigned id : slices[index].set_bits())
    if (!bodies[loop].test(id))
      sum += work[id];
  return sum;
}

void LoopPlacer::place(unsigned index, unsigned loop) {
  plan.accumulators[index]->loop = loop;
  placed.set(index);
  bodies[loop] |= slices[index];
}

unsigned LoopPlacer::getLast(unsigned index) const {
  unsigned result = plan.loops - 1;
  for (auto [reader, accumulator] : llvm::enumerate(plan.accumulators))
    if (needs[reader].test(index))
      result = std::min(
          result, (placed.test(reader) ? accumulator->loop : last[reader]) - 1);
  return result;
}

void LoopPlacer::run() {
  unsigned count = plan.accumulators.size();
  // Readers have larger ids, so they come first in reverse order.
  last.resize(count);
  for (unsigned i = count; i-- > 0;)
    last[i] = getLast(i);
  for (unsigned i = 0; i < count; ++i)
    if (plan.accumulators[i]->level - 1 == last[i])
      place(i, last[i]);
  for (unsigned i = count; i-- > 0;) {
    if (placed.test(i))
      continue;
    unsigned best = getLast(i);
    double least = getAddedWork(i, best);
    for (unsigned loop = best; loop-- > plan.accumulators[i]->level - 1;) {
      double added = getAddedWork(i, loop);
      if (added < least) {
        least = added;
        best = loop;
      }
    }
    place(i, best);
  }
}

void accrue::placeLoops(BatchPlan &plan, int64_t batch) {
  if (plan.loops > 1)
    LoopPlacer(plan, batch).run();
}

//===----------------------------------------------------------------------===//
// Crossings
//===----------------------------------------------------------------------===//

namespace {

/// Stores values for the loops after the one that computes them. For every loop
/// the smallest set, in bytes, that spares it all expensive ops of earlier
/// loops: a minimum cut between these and what is new in the loop.
class CrossingStorer {
public:
  CrossingStorer(BatchPlan &plan, int64_t batch, double flopsPerElement)
      : plan(plan), batch(batch), flopsPerElement(flopsPerElement) {}

  void run();

private:
  bool isExpensive(const PlanNode &node) const;
  /// Bytes to store `value`; unbounded where it has no whole form, or one that
  /// grows with the square of the batch: scores of pairs are computed again.
  int64_t getCapacity(PlanValue value) const;
  SmallVector<PlanValue> findCut(const llvm::BitVector &body, unsigned loop);
  void store(PlanValue value, unsigned loop);

  BatchPlan &plan;
  int64_t batch;
  /// From here on an op is expensive.
  double flopsPerElement;
  /// Per node: the first loop whose body computes it.
  DenseMap<const PlanNode *, unsigned> firstLoop;
};

} // namespace

bool CrossingStorer::isExpensive(const PlanNode &node) const {
  return node.kind == PlanNode::Kind::Op &&
         getBatchPower(node.types.front()) <= 1 &&
         getFlops(node, batch) >=
             flopsPerElement * countElements(node.types.front(), batch);
}

int64_t CrossingStorer::getCapacity(PlanValue value) const {
  if (value.node->kind != PlanNode::Kind::Op ||
      !value.node->modes[value.index] ||
      getBatchPower(value.node->types[value.index]) > 1)
    return FlowGraph::kUnbounded;
  return std::llround(countBytes(value.node->types[value.index], batch));
}

SmallVector<PlanValue> CrossingStorer::findCut(const llvm::BitVector &body,
                                               unsigned loop) {
  FlowGraph graph;
  // An op is a vertex, each of its results another one behind it.
  DenseMap<const PlanNode *, unsigned> vertexOf;
  SmallVector<std::pair<PlanValue, unsigned>> values;
  for (PlanNode *node : plan.needed) {
    if (!body.test(node->id) || !firstLoop.contains(node))
      continue;
    unsigned vertex = graph.addVertex();
    vertexOf[node] = vertex;
    if (isExpensive(*node))
      graph.addEdge(FlowGraph::kSource, vertex, FlowGraph::kUnbounded);
    for (unsigned i = 0; i < node->types.size(); ++i) {
      PlanValue value{node, i};
      unsigned result = graph.addVertex();
      graph.addEdge(vertex, result, getCapacity(value));
      values.push_back({value, result});
    }
  }
  auto addUse = [&](PlanValue value, unsigned user) {
    auto it = vertexOf.find(value.node);
    if (it != vertexOf.end() && !findStored(plan, value, loop))
      graph.addEdge(it->second + 1 + value.index, user, FlowGraph::kUnbounded);
  };
  for (PlanNode *node : plan.needed) {
    bool isRead = node->kind == PlanNode::Kind::Accumulator
                      ? node->loop == loop
                      : node->perMicroBatch && body.test(node->id);
    if (!isRead)
      continue;
    auto it = vertexOf.find(node);
    for (PlanValue operand : node->operands)
      addUse(operand, it == vertexOf.end() ? FlowGraph::kSink : it->second);
  }
  llvm::BitVector sinkSide = graph.findSinkSide();
  SmallVector<PlanValue> cut;
  for (auto [value, vertex] : values)
    if (sinkSide.test(vertex) && !sinkSide.test(vertexOf.lookup(value.node)) &&
        getCapacity(value) < FlowGraph::kUnbounded)
      cut.push_back(value);
  return cut;
}

void CrossingStorer::store(PlanValue value, unsigned loop) {
  PlanNode whole;
  whole.kind = PlanNode::Kind::Accumulator;
  whole.op = value.node->op;
  whole.source = value.node->op->getResult(value.index);
  whole.operands.push_back(value);
  whole.types.push_back(value.node->types[value.index]);
  whole.modes.push_back(value.node->modes[value.index]);
  whole.reducer = ReducerKind::Concat;
  PlanNode slice = whole;
  StoredValue stored;
  stored.value = value;
  // It may have been gathered already.
  stored.whole = plan.graph.get(std::move(whole));
  if (!llvm::is_contained(plan.accumulators, stored.whole)) {
    stored.whole->loop = loop;
    plan.accumulators.push_back(stored.whole);
    plan.needed.push_back(stored.whole);
  }
  slice.kind = PlanNode::Kind::Slice;
  slice.perMicroBatch = true;
  slice.operands.assign({PlanValue{stored.whole, 0}});
  slice.reducer = ReducerKind::Sum;
  stored.slice = plan.graph.get(std::move(slice));
  if (!llvm::is_contained(plan.needed, stored.slice))
    plan.needed.push_back(stored.slice);
  plan.stored.push_back(stored);
}

void CrossingStorer::run() {
  for (unsigned loop = 0; loop < plan.loops; ++loop) {
    llvm::BitVector body = getLoopBody(plan, loop);
    for (PlanValue value : findCut(body, loop))
      store(value, firstLoop.lookup(value.node));
    body = getLoopBody(plan, loop);
    for (PlanNode *node : plan.needed)
      if (body.test(node->id))
        firstLoop.try_emplace(node, loop);
  }
}

void accrue::storeCrossings(BatchPlan &plan, int64_t batch) {
  if (plan.loops <= 1)
    return;
  size_t needed = plan.needed.size(), accumulators = plan.accumulators.size();
  for (double flopsPerElement : kExpensiveFlopsPerElement) {
    plan.needed.truncate(needed);
    plan.accumulators.truncate(accumulators);
    plan.stored.clear();
    CrossingStorer(plan, batch, flopsPerElement).run();
    if (getPrice(plan, batch).work <= kAutomaticWork)
      return;
  }
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

/// Replaces `ops` by what they are formulas of.
static LogicalResult expandFormulas(ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    OpBuilder builder(op);
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

FailureOr<BatchPlan> accrue::planBatch(FunctionOpInterface function,
                                       const BatchPlanOptions &options) {
  FailureOr<BatchPlan> plan = analyzeBatch(function, options.analysis);
  // One micro-batch computes everything in its one visit.
  if (failed(plan) || !options.analysis.isSplit)
    return plan;
  if (options.coupled == Coupled::Error && plan->loops > 1) {
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
