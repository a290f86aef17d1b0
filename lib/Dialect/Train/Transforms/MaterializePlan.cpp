//===- MaterializePlan.cpp - Build what the batch analysis found ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nodes that are known once in front of the first loop that is in time for
// them; per loop one `train.accumulate` for each span of equal micro-batches,
// whose body is the slice of the plan that its accumulators need.
//
//===----------------------------------------------------------------------===//

#include "MaterializePlan.h"
#include "WrongMerge.h"
#include "accrue/Analysis/Phases.h"
#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/IR/Builders.h"

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
               ArrayRef<MicroBatchSpan> spans, int64_t batch,
               const MaterializeOptions &options)
      : function(function), plan(plan), spans(spans), batch(batch),
        options(options), builder(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult checkExtents();
  LogicalResult buildOnce(const PlanNode *node);
  LogicalResult buildMerge(const PlanNode *node, ValueRange operands,
                           SmallVectorImpl<Value> &results);
  LogicalResult buildInBody(const PlanNode *node, const MicroBatchSpan &span,
                            NodeValues &values);
  /// A value as the body of a loop sees it.
  FailureOr<Value> getInBody(PlanValue value, const MicroBatchSpan &span,
                             NodeValues &values);
  /// The loops over all spans for loop `index` of the plan.
  LogicalResult buildLoops(unsigned index);
  LogicalResult buildLoop(const MicroBatchSpan &span, int64_t firstRow);
  ReducerOfAttr getReducer(const PlanNode *node, int64_t firstRow);
  /// The contribution to `node` as its reducer takes it.
  Value getContribution(const PlanNode *node, Value value);
  /// The number of loops that end before `node`, which is known once, can be
  /// computed.
  unsigned getReady(const PlanNode *node) { return ready.lookup(node); }
  void computeReady();
  bool has(AnalysisFault fault) const { return options.fault == fault; }
  bool isSplit() const { return spans.front().size != batch; }

  Value lookup(PlanValue value) {
    return once.find(value.node)->second[value.index];
  }
  /// The type in which `node` accumulates.
  RankedTensorType getAccumulatorType(const PlanNode *node);
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
  const MaterializeOptions &options;
  OpBuilder builder;
  /// The micro-batches.
  int64_t count = 0;
  NodeValues once;
  DenseMap<const PlanNode *, unsigned> ready;

  /// Of the loop that is built.
  unsigned loop = 0;
  llvm::BitVector body;
  SmallVector<const PlanNode *> accumulators, slices;
  SmallVector<Value> accumulated;
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

/// The shares m/B of all micro-batches, as a vector.
static Value buildWeights(OpBuilder &builder, Location loc, Type elementType,
                          ArrayRef<MicroBatchSpan> spans, int64_t count,
                          int64_t batch) {
  auto type = RankedTensorType::get({count}, elementType);
  auto getShares = [&](const MicroBatchSpan &span) {
    return nn::createSplat(builder, loc, type,
                           static_cast<double>(span.size) / batch);
  };
  Value weights = getShares(spans.front());
  if (spans.size() == 1)
    return weights;
  // A comparison with the index, not a constant of several values.
  auto indices = RankedTensorType::get({count}, builder.getI32Type());
  Value index = nn::IotaOp::create(builder, loc, indices, 0);
  Value first = nn::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(indices,
                             builder.getI32IntegerAttr(spans.front().count)));
  Value isFirst = nn::CompareOp::create(builder, loc, nn::ComparePredicate::lt,
                                        index, first);
  return nn::SelectOp::create(builder, loc, type, isFirst, weights,
                              getShares(spans.back()));
}

LogicalResult Materializer::buildMerge(const PlanNode *node,
                                       ValueRange operands,
                                       SmallVectorImpl<Value> &results) {
  if (!isSplit()) {
    // The only contribution is the whole value.
    llvm::append_range(results, operands);
    return success();
  }
  Type elementType = node->types.front().getElementType();
  if (!isa<FloatType>(elementType))
    elementType = builder.getF32Type();
  Value weights =
      buildWeights(builder, node->getLoc(), elementType, spans, count, batch);
  auto op = cast<BatchOpInterface>(node->op);
  FailureOr<SmallVector<Value>> merged =
      has(AnalysisFault::None)
          ? op.buildMerge(builder, operands, weights)
          : buildWrongMerge(options.fault, op, builder, operands, weights);
  if (failed(merged))
    return emitError(node->getLoc())
           << "'" << node->op->getName()
           << "' has no rule that merges micro-batches";
  llvm::append_range(results, *merged);
  return success();
}

LogicalResult Materializer::buildOnce(const PlanNode *node) {
  SmallVector<Value> operands, results;
  for (PlanValue operand : node->operands)
    operands.push_back(lookup(operand));
  switch (node->kind) {
  case PlanNode::Kind::Argument:
    results.push_back(function.getFunctionBody().front().getArgument(
        cast<BlockArgument>(node->source).getArgNumber()));
    break;
  case PlanNode::Kind::Op:
    cloneOp(node, operands, batch, results);
    break;
  case PlanNode::Kind::Zero:
    results.push_back(
        buildZero(builder, node->getLoc(), getType(node, 0, batch)));
    break;
  case PlanNode::Kind::Add:
    results.push_back(
        nn::AddOp::create(builder, node->getLoc(), operands[0], operands[1]));
    break;
  case PlanNode::Kind::Merge:
    if (failed(buildMerge(node, operands, results)))
      return failure();
    break;
  case PlanNode::Kind::Slice:
  case PlanNode::Kind::Scale:
  case PlanNode::Kind::Accumulator:
    llvm_unreachable("not computed outside of the loop");
  }
  once[node].assign(results.begin(), results.end());
  return success();
}

FailureOr<Value> Materializer::getInBody(PlanValue value,
                                         const MicroBatchSpan &span,
                                         NodeValues &values) {
  PlanNode *node = value.node;
  if (const StoredValue *stored = findStored(plan, value, loop))
    return values.find(stored->slice)->second.front();
  if (!node->perMicroBatch && once.contains(node))
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
  case PlanNode::Kind::Merge:
    assert(span.size == batch && "one micro-batch sees the whole value");
    results.append(operands);
    break;
  case PlanNode::Kind::Scale: {
    if (options.omitWeights || span.size == batch) {
      results.push_back(operands[0]);
      break;
    }
    auto type = cast<RankedTensorType>(operands[0].getType());
    auto scalar = RankedTensorType::get({}, type.getElementType());
    bool isEqual = has(AnalysisFault::MeanOfMeans);
    Value weight = builder.createOrFold<WeightOp>(node->getLoc(), scalar,
                                                  isEqual ? 1 : span.size,
                                                  isEqual ? count : batch);
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

RankedTensorType Materializer::getAccumulatorType(const PlanNode *node) {
  RankedTensorType type = nn::getTypeForBatch(node->types[0], batch);
  // Sums of many halves are in f32, and rounded once.
  if (isSplit() && node->reducer == ReducerKind::Sum &&
      isa<FloatType>(type.getElementType()) &&
      type.getElementTypeBitWidth() < 32)
    return type.clone(builder.getF32Type());
  if (!node->isStacked() || !isSplit())
    return type;
  SmallVector<int64_t> shape = {count};
  llvm::append_range(shape, type.getShape());
  return RankedTensorType::get(shape, type.getElementType());
}

ReducerOfAttr Materializer::getReducer(const PlanNode *node, int64_t firstRow) {
  MLIRContext *context = builder.getContext();
  // The only contribution is the whole value: nothing is combined.
  if (!isSplit())
    return ReducerOfAttr::get(context, Reducer::sum);
  if (node->isStacked())
    return ReducerOfAttr::get(context, Reducer::stack, {}, firstRow);
  switch (node->reducer) {
  case ReducerKind::Sum:
    return ReducerOfAttr::get(context, Reducer::sum);
  case ReducerKind::Max:
    return ReducerOfAttr::get(
        context, has(AnalysisFault::MaxAsSum) ? Reducer::sum : Reducer::max);
  case ReducerKind::Concat:
    return ReducerOfAttr::get(context, Reducer::concat,
                              getMappedAttr(context, *node->modes[0]));
  default:
    llvm_unreachable("a stacked accumulator");
  }
}

Value Materializer::getContribution(const PlanNode *node, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Type elementType = getAccumulatorType(node).getElementType();
  if (type.getElementType() != elementType)
    return nn::ConvertOp::create(builder, node->getLoc(),
                                 type.clone(elementType), value);
  if (!node->isStacked() || !isSplit())
    return value;
  SmallVector<int64_t> shape = {1};
  llvm::append_range(shape, type.getShape());
  return nn::ReshapeOp::create(
      builder, node->getLoc(),
      RankedTensorType::get(shape, type.getElementType()), value);
}

LogicalResult Materializer::buildLoop(const MicroBatchSpan &span,
                                      int64_t firstRow) {
  MLIRContext *context = builder.getContext();
  SmallVector<Value> inputs;
  SmallVector<Attribute> modes, reducers;
  SmallVector<Type> types;
  for (const PlanNode *slice : slices) {
    inputs.push_back(lookup(slice->operands[0]));
    MappedMode mode = *slice->modes[0];
    // The whole batch in one piece, whatever groups there would be.
    if (!isSplit())
      mode = {
          mode.dim, 1,
          cast<RankedTensorType>(inputs.back().getType()).getDimSize(mode.dim) /
              batch,
          1};
    modes.push_back(getMappedAttr(context, mode));
  }
  for (const PlanNode *node : accumulators) {
    types.push_back(getAccumulatorType(node));
    reducers.push_back(getReducer(node, firstRow));
  }
  Location loc = function.getLoc();
  auto accumulate = AccumulateOp::create(
      builder, loc, types, inputs, accumulated, span.count, span.size,
      span.offset, batch, builder.getArrayAttr(modes),
      builder.getArrayAttr(reducers));
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&accumulate.getBody());
  block->addArgument(builder.getIndexType(), loc);
  NodeValues values;
  for (const PlanNode *slice : slices)
    values[slice].push_back(block->addArgument(getType(slice, 0, span.size),
                                               slice->source.getLoc()));
  for (const PlanNode *node : plan.needed)
    if (body.test(node->id) && failed(buildInBody(node, span, values)))
      return failure();
  SmallVector<Value> contributions;
  for (const PlanNode *node : accumulators) {
    FailureOr<Value> value = getInBody(node->operands[0], span, values);
    if (failed(value))
      return failure();
    contributions.push_back(getContribution(node, *value));
  }
  YieldOp::create(builder, loc, contributions);
  accumulated.assign(accumulate.result_begin(), accumulate.result_end());
  return success();
}

LogicalResult Materializer::buildLoops(unsigned index) {
  loop = index;
  body = getLoopBody(plan, index);
  // One micro-batch computes what waits for a sum too.
  if (!isSplit())
    for (const PlanNode *node : plan.needed)
      if (node->perMicroBatch)
        body.set(node->id);
  accumulators.clear();
  slices.clear();
  accumulated.clear();
  for (const PlanNode *node : plan.accumulators)
    if (node->loop == index)
      accumulators.push_back(node);
  if (accumulators.empty())
    return success();
  // With one micro-batch a slice of a sum is the sum, which its body computes.
  for (const PlanNode *node : plan.needed)
    if (node->kind == PlanNode::Kind::Slice && body.test(node->id) &&
        (isSplit() || node->operands[0].node->kind == PlanNode::Kind::Argument))
      slices.push_back(node);
  int64_t row = 0;
  for (const MicroBatchSpan &span : spans) {
    if (failed(buildLoop(span, row)))
      return failure();
    row += span.count;
  }
  for (auto [node, value] : llvm::zip_equal(accumulators, accumulated)) {
    Type elementType = node->types[0].getElementType();
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getElementType() != elementType)
      value = nn::ConvertOp::create(builder, node->getLoc(),
                                    type.clone(elementType), value);
    once[node].push_back(value);
  }
  return success();
}

void Materializer::computeReady() {
  for (const PlanNode *node : plan.needed) {
    if (node->perMicroBatch)
      continue;
    unsigned loops = node->loop + 1;
    if (node->kind != PlanNode::Kind::Accumulator) {
      loops = 0;
      for (PlanValue operand : node->operands)
        loops = std::max(loops, getReady(operand.node));
    }
    ready[node] = loops;
  }
}

/// The least number whose multiples make `extent` whole.
static int64_t getDivisor(const nn::Extent &extent) {
  for (int64_t samples = 1; samples < extent.getDen(); ++samples)
    if (extent.evaluate(samples))
      return samples;
  return extent.getDen();
}

/// Fails where an extent is no whole number for this batch.
LogicalResult Materializer::checkExtents() {
  for (const PlanNode *node : plan.needed)
    for (RankedTensorType type : node->types)
      for (const nn::Extent &extent : nn::getExtents(type))
        if (!extent.evaluate(batch)) {
          InFlightDiagnostic error = emitError(node->getLoc());
          error << "expected whole extents, got " << extent.str()
                << " for a batch of " << batch << " samples";
          error.attachNote() << "choose a batch that is a multiple of "
                             << getDivisor(extent) << " samples";
          return error;
        }
  for (const MicroBatchSpan &span : spans) {
    if (!isSplit() || span.size % plan.sampleGroup == 0)
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
  for (const MicroBatchSpan &span : spans)
    count += span.count;
  computeReady();

  Region &region = function.getFunctionBody();
  Block *original = &region.front();
  Block *entry = new Block();
  region.push_front(entry);
  for (BlockArgument argument : original->getArguments())
    entry->addArgument(
        nn::getTypeForBatch(cast<RankedTensorType>(argument.getType()), batch),
        argument.getLoc());
  builder.setInsertionPointToStart(entry);

  unsigned loops = isSplit() ? plan.loops : std::min(plan.loops, 1u);
  for (unsigned i = 0; i <= loops; ++i) {
    for (const PlanNode *node : plan.needed)
      if (!node->perMicroBatch && getReady(node) == i &&
          node->kind != PlanNode::Kind::Accumulator && failed(buildOnce(node)))
        return failure();
    if (i < loops && failed(buildLoops(i)))
      return failure();
  }

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

LogicalResult
accrue::train::materializePlan(FunctionOpInterface function,
                               const BatchPlan &plan,
                               ArrayRef<MicroBatchSpan> spans, int64_t batch,
                               const MaterializeOptions &options) {
  return Materializer(function, plan, spans, batch, options).run();
}
