//===- StoreCrossings.cpp - What later loops read of earlier ones ---------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanCosts.h"
#include "accrue/Analysis/Phases.h"
#include "accrue/Support/MinimumCut.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace accrue;

/// Operations per element of a result from which on an op is not to be computed
/// again, tried in this order: products; products of small matrices and costly
/// functions; everything that computes.
static constexpr double kExpensiveFlopsPerElement[] = {16, 4, 0.25};

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

/// What loops after that of `whole`, a concatenation of slices, read of it.
static StoredValue makeStored(BatchPlan &plan, PlanNode *whole) {
  PlanNode slice;
  slice.kind = PlanNode::Kind::Slice;
  slice.perMicroBatch = true;
  slice.op = whole->op;
  slice.source = whole->source;
  slice.operands.push_back({whole, 0});
  slice.types = whole->types;
  slice.modes = whole->modes;
  StoredValue stored;
  stored.value = whole->operands.front();
  stored.whole = whole;
  stored.slice = plan.graph.get(std::move(slice));
  if (!llvm::is_contained(plan.needed, stored.slice))
    plan.needed.push_back(stored.slice);
  return stored;
}

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
  PlanNode *stored = plan.graph.get(std::move(whole));
  if (!llvm::is_contained(plan.accumulators, stored)) {
    stored->loop = loop;
    plan.accumulators.push_back(stored);
    plan.needed.push_back(stored);
  }
  plan.stored.push_back(makeStored(plan, stored));
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

void accrue::readGathered(BatchPlan &plan, int64_t batch) {
  for (PlanNode *whole : plan.accumulators) {
    const PlanNode *value = whole->operands.front().node;
    if (whole->reducer != ReducerKind::Concat ||
        value->kind != PlanNode::Kind::Op || getFlops(*value, batch) == 0)
      continue;
    plan.stored.push_back(makeStored(plan, whole));
    plan.stored.back().isGathered = true;
  }
}

void accrue::storeCrossings(BatchPlan &plan, int64_t batch) {
  if (plan.loops <= 1)
    return;
  size_t needed = plan.needed.size(), accumulators = plan.accumulators.size(),
         gathered = plan.stored.size();
  for (double flopsPerElement : kExpensiveFlopsPerElement) {
    plan.needed.truncate(needed);
    plan.accumulators.truncate(accumulators);
    plan.stored.resize(gathered);
    CrossingStorer(plan, batch, flopsPerElement).run();
    if (getPrice(plan, batch).work <= kAutomaticWork)
      return;
  }
}
