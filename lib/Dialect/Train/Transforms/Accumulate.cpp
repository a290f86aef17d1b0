//===- Accumulate.cpp - Split a step into micro-batches -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Materializes the plan of BatchAnalysis: nodes that are known before the loop,
// one `train.accumulate` per span of equal micro-batches, and the nodes that
// read finished accumulators. The analysis has the proof; this file only
// builds.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Analysis/MicroBatches.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/DenseSet.h"

namespace accrue::train {
#define GEN_PASS_DEF_ACCUMULATE
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {

/// Values built for the results of a node.
using NodeValues = DenseMap<const PlanNode *, SmallVector<Value, 1>>;

/// Builds the accumulated form of one function.
class Materializer {
public:
  Materializer(FunctionOpInterface function, const BatchPlan &plan,
               ArrayRef<MicroBatchSpan> spans, int64_t batch, bool omitWeights)
      : function(function), plan(plan), spans(spans), batch(batch),
        omitWeights(omitWeights), builder(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkExtents();
  LogicalResult buildOnce(const PlanNode *node, NodeValues &values);
  LogicalResult buildInBody(const PlanNode *node, const MicroBatchSpan &span,
                            NodeValues &values);
  /// A value as the body of a loop sees it.
  FailureOr<Value> getInBody(PlanValue value, const MicroBatchSpan &span,
                             NodeValues &values);
  LogicalResult buildLoop(const MicroBatchSpan &span);

  Value lookup(PlanValue value) {
    return once.find(value.node)->second[value.index];
  }
  /// The static type of result `index` of `node` for `samples` samples.
  RankedTensorType getType(const PlanNode *node, unsigned index,
                           int64_t samples);
  /// Clones the node's op on `operands`, or its value for this batch.
  void cloneOp(const PlanNode *node, ValueRange operands, int64_t samples,
               SmallVectorImpl<Value> &results);

  FunctionOpInterface function;
  const BatchPlan &plan;
  ArrayRef<MicroBatchSpan> spans;
  int64_t batch;
  bool omitWeights;
  OpBuilder builder;
  NodeValues once;
  SmallVector<Value> accumulated;
  SmallVector<const PlanNode *> slices;
};

} // namespace

RankedTensorType Materializer::getType(const PlanNode *node, unsigned index,
                                       int64_t samples) {
  RankedTensorType type = nn::getTypeForBatch(node->types[index], batch);
  std::optional<MappedMode> mode = node->modes[index];
  if (!node->perMicroBatch || !mode)
    return type;
  SmallVector<int64_t> shape(type.getShape());
  shape[mode->dim] = mode->getExtent(samples);
  return RankedTensorType::get(shape, type.getElementType());
}

void Materializer::cloneOp(const PlanNode *node, ValueRange operands,
                           int64_t samples, SmallVectorImpl<Value> &results) {
  if (auto batchOp = dyn_cast<BatchOpInterface>(node->op)) {
    if (Attribute value = batchOp.getConstantForBatch(batch)) {
      results.push_back(nn::ConstantOp::create(builder, node->getLoc(),
                                               cast<ElementsAttr>(value)));
      return;
    }
  }
  Operation *clone = node->op->cloneWithoutRegions();
  clone->setOperands(operands);
  for (auto [i, result] : llvm::enumerate(clone->getResults()))
    result.setType(getType(node, i, samples));
  builder.insert(clone);
  results.append(clone->result_begin(), clone->result_end());
}

static Value buildZero(OpBuilder &builder, Location loc,
                       RankedTensorType type) {
  return nn::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
}

LogicalResult Materializer::buildOnce(const PlanNode *node,
                                      NodeValues &values) {
  SmallVector<Value, 1> &results = values[node];
  if (!results.empty())
    return success();
  SmallVector<Value> operands;
  for (PlanValue operand : node->operands)
    operands.push_back(values.find(operand.node)->second[operand.index]);
  switch (node->kind) {
  case PlanNode::Kind::Argument:
    results.push_back(
        builder.getInsertionBlock()->getParent()->front().getArgument(
            cast<BlockArgument>(node->source).getArgNumber()));
    break;
  case PlanNode::Kind::Op: {
    SmallVector<Value> built;
    cloneOp(node, operands, batch, built);
    values[node].assign(built.begin(), built.end());
    break;
  }
  case PlanNode::Kind::Zero:
    results.push_back(
        buildZero(builder, node->getLoc(), getType(node, 0, batch)));
    break;
  case PlanNode::Kind::Add:
    results.push_back(
        nn::AddOp::create(builder, node->getLoc(), operands[0], operands[1]));
    break;
  case PlanNode::Kind::Slice:
  case PlanNode::Kind::Scale:
  case PlanNode::Kind::Accumulator:
    llvm_unreachable("not computed outside of the loop");
  }
  return success();
}

FailureOr<Value> Materializer::getInBody(PlanValue value,
                                         const MicroBatchSpan &span,
                                         NodeValues &values) {
  PlanNode *node = value.node;
  if (!node->perMicroBatch && node->level == 0)
    return lookup(value);
  auto it = values.find(node);
  if (it == values.end()) {
    if (failed(buildInBody(node, span, values)))
      return failure();
    it = values.find(node);
  }
  return it->second[value.index];
}

/// Builds `node` in the body of a loop. A node that is known only after a loop
/// gets here when there is a single micro-batch: a contribution is then the
/// whole value.
LogicalResult Materializer::buildInBody(const PlanNode *node,
                                        const MicroBatchSpan &span,
                                        NodeValues &values) {
  if (values.contains(node))
    return success();
  SmallVector<Value> operands;
  for (PlanValue operand : node->operands) {
    if (node->kind == PlanNode::Kind::Slice &&
        operand.node->kind == PlanNode::Kind::Argument)
      continue;
    FailureOr<Value> value = getInBody(operand, span, values);
    if (failed(value))
      return failure();
    operands.push_back(*value);
  }
  SmallVector<Value> results;
  switch (node->kind) {
  case PlanNode::Kind::Op:
    cloneOp(node, operands, span.size, results);
    break;
  case PlanNode::Kind::Accumulator:
  case PlanNode::Kind::Slice:
    assert(span.size == batch && "one micro-batch sees the whole value");
    results.push_back(operands[0]);
    break;
  case PlanNode::Kind::Scale: {
    if (omitWeights || span.size == batch) {
      results.push_back(operands[0]);
      break;
    }
    auto type = cast<RankedTensorType>(operands[0].getType());
    auto scalar = RankedTensorType::get({}, type.getElementType());
    Value weight = builder.createOrFold<WeightOp>(node->getLoc(), scalar,
                                                  span.size, batch);
    if (type.getRank() != 0) {
      auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
      weight =
          nn::BroadcastOp::create(builder, node->getLoc(), type, weight, dims);
    }
    results.push_back(
        builder.createOrFold<nn::MulOp>(node->getLoc(), operands[0], weight));
    break;
  }
  case PlanNode::Kind::Add:
    results.push_back(
        nn::AddOp::create(builder, node->getLoc(), operands[0], operands[1]));
    break;
  case PlanNode::Kind::Zero:
    results.push_back(
        buildZero(builder, node->getLoc(), getType(node, 0, span.size)));
    break;
  case PlanNode::Kind::Argument:
    llvm_unreachable("arguments are known before the loop");
  }
  values[node].assign(results.begin(), results.end());
  return success();
}

LogicalResult Materializer::buildLoop(const MicroBatchSpan &span) {
  MLIRContext *context = builder.getContext();
  SmallVector<Value> inputs;
  SmallVector<Attribute> modes, reducers;
  for (const PlanNode *slice : slices) {
    inputs.push_back(lookup(slice->operands[0]));
    modes.push_back(getMappedAttr(context, *slice->modes[0]));
  }
  SmallVector<Type> types;
  for (const PlanNode *node : plan.accumulators) {
    types.push_back(nn::getTypeForBatch(node->types[0], batch));
    if (span.size == batch) {
      // The only contribution is the whole value: nothing is combined.
      reducers.push_back(ReducerOfAttr::get(context, Reducer::sum, {}));
      continue;
    }
    switch (node->reducer) {
    case ReducerKind::Sum:
      reducers.push_back(ReducerOfAttr::get(context, Reducer::sum, {}));
      break;
    case ReducerKind::Concat:
      reducers.push_back(ReducerOfAttr::get(
          context, Reducer::concat, getMappedAttr(context, *node->modes[0])));
      break;
    case ReducerKind::Max:
      reducers.push_back(ReducerOfAttr::get(context, Reducer::max, {}));
      break;
    case ReducerKind::Min:
    case ReducerKind::ArgMax:
    case ReducerKind::Moments:
    case ReducerKind::LogSumExp:
      return emitError(node->getLoc())
             << "expected a sum, maximum or concatenation over samples, got "
             << BatchState::partial(node->reducer).str();
    }
  }
  Location loc = function.getLoc();
  auto loop = AccumulateOp::create(builder, loc, types, inputs, accumulated,
                                   span.count, span.size, span.offset, batch,
                                   builder.getArrayAttr(modes),
                                   builder.getArrayAttr(reducers));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&loop.getBody());
  body->addArgument(builder.getIndexType(), loc);
  NodeValues values;
  for (const PlanNode *slice : slices)
    values[slice].push_back(body->addArgument(getType(slice, 0, span.size),
                                              slice->source.getLoc()));
  for (const PlanNode *node : plan.needed)
    if (node->perMicroBatch && failed(buildInBody(node, span, values)))
      return failure();
  SmallVector<Value> contributions;
  for (const PlanNode *node : plan.accumulators) {
    FailureOr<Value> value = getInBody(node->operands[0], span, values);
    if (failed(value))
      return failure();
    contributions.push_back(*value);
  }
  YieldOp::create(builder, loc, contributions);
  accumulated.assign(loop.result_begin(), loop.result_end());
  return success();
}

/// Fails where an extent is no whole number for this batch.
LogicalResult Materializer::checkExtents() {
  for (const PlanNode *node : plan.needed)
    for (RankedTensorType type : node->types)
      if (!nn::getTypeForBatch(type, batch))
        return emitError(node->getLoc())
               << "expected whole extents in " << type << " for a batch of "
               << batch << " samples";
  for (const MicroBatchSpan &span : spans) {
    if (span.size % plan.sampleGroup == 0)
      continue;
    InFlightDiagnostic error =
        emitError(plan.groupOp ? plan.groupOp->getLoc() : function.getLoc());
    error << "groups " << plan.sampleGroup
          << " consecutive samples, which a micro-batch of " << span.size
          << " splits";
    error.attachNote() << "choose micro-batches that are multiples of "
                       << plan.sampleGroup << " samples";
    return error;
  }
  return success();
}

LogicalResult Materializer::run() {
  if (failed(checkExtents()))
    return failure();
  for (const PlanNode *node : plan.needed)
    if (node->kind == PlanNode::Kind::Slice &&
        node->operands[0].node->level == 0)
      slices.push_back(node);

  Region &region = function.getFunctionBody();
  Block *original = &region.front();
  Block *entry = new Block();
  region.push_front(entry);
  for (BlockArgument argument : original->getArguments())
    entry->addArgument(
        nn::getTypeForBatch(cast<RankedTensorType>(argument.getType()), batch),
        argument.getLoc());
  builder.setInsertionPointToStart(entry);

  for (const PlanNode *node : plan.needed)
    if (!node->perMicroBatch && node->level == 0 &&
        failed(buildOnce(node, once)))
      return failure();
  if (!plan.accumulators.empty()) {
    for (const MicroBatchSpan &span : spans)
      if (failed(buildLoop(span)))
        return failure();
    for (auto [node, value] : llvm::zip_equal(plan.accumulators, accumulated))
      once[node].push_back(value);
  }
  for (const PlanNode *node : plan.needed)
    if (!node->perMicroBatch && node->level > 0 &&
        node->kind != PlanNode::Kind::Accumulator &&
        failed(buildOnce(node, once)))
      return failure();

  Operation *terminator = original->getTerminator();
  SmallVector<Value> results;
  for (PlanValue value : plan.results)
    results.push_back(lookup(value));
  Operation *newTerminator = terminator->clone();
  newTerminator->setOperands(results);
  builder.insert(newTerminator);
  original->dropAllReferences();
  original->erase();
  function.setType(builder.getFunctionType(entry->getArgumentTypes(),
                                           ValueRange(results).getTypes()));
  return success();
}

/// Drops the new values of declared state, and what only they need.
static void dropUpdates(FunctionOpInterface function) {
  Operation *terminator = function.getFunctionBody().front().getTerminator();
  llvm::BitVector dropped(function.getNumResults());
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (function.getResultAttr(i, attrs::kUpdates))
      dropped.set(i);
  if (dropped.none())
    return;
  terminator->eraseOperands(dropped);
  (void)function.eraseResults(dropped);
  function->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

namespace {
struct AccumulatePass : public train::impl::AccumulateBase<AccumulatePass> {
  using AccumulateBase::AccumulateBase;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (function.isExternal() ||
        (!function->hasAttr(attrs::kModel) && !function->hasAttr(attrs::kStep)))
      return;
    if (failed(accumulateFunction(function)))
      signalPassFailure();
  }

  LogicalResult accumulateFunction(FunctionOpInterface function) {
    int64_t size = batch;
    if (size == 0)
      if (auto attr = function->getAttrOfType<IntegerAttr>(attrs::kBatch))
        size = attr.getInt();
    if (size == 0)
      return function.emitError("expected a batch: neither the option 'batch' "
                                "nor the attribute 'train.batch' is given");
    // It would read the finished loss, behind the loop, and so have no value.
    GradientOp gradient;
    function.walk([&](GradientOp op) { gradient = op; });
    if (gradient)
      return gradient.emitOpError("expected none before accumulation: expand "
                                  "it by train-differentiate first");
    if (function->hasAttr(attrs::kModel))
      dropUpdates(function);
    std::string error;
    auto spans = cutBatch(size, microBatch, accumulate, error);
    if (failed(spans))
      return function.emitError(error);
    BatchAnalysisOptions options;
    options.isSplit = spans->size() > 1 || spans->front().count > 1;
    options.microStatistics = batchNorm == BatchNorm::Micro;
    FailureOr<BatchPlan> plan = analyzeBatch(function, options);
    if (failed(plan))
      return failure();
    if (plan->loops > 1 && options.isSplit) {
      emitCoupled(function, *plan, size);
      return failure();
    }
    function->setAttr(
        attrs::kBatch,
        IntegerAttr::get(IntegerType::get(&getContext(), 64), size));
    if (function->hasAttr(attrs::kModel))
      function->setAttr(
          attrs::kProgram,
          ProgramKindAttr::get(&getContext(), ProgramKind::evaluation));
    return Materializer(function, *plan, *spans, size, omitWeights).run();
  }
};
} // namespace
