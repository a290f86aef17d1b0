//===- PlaceLoops.cpp - Which loop computes an accumulator ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanCosts.h"
#include "accrue/Analysis/Phases.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace accrue;

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
