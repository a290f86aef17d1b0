//===- Phases.cpp - Loops over the batch, and what crosses them -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Phases.h"
#include "PlanCosts.h"
#include "fmt/format.h"
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
  price.flops = visited + once;
  // Rewritten, a single visit may compute more than the step of the full batch.
  double fullBatch = plan.fullFlops > 0 ? plan.fullFlops : full + once;
  if (fullBatch > 0)
    price.work = price.flops / fullBatch;
  price.bytes = std::llround(bytes);
  return price;
}

std::string accrue::describePrice(const PhasePrice &price) {
  return fmt::format(
      "{} loops over the batch, {:.2f} x the work of one, {} B held for the "
      "whole batch",
      price.loops, price.work, io::groupDigits(price.bytes));
}
