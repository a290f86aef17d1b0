//===- Fetch.cpp - Nodes of the plan, and values in a mode ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value in a mode: as it is, finished, gathered, or sliced again, where a
// slice is pushed into the operands as far as it goes.
//
//===----------------------------------------------------------------------===//

#include "Analyzer.h"
#include "accrue/Dialect/NN/Extent.h"

using namespace mlir;
using namespace accrue;

RankedTensorType accrue::getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

bool accrue::isAtMostAsLarge(RankedTensorType a, RankedTensorType b) {
  nn::Extent left = nn::getProduct(nn::getExtents(a));
  nn::Extent right = nn::getProduct(nn::getExtents(b));
  if (left.getPower() != right.getPower())
    return left.getPower() < right.getPower();
  return left.getNum() * right.getDen() <= right.getNum() * left.getDen();
}

/// Whether `b` has floats of more bits than `a`.
static bool isWider(RankedTensorType b, RankedTensorType a) {
  return isa<FloatType>(a.getElementType()) &&
         isa<FloatType>(b.getElementType()) &&
         b.getElementTypeBitWidth() > a.getElementTypeBitWidth();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

PlanNode *Analyzer::makeNode(PlanNode::Kind kind, Value source,
                             ArrayRef<PlanValue> operands, bool perMicroBatch,
                             std::optional<MappedMode> mode) {
  PlanNode node;
  node.kind = kind;
  node.perMicroBatch = perMicroBatch;
  node.op = source.getDefiningOp();
  node.source = source;
  node.operands.assign(operands.begin(), operands.end());
  node.types.push_back(getTensorType(source));
  node.modes.push_back(mode);
  return graph.get(std::move(node));
}

PlanNode *Analyzer::makeOp(Operation *op, ArrayRef<PlanValue> operands,
                           bool perMicroBatch,
                           ArrayRef<std::optional<MappedMode>> modes) {
  PlanNode node;
  node.kind = PlanNode::Kind::Op;
  node.perMicroBatch = perMicroBatch;
  node.op = op;
  node.operands.assign(operands.begin(), operands.end());
  for (Value result : op->getResults())
    node.types.push_back(getTensorType(result));
  node.modes.assign(modes.begin(), modes.end());
  if (op->getNumResults() != 0)
    node.source = op->getResult(0);
  return graph.get(std::move(node));
}

PlanValue Analyzer::makeScale(PlanValue value, Operation *op) {
  PlanNode node;
  node.kind = PlanNode::Kind::Scale;
  node.perMicroBatch = true;
  node.op = op;
  node.source = value.node->source;
  node.operands.push_back(value);
  node.types.push_back(value.node->types[value.index]);
  node.modes.push_back(value.node->perMicroBatch
                           ? value.node->modes[value.index]
                           : std::nullopt);
  return {graph.get(std::move(node)), 0};
}

PlanNode *Analyzer::applyRule(BatchOpInterface op, const BatchRule &rule) {
  SmallVector<PlanValue> operands;
  for (auto [operand, state] :
       llvm::zip_equal(op->getOperands(), rule.operands))
    operands.push_back(get(operand, state));
  SmallVector<std::optional<MappedMode>> modes;
  for (const BatchState &state : rule.results)
    modes.push_back(state.isMapped() ? std::optional(state.mode)
                                     : std::nullopt);
  if (!op.dividesBySamples(rule) || has(AnalysisFault::LocalDivisor))
    return makeOp(op, operands, /*perMicroBatch=*/true, modes);
  // The weight commutes with the op, which is linear; put it on the smaller
  // side, so that it meets the loss seed or the reduced contribution.
  llvm::SmallBitVector all(op->getNumOperands(), true);
  if (op->getNumOperands() == 1 && op.isLinearIn(all) &&
      isAtMostAsLarge(getTensorType(op->getOperand(0)),
                      getTensorType(op->getResult(0)))) {
    operands[0] = makeScale(operands[0], op);
    return makeOp(op, operands, /*perMicroBatch=*/true, modes);
  }
  assert(op->getNumResults() == 1 && "weight of an op with several results");
  PlanNode *node = makeOp(op, operands, /*perMicroBatch=*/true, modes);
  return makeScale({node, 0}, op).node;
}

//===----------------------------------------------------------------------===//
// Fetching a value in a mode
//===----------------------------------------------------------------------===//

PlanValue Analyzer::getOnce(Value value) {
  if (auto it = onceMemo.find(value); it != onceMemo.end())
    return it->second;
  const Natural &natural = naturals.find(value)->second;
  PlanValue result;
  if (natural.state.isOnce())
    result = natural.value;
  else if (natural.state.isPartial())
    result = finish(value);
  else
    result = gather(value);
  onceMemo[value] = result;
  return result;
}

/// The whole of a mapped value. Batch inputs are whole already. A linear
/// function of one smaller value is applied to the whole of that: a transpose
/// and its operand share one gathered value.
PlanValue Analyzer::gather(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {makeNode(PlanNode::Kind::Argument, value, {}, false), 0};
  auto batchOp = dyn_cast<BatchOpInterface>(op);
  if (batchOp && op->getNumOperands() == 1 && op->getNumResults() == 1 &&
      batchOp.isLinearIn(llvm::SmallBitVector(1, true)) &&
      isAtMostAsLarge(getTensorType(op->getOperand(0)), getTensorType(value)))
    return {makeOp(op, {getOnce(op->getOperand(0))}, false, {std::nullopt}), 0};
  const Natural &natural = naturals.find(value)->second;
  PlanNode node;
  node.kind = PlanNode::Kind::Accumulator;
  node.op = op;
  node.source = value;
  node.operands.push_back(natural.value);
  node.types.push_back(getTensorType(value));
  // The mode of a gathered value is that of its contributions.
  node.modes.push_back(natural.state.mode);
  node.reducer = ReducerKind::Concat;
  return {graph.get(std::move(node)), 0};
}

PlanNode *Analyzer::makeAccumulator(Value value, const Natural &natural) {
  PlanNode node;
  node.kind = PlanNode::Kind::Accumulator;
  node.op = value.getDefiningOp();
  node.source = value;
  node.operands.push_back(natural.value);
  node.types.push_back(getTensorType(value));
  node.modes.push_back(std::nullopt);
  node.reducer = natural.state.reducer;
  return graph.get(std::move(node));
}

PlanValue Analyzer::finish(Value value) {
  finished.insert(value);
  const Natural natural = naturals.find(value)->second;
  Operation *op = value.getDefiningOp();
  if (natural.isFolded && options.sink) {
    // Applying the function after the loop costs no larger accumulator when
    // it reads one smaller sum, or sums that are finished anyway. A sum of
    // halves is rounded to one when it is finished, so what widens it stays.
    SmallVector<Value> partials;
    for (Value operand : op->getOperands())
      if (naturals.find(operand)->second.state.isPartial())
        partials.push_back(operand);
    bool sinks =
        llvm::all_of(partials,
                     [&](Value v) { return finishedBefore.contains(v); }) ||
        (partials.size() == 1 &&
         isAtMostAsLarge(getTensorType(partials.front()),
                         getTensorType(value)) &&
         !isWider(getTensorType(value), getTensorType(partials.front())));
    if (sinks) {
      SmallVector<PlanValue> operands;
      for (Value operand : op->getOperands())
        operands.push_back(getOnce(operand));
      SmallVector<std::optional<MappedMode>> modes(op->getNumResults());
      return {makeOp(op, operands, false, modes),
              cast<OpResult>(value).getResultNumber()};
    }
  }
  PlanNode *accumulator = makeAccumulator(value, natural);
  if (accumulator->isStacked())
    return merge(value);
  PlanValue result = {accumulator, 0};
  if (natural.offset)
    result = {
        makeNode(PlanNode::Kind::Add, value, {result, natural.offset}, false),
        0};
  return result;
}

/// The result of an op that merges what it computes for micro-batches.
PlanValue Analyzer::merge(Value value) {
  Operation *op = value.getDefiningOp();
  PlanNode node;
  node.kind = PlanNode::Kind::Merge;
  node.op = op;
  node.source = op->getResult(0);
  for (Value result : op->getResults()) {
    node.operands.push_back(
        {makeAccumulator(result, naturals.find(result)->second), 0});
    node.types.push_back(getTensorType(result));
    node.modes.push_back(std::nullopt);
  }
  return {graph.get(std::move(node)), cast<OpResult>(value).getResultNumber()};
}

PlanValue Analyzer::getMapped(Value value, MappedMode mode) {
  auto key = std::make_pair(
      value.getAsOpaquePointer(),
      std::make_tuple(mode.dim, mode.outer, mode.inner, mode.innerDenominator));
  if (auto it = mappedMemo.find(key); it != mappedMemo.end())
    return it->second;
  const Natural natural = naturals.find(value)->second;
  PlanValue result;
  if (natural.state == BatchState::mapped(mode) ||
      (has(AnalysisFault::ModeByDimension) && natural.state.isMapped() &&
       natural.state.mode.dim == mode.dim)) {
    result = natural.value;
  } else if (Operation *op = value.getDefiningOp();
             op && op->getNumOperands() == 0 &&
             has(AnalysisFault::LocalIndices)) {
    result = {makeOp(op, {}, /*perMicroBatch=*/true, {mode}), 0};
  } else if (auto op = value.getDefiningOp<BatchOpInterface>();
             op && (!natural.state.isPartial() || natural.isFolded)) {
    // Apply the op to slices. A function of sums reads the finished sums,
    // which spares its own result, of the shape of the batch.
    unsigned index = cast<OpResult>(value).getResultNumber();
    if (auto modes = op.operandModes(index, mode)) {
      BatchRule rule;
      rule.operands.assign(modes->begin(), modes->end());
      rule.results.assign(op->getNumResults(), BatchState::mapped(mode));
      result = {applyRule(op, rule), index};
    }
  }
  if (!result)
    result = {
        makeNode(PlanNode::Kind::Slice, value, {getOnce(value)}, true, mode),
        0};
  mappedMemo[key] = result;
  return result;
}
