//===- Transfer.cpp - States of values with respect to the batch ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the step in program order gives every value its natural state:
// once, mapped, or partial. An op's own rule (BatchOpInterface) says in which
// mode it wants its operands.
//
//===----------------------------------------------------------------------===//

#include "Analyzer.h"
#include "LinearOperands.h"
#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include <numeric>

using namespace mlir;
using namespace accrue;

LogicalResult Analyzer::visitArgument(FunctionOpInterface function,
                                      BlockArgument argument) {
  unsigned index = argument.getArgNumber();
  auto role =
      function.getArgAttrOfType<train::RoleAttr>(index, train::attrs::kRole);
  if (!role)
    return function.emitError("expected argument ")
           << index << " to have a role ('" << train::attrs::kRole << "')";
  PlanValue whole = {makeNode(PlanNode::Kind::Argument, argument, {}, false),
                     0};
  auto dim =
      function.getArgAttrOfType<IntegerAttr>(index, train::attrs::kBatchDim);
  if (role.getValue() != train::Role::batch || !dim) {
    naturals[argument] = {BatchState::once(), whole, {}, false};
    return success();
  }
  nn::Extent extent = nn::getExtents(getTensorType(argument))[dim.getInt()];
  if (extent.getPower() != 1 || extent.getDen() != 1)
    return function.emitError("expected dimension ")
           << dim.getInt() << " of batch input " << index
           << " to count whole samples, got " << extent.str();
  int64_t common = std::gcd(extent.getNum(), enumeration.runs);
  MappedMode mode = {dim.getInt(), enumeration.runs, extent.getNum() / common,
                     enumeration.runs / common};
  naturals[argument] = {
      BatchState::mapped(mode),
      {makeNode(PlanNode::Kind::Slice, argument, {whole}, true, mode), 0},
      {},
      false};
  return success();
}

void Analyzer::visitOnce(Operation *op) {
  SmallVector<PlanValue> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getOnce(operand));
  SmallVector<std::optional<MappedMode>> modes(op->getNumResults());
  PlanNode *node = makeOp(op, operands, false, modes);
  for (OpResult result : op->getResults())
    naturals[result] = {
        BatchState::once(), {node, result.getResultNumber()}, {}, false};
}

bool Analyzer::foldPartial(Operation *op) {
  auto batchOp = dyn_cast<BatchOpInterface>(op);
  if (!options.fold || !batchOp || op->getNumResults() != 1)
    return false;
  unsigned count = op->getNumOperands();
  llvm::SmallBitVector partial(count);
  unsigned phase = 0;
  bool hasOffset = false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const Natural &natural = naturals.find(operand)->second;
    if (!natural.state.isPartial())
      continue;
    if (natural.state.reducer != ReducerKind::Sum)
      return false;
    partial.set(i);
    phase = std::max(phase, natural.value.node->level);
    hasOffset |= static_cast<bool>(natural.offset);
  }
  // The smallest set of operands around the partial ones in which the op is
  // linear; the others are coefficients. f(sum c + o, a) =
  // sum f(c, 0) + f(o, a) for operands a of the set that are known once.
  std::optional<llvm::SmallBitVector> linear =
      findLinearOperands(partial, [&](const llvm::SmallBitVector &set) {
        return batchOp.isLinearIn(set) ||
               (has(AnalysisFault::EverythingLinear) && set.count() == 1);
      });
  if (!linear)
    return false;
  // A coefficient that is known only after a later loop would pull the whole
  // contribution into that loop.
  for (unsigned i = 0; i < count; ++i)
    if (!linear->test(i) && getOnce(op->getOperand(i)).node->level > phase)
      return false;

  SmallVector<PlanValue> contribution, offset;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const Natural natural = naturals.find(operand)->second;
    auto zero = [&, value = operand]() -> PlanValue {
      return {makeNode(PlanNode::Kind::Zero, value, {}, false), 0};
    };
    if (natural.state.isPartial()) {
      contribution.push_back(natural.value);
      offset.push_back(natural.offset ? natural.offset : zero());
    } else if (linear->test(i)) {
      bool addsAgain = has(AnalysisFault::OffsetPerMicroBatch) ||
                       has(AnalysisFault::TermInContribution);
      contribution.push_back(addsAgain ? natural.value : zero());
      offset.push_back(natural.value);
      hasOffset |= !has(AnalysisFault::OffsetPerMicroBatch);
    } else {
      contribution.push_back(natural.value);
      offset.push_back(natural.value);
    }
  }
  Natural result;
  result.state = BatchState::partial(ReducerKind::Sum);
  result.isFolded = true;
  result.value = {makeOp(op, contribution, true, {std::nullopt}), 0};
  if (has(AnalysisFault::KeepSign) && count == 2 && partial.count() == 1 &&
      linear->all())
    result.value = contribution[partial.find_first()];
  if (hasOffset)
    result.offset = {makeOp(op, offset, false, {std::nullopt}), 0};
  naturals[op->getResult(0)] = result;
  return true;
}

std::optional<BatchRule> Analyzer::swapSampleDims(BatchOpInterface op,
                                                  ArrayRef<BatchState> states) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto source = operand.getDefiningOp<BatchOpInterface>();
    if (!states[i].isMapped() || !source || enumeration.runs != 1)
      continue;
    for (auto [dim, extent] :
         llvm::enumerate(nn::getExtents(getTensorType(operand)))) {
      MappedMode mode = {static_cast<int64_t>(dim), 1, extent.getNum(), 1};
      // What is not sliced by its own op would be held whole.
      if (mode.dim == states[i].mode.dim || extent.getPower() != 1 ||
          extent.getDen() != 1 ||
          !source.operandModes(cast<OpResult>(operand).getResultNumber(), mode))
        continue;
      SmallVector<BatchState> other(states.size(), BatchState::once());
      other[i] = BatchState::mapped(mode);
      std::string reason;
      FailureOr<BatchRule> rule = op.inferBatchRule(other, reason);
      if (succeeded(rule) && llvm::all_of(rule->results, [](BatchState state) {
            return state.isMapped();
          }))
        return *rule;
    }
  }
  return std::nullopt;
}

void Analyzer::findReordered(Operation *op, ArrayRef<BatchState> states,
                             const BatchRule &rule) {
  // What derivatives pair, the model has paired before.
  if (op->hasAttr(train::attrs::kBackward))
    return;
  auto getRows = [](Value value, const BatchState &state) {
    return nn::getExtents(getTensorType(value))[state.mode.dim];
  };
  for (auto [i, state] : llvm::enumerate(states)) {
    const BatchState &wanted = rule.operands[i];
    if (!wanted.isMapped())
      continue;
    // Rows that are put beside others of the result are no pairs.
    nn::Extent rows = getRows(op->getOperand(i), wanted);
    bool isPart = llvm::any_of(
        llvm::zip_equal(op->getResults(), rule.results), [&](auto result) {
          auto [value, mapped] = result;
          return mapped.isMapped() && getRows(value, mapped) != rows;
        });
    // Of samples that are no rows of their own there is one order.
    if (state.isMapped() && !isPart && state.mode.dim == wanted.mode.dim &&
        state.mode.outer != wanted.mode.outer)
      reordered.push_back(&op->getOpOperand(i));
  }
}

LogicalResult Analyzer::visitMapped(Operation *op,
                                    ArrayRef<BatchState> states) {
  auto batchOp = dyn_cast<BatchOpInterface>(op);
  std::string reason = "reads samples but has no batch rule";
  FailureOr<BatchRule> rule = failure();
  if (batchOp)
    rule = batchOp.inferBatchRule(states, reason);
  if (failed(rule) && !options.isSplit) {
    visitOnce(op);
    return success();
  }
  if (succeeded(rule) && enumeration.gathers &&
      llvm::any_of(rule->results, [](BatchState state) {
        return state.isMapped() && makesGroups(state.mode);
      }))
    rule = failure();
  if (failed(rule) && batchOp) {
    if (enumeration.gathers) {
      whole.insert(op);
      visitOnce(op);
      return success();
    }
    requiredRuns =
        enumeration.runs * batchOp.getRequiredRuns(states).value_or(1);
    return failure();
  }
  if (failed(rule))
    return op->emitError("'") << op->getName() << "' " << reason;
  if (options.microStatistics && options.isSplit)
    if (auto micro = batchOp.inferMicroBatchRule(states)) {
      auto isOnce = [](BatchState state) { return state.isOnce(); };
      if (llvm::all_of(rule->results, isOnce))
        microStatistics.insert(op);
      rule = *micro;
    }
  if (llvm::all_of(rule->results, [](BatchState s) { return s.isOnce(); })) {
    whole.insert(op);
    visitOnce(op);
    return success();
  }
  if (options.swapSampleDims &&
      llvm::any_of(rule->results, [](BatchState s) { return s.isPartial(); }))
    if (auto other = swapSampleDims(batchOp, states)) {
      rule = *other;
      swapped = true;
    }
  if (has(AnalysisFault::OuterAsInner))
    for (BatchState &state : rule->results) {
      state.mode.inner *= state.mode.outer;
      state.mode.outer = 1;
    }
  findReordered(op, states, *rule);
  PlanNode *node = applyRule(batchOp, *rule);
  for (auto [result, state] : llvm::zip_equal(op->getResults(), rule->results))
    naturals[result] = {
        state, {node, cast<OpResult>(result).getResultNumber()}, {}, false};
  return success();
}

LogicalResult Analyzer::visit(Operation *op) {
  if (op->getNumRegions() != 0)
    return op->emitError("'")
           << op->getName() << "' has a region and cannot be split";
  bool anyMapped = false, anyPartial = false;
  SmallVector<BatchState> states;
  for (Value operand : op->getOperands()) {
    BatchState state = naturals.find(operand)->second.state;
    anyMapped |= state.isMapped();
    anyPartial |= state.isPartial();
    // Next to mapped operands a partial is finished first.
    states.push_back(state.isPartial() ? BatchState::once() : state);
  }
  if (anyMapped)
    return visitMapped(op, states);
  if (!anyPartial || !foldPartial(op))
    visitOnce(op);
  return success();
}

DenseSet<Value> Analyzer::getPartialSums() const {
  DenseSet<Value> sums;
  for (const auto &[value, natural] : naturals)
    if (natural.state.isPartial() && natural.state.reducer == ReducerKind::Sum)
      sums.insert(value);
  return sums;
}

LogicalResult Analyzer::run(FunctionOpInterface function,
                            SmallVectorImpl<PlanValue> &results) {
  Block &block = function.getFunctionBody().front();
  for (BlockArgument argument : block.getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      return function.emitError("expected ranked tensors as arguments, got ")
             << argument.getType();
    if (failed(visitArgument(function, argument)))
      return failure();
  }
  for (Operation &op : block.without_terminator()) {
    for (Type type : op.getResultTypes())
      if (!isa<RankedTensorType>(type))
        return op.emitError("expected ranked tensors as results, got ") << type;
    if (failed(visit(&op)))
      return failure();
  }
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(getOnce(value));
  return success();
}
