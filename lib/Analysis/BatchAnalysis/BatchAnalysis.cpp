//===- BatchAnalysis.cpp - Proof that a step splits along the batch -------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over the step in program order gives every value its natural state:
// once, mapped, or partial. An op's own rule (BatchOpInterface) says in which
// mode it wants its operands; `get` then fetches a value in that mode: as it
// is, finished, gathered, or sliced again, where a slice is pushed into the
// operands as far as it goes.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/BatchOpInterface.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>
#include <numeric>

using namespace mlir;
using namespace accrue;

/// Operands of an op of which all subsets are tried; of more, as those of a
/// concatenation, the smallest and the whole one.
static constexpr unsigned kMaxEnumerated = 8;

/// More runs of samples than any layout that is written on purpose.
static constexpr int64_t kMaxRuns = 4096;

namespace {

/// The state in which a value comes out of its op.
struct Natural {
  BatchState state;
  /// The value (once), its slice (mapped) or its contribution (partial).
  PlanValue value;
  /// Partial sums: what is added once, after the loop; may be none.
  PlanValue offset;
  /// Partial sums: a linear function of other partial sums.
  bool isFolded = false;
};

/// How samples are numbered, and what is done with ops that no numbering suits.
struct Enumeration {
  /// Micro-batches take samples from the same positions of so many equal runs
  /// of the batch.
  int64_t runs = 1;
  /// Compute ops from whole operands that have no rule.
  bool gathers = false;
};

class Analyzer {
public:
  Analyzer(const BatchAnalysisOptions &options, Enumeration enumeration,
           PlanGraph &graph, const DenseSet<Value> &finishedBefore)
      : options(options), enumeration(enumeration), graph(graph),
        finishedBefore(finishedBefore) {}

  LogicalResult run(FunctionOpInterface function,
                    SmallVectorImpl<PlanValue> &results);

  /// Values that were finished: known in advance in a second run.
  const DenseSet<Value> &getFinished() const { return finished; }
  /// Ops that were given statistics of micro-batches.
  const DenseSet<Operation *> &getMicroStatistics() const {
    return microStatistics;
  }
  /// After a failure without an error: the runs of samples that an op needs.
  std::optional<int64_t> getRequiredRuns() const { return requiredRuns; }
  /// Ops that mix samples and are computed from whole operands.
  const llvm::SetVector<Operation *> &getWhole() const { return whole; }

private:
  LogicalResult visitArgument(FunctionOpInterface function,
                              BlockArgument argument);
  LogicalResult visit(Operation *op);
  LogicalResult visitMapped(Operation *op, ArrayRef<BatchState> states);
  void visitPartial(Operation *op);
  void visitOnce(Operation *op);
  /// Tries to keep a linear function of partial sums partial.
  bool foldPartial(Operation *op);

  PlanValue getOnce(Value value);
  PlanValue getMapped(Value value, MappedMode mode);
  PlanValue get(Value value, BatchState wanted) {
    return wanted.isMapped() ? getMapped(value, wanted.mode) : getOnce(value);
  }
  PlanValue finish(Value value);
  PlanValue merge(Value value);
  /// The accumulator of a partial value.
  PlanNode *makeAccumulator(Value value, const Natural &natural);
  PlanValue gather(Value value);

  PlanNode *makeNode(PlanNode::Kind kind, Value source,
                     ArrayRef<PlanValue> operands, bool perMicroBatch,
                     std::optional<MappedMode> mode = std::nullopt);
  PlanNode *makeOp(Operation *op, ArrayRef<PlanValue> operands,
                   bool perMicroBatch,
                   ArrayRef<std::optional<MappedMode>> modes);
  /// `op` applied per micro-batch as `rule` says, weighted where it divides by
  /// the number of samples.
  PlanNode *applyRule(BatchOpInterface op, const BatchRule &rule);
  PlanValue makeScale(PlanValue value, Operation *op);

  bool has(AnalysisFault fault) const { return options.fault == fault; }

  const BatchAnalysisOptions &options;
  Enumeration enumeration;
  std::optional<int64_t> requiredRuns;
  PlanGraph &graph;
  const DenseSet<Value> &finishedBefore;
  DenseSet<Value> finished;
  DenseSet<Operation *> microStatistics;
  llvm::SetVector<Operation *> whole;
  DenseMap<Value, Natural> naturals;
  DenseMap<Value, PlanValue> onceMemo;
  std::map<std::pair<void *, std::tuple<int64_t, int64_t, int64_t, int64_t>>,
           PlanValue>
      mappedMemo;
};

RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Whether `a` has at most as many elements as `b` for a large batch.
bool isAtMostAsLarge(RankedTensorType a, RankedTensorType b) {
  nn::Extent left = nn::getProduct(nn::getExtents(a));
  nn::Extent right = nn::getProduct(nn::getExtents(b));
  if (left.getPower() != right.getPower())
    return left.getPower() < right.getPower();
  return left.getNum() * right.getDen() <= right.getNum() * left.getDen();
}

/// Whether `b` has floats of more bits than `a`.
bool isWider(RankedTensorType b, RankedTensorType a) {
  return isa<FloatType>(a.getElementType()) &&
         isa<FloatType>(b.getElementType()) &&
         b.getElementTypeBitWidth() > a.getElementTypeBitWidth();
}

} // namespace

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

//===----------------------------------------------------------------------===//
// Transfer functions
//===----------------------------------------------------------------------===//

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
  std::optional<llvm::SmallBitVector> linear;
  auto consider = [&](const llvm::SmallBitVector &set) {
    bool isLinear = batchOp.isLinearIn(set) ||
                    (has(AnalysisFault::EverythingLinear) && set.count() == 1);
    if (!partial.test(set) && isLinear &&
        (!linear || set.count() < linear->count()))
      linear = set;
  };
  if (count <= kMaxEnumerated) {
    for (unsigned bits = 0; bits < (1u << count); ++bits) {
      llvm::SmallBitVector set(count);
      for (unsigned i = 0; i < count; ++i)
        set[i] = (bits >> i) & 1;
      consider(set);
    }
  } else {
    consider(partial);
    consider(llvm::SmallBitVector(count, true));
  }
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
  if (has(AnalysisFault::OuterAsInner))
    for (BatchState &state : rule->results) {
      state.mode.inner *= state.mode.outer;
      state.mode.outer = 1;
    }
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
  return enumeration.runs == 1 || !options.acceptsGroup ||
         options.acceptsGroup(plan.sampleGroup);
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
