//===- Sums.cpp - Sums by index, and sums of sums -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products and sums by index can add to what is there. Where a contribution to
// an accumulator is a sum of them (a tied table: the gradients of the embedding
// and of the projection), they do so one after the other, and none of them is
// stored by itself.
//
//===----------------------------------------------------------------------===//

#include "KernelFormer.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace accrue;

LogicalResult KernelFormer::lowerScatter(nn::ScatterAddOp scatter) {
  Location loc = scatter.getLoc();
  Value updates = getValue(scatter.getUpdates());
  Value index = getValue(scatter.getIndex());
  if (!updates || !index)
    return failure();
  Value destination = createDestination(scatter.getResult());
  Value overwrite;
  auto accumulator = accumulatorOf.find(scatter.getResult());
  if (accumulator != accumulatorOf.end())
    overwrite = accumulator->second.first;
  if (!overwrite)
    overwrite = arith::ConstantOp::create(
        builder, loc,
        builder.getBoolAttr(accumulator == accumulatorOf.end() ||
                            accumulator->second.overwrites));
  auto lowered = kernel::ScatterAddOp::create(
      builder, loc, scatter->getResultTypes(), updates, index, overwrite,
      destination, scatter.getDim());
  mark(lowered);
  if (scatter->hasAttr(train::attrs::kBackward))
    lowered->setAttr(kernel::attrs::kBackward, builder.getUnitAttr());
  mapping.map(scatter.getResult(), lowered.getResult()[0]);
  return success();
}

void KernelFormer::addTerms(Value value, const Accumulator &accumulator,
                            const FusionGroups &groups) {
  if (accumulator.reducer != train::Reducer::sum)
    return;
  // Additions that nothing but the sum needs, down to what can add by itself.
  SmallVector<Operation *> additions;
  SmallVector<Value> terms, worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    Operation *op = next.getDefiningOp();
    const FusionGroup *group = op ? groups.getGroup(op) : nullptr;
    if (!group || !next.hasOneUse())
      return;
    if (group->kind == KernelKind::Contraction) {
      terms.push_back(next);
      continue;
    }
    if (!isa<nn::AddOp>(op) || group->ops.size() != 1)
      return;
    additions.push_back(op);
    worklist.append(op->operand_begin(), op->operand_end());
  }
  if (additions.empty())
    return;
  for (Operation *op : additions)
    sumOf[op] = value;
  for (Value term : terms) {
    termOf[term.getDefiningOp()] = value;
    accumulatorOf[term] = accumulator;
  }
}

void KernelFormer::finishTerm(Operation *op) {
  auto it = termOf.find(op);
  if (it == termOf.end())
    return;
  Value sum = it->second;
  Value image = mapping.lookup(op->getResult(0));
  mapping.map(sum, image);
  accumulatorOf.erase(op->getResult(0));
  termOf.erase(it);
  for (auto [other, otherSum] : termOf) {
    if (otherSum != sum)
      continue;
    Accumulator &next = accumulatorOf[other->getResult(0)];
    next.tensor = image;
    next.first = nullptr;
    next.overwrites = false;
  }
}
