//===- Rematerialize.cpp - Recompute instead of store ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides for every forward value that the backward pass reads whether it is
// stored or computed again. What is computed again goes into one
// train.recompute per segment of the forward pass, in front of its first use,
// and reads stored values only: any graph is legal, since a region simply takes
// in all of what its results need and nothing stores.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Checkpoints.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "accrue/Interfaces/CostOpInterface.h"
#include "accrue/Interfaces/ElementwiseOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace accrue::train {
#define GEN_PASS_DEF_REMATERIALIZE
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

/// Bytes of a value of `type`.
static int64_t getBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  return tensor.getNumElements() *
         llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

/// Bytes of all results of `op`.
static int64_t getResultBytes(Operation *op) {
  int64_t bytes = 0;
  for (Type type : op->getResultTypes())
    bytes += getBytes(type);
  return bytes;
}

static double getFlops(Operation *op, int64_t batch) {
  auto cost = dyn_cast<CostOpInterface>(op);
  return cost ? cost.getFlops(batch) : 0;
}

/// True for constants and the like: clones are as good as the original.
static bool isConstant(Operation *op) {
  return op->getNumOperands() == 0 && op->getNumRegions() == 0 && isPure(op);
}

/// True where computing again costs nothing worth storing: views, repetitions
/// and random numbers, which fuse into whatever reads them.
static bool isCheap(Operation *op) {
  auto cost = dyn_cast<CostOpInterface>(op);
  if (!cost)
    return false;
  KernelKind kind = cost.getKernelKind();
  return kind == KernelKind::View ||
         (kind == KernelKind::Elementwise &&
          (cost.getFlops(1) == 0 || !isa<ElementwiseOpInterface>(op)));
}

namespace {
/// The body of one loop: what is forward, what is backward, what is stored.
class BodyRematerializer {
public:
  BodyRematerializer(AccumulateOp loop, int64_t &nextId)
      : loop(loop), body(&loop.getBody().front()), nextId(nextId) {}

  LogicalResult run(RematPolicy policy);

private:
  /// A forward op that is not a constant.
  struct Forward {
    Operation *op;
    ForwardItem item;
    bool cheap = false;
    bool canRecompute = true;
    bool stored = true;
    unsigned segment = 0;
  };
  /// What computes some values again.
  struct Slice {
    SetVector<Operation *> constants;
    SetVector<Operation *> ops;
    SetVector<Value> inputs;
  };

  LogicalResult classify();
  void forEachRead(Operation *op, llvm::function_ref<void(Forward &)> read);
  void assignSegments(RematPolicy policy);
  bool isAvailable(Operation *op);
  bool isBackwardUse(OpOperand &use) const;
  Operation *getFirstBackwardUser(ArrayRef<Value> values) const;
  SmallVector<Value> getOrder(ArrayRef<Value> values, Operation *before);
  void collectSlice(Value value, Slice &slice);
  void build(ArrayRef<Value> values);

  Forward *lookup(Operation *op) {
    auto it = numbers.find(op);
    return it == numbers.end() ? nullptr : &forward[it->second];
  }

  AccumulateOp loop;
  Block *body;
  int64_t &nextId;
  SmallVector<Forward> forward;
  DenseMap<Operation *, unsigned> numbers;
  DenseSet<Operation *> backward;
  /// Backward ops that depend on more than constants and captured values.
  DenseSet<Operation *> varying;
};
} // namespace

/// Calls `read` for every forward op whose results `op` reads; cheap ops are
/// looked through.
void BodyRematerializer::forEachRead(Operation *op,
                                     llvm::function_ref<void(Forward &)> read) {
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    Forward *entry = producer ? lookup(producer) : nullptr;
    if (!entry)
      continue;
    read(*entry);
    if (entry->cheap)
      forEachRead(entry->op, read);
  }
}

/// Sorts the ops into forward and backward. Backward are those that
/// differentiation built and all that depend on one of them.
LogicalResult BodyRematerializer::classify() {
  for (Operation &op : body->without_terminator()) {
    if (isConstant(&op))
      continue;
    bool reads = false, varies = false;
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      reads |= backward.contains(producer);
      varies |= operand.getParentBlock() == body &&
                (!producer || lookup(producer) || varying.contains(producer));
    }
    if (reads || op.hasAttr(attrs::kBackward)) {
      backward.insert(&op);
      if (varies)
        varying.insert(&op);
      forEachRead(&op, [](Forward &read) { read.item.needed = true; });
      continue;
    }
    unsigned number = forward.size();
    Forward entry{&op, {}};
    entry.cheap = isCheap(&op);
    entry.canRecompute =
        op.getNumRegions() == 0 && isPure(&op) &&
        llvm::all_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>);
    entry.item.bytes = entry.cheap ? 0 : getResultBytes(&op);
    entry.item.pinned = op.hasAttr(attrs::kRecompute);
    entry.item.lastUse = number;
    if (entry.item.pinned && !entry.canRecompute)
      return op.emitError() << "op '" << op.getName()
                            << "' is pinned with 'train.recompute' but cannot "
                               "be computed again";
    forEachRead(&op, [&](Forward &read) { read.item.lastUse = number; });
    forward.push_back(entry);
    numbers[&op] = number;
  }
  return success();
}

/// Cuts the forward pass and decides what is stored.
void BodyRematerializer::assignSegments(RematPolicy policy) {
  SmallVector<unsigned> ends = {static_cast<unsigned>(forward.size())};
  if (policy == RematPolicy::Full)
    ends = chooseSegments(llvm::map_to_vector(
        forward, [](const Forward &entry) { return entry.item; }));
  unsigned lastStart = ends.size() < 2 ? 0 : ends[ends.size() - 2];
  unsigned run = ends.size();
  for (auto [i, entry] : llvm::enumerate(forward)) {
    bool pinned = entry.item.pinned;
    if (i >= lastStart) {
      // Only pins are computed again, one region per run of them.
      run += !pinned;
      entry.segment = run;
      entry.stored = !pinned;
      continue;
    }
    entry.segment = llvm::upper_bound(ends, i) - ends.begin();
    bool crosses = entry.item.lastUse >= ends[entry.segment];
    entry.stored = !pinned && (crosses || !entry.canRecompute);
  }
}

/// True when the backward pass may read the results of the forward op `op`:
/// they are stored or views of stored values.
bool BodyRematerializer::isAvailable(Operation *op) {
  const Forward &entry = *lookup(op);
  if (!entry.cheap)
    return entry.stored;
  return !entry.item.pinned &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           Operation *producer = operand.getDefiningOp();
           return !producer || !lookup(producer) || isAvailable(producer);
         });
}

bool BodyRematerializer::isBackwardUse(OpOperand &use) const {
  return backward.contains(body->findAncestorOpInBlock(*use.getOwner()));
}

Operation *
BodyRematerializer::getFirstBackwardUser(ArrayRef<Value> values) const {
  Operation *first = nullptr;
  for (Value value : values)
    for (OpOperand &use : value.getUses()) {
      if (!isBackwardUse(use))
        continue;
      Operation *user = body->findAncestorOpInBlock(*use.getOwner());
      if (!first || user->isBeforeInBlock(first))
        first = user;
    }
  return first;
}

/// The cotangents with which the backward users of `values` combine them, as
/// far as they are known at `before`: with these known, the backward pass has
/// come to the point where `values` are read.
SmallVector<Value> BodyRematerializer::getOrder(ArrayRef<Value> values,
                                                Operation *before) {
  SetVector<Value> order;
  DenseSet<Value> reached(values.begin(), values.end());
  for (Operation &op : llvm::make_range(before->getIterator(),
                                        body->without_terminator().end())) {
    if (!backward.contains(&op) ||
        llvm::none_of(op.getOperands(),
                      [&](Value value) { return reached.contains(value); }))
      continue;
    size_t found = order.size();
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && varying.contains(producer) &&
          !reached.contains(operand) && producer->isBeforeInBlock(before))
        order.insert(operand);
    }
    // A mask or a slope, not yet combined with a cotangent.
    if (order.size() == found)
      reached.insert(op.result_begin(), op.result_end());
  }
  if (!order.empty())
    return order.takeVector();
  // The backward pass starts here: wait for the end of the forward pass.
  Operation *last = nullptr;
  for (Operation &op : llvm::make_range(body->begin(), before->getIterator()))
    if (varying.contains(&op) || lookup(&op))
      last = &op;
  return last ? SmallVector<Value>{last->getResult(0)} : SmallVector<Value>();
}

/// Adds to `slice` what computes `value` from stored values; `value` itself is
/// computed even where it is stored.
void BodyRematerializer::collectSlice(Value value, Slice &slice) {
  Operation *op = value.getDefiningOp();
  if (!slice.ops.insert(op))
    return;
  for (Value operand : op->getOperands()) {
    Operation *producer = operand.getDefiningOp();
    Forward *entry = producer ? lookup(producer) : nullptr;
    if (producer && isConstant(producer))
      slice.constants.insert(producer);
    else if (!entry || (entry->stored && !entry->cheap))
      slice.inputs.insert(operand);
    else
      collectSlice(operand, slice);
  }
}

/// Computes `values`, which belong to one segment, again in front of their
/// first use in the backward pass.
void BodyRematerializer::build(ArrayRef<Value> values) {
  Slice slice;
  for (Value value : values) {
    size_t before = slice.ops.size();
    collectSlice(value, slice);
    double flops = 0;
    for (Operation *op : slice.ops.getArrayRef().drop_front(before))
      flops += getFlops(op, loop.getSize());
    bool pinned = value.getDefiningOp()->hasAttr(attrs::kRecompute);
    remark::passed(
        value.getLoc(),
        remark::RemarkOpts::name("recomputed").category("train-rematerialize"))
        << (pinned ? "pinned in the model" : "inside a segment")
        << remark::metric("Bytes", getBytes(value.getType()))
        << remark::metric("Flops", flops);
  }

  Operation *user = getFirstBackwardUser(values);
  SmallVector<Value> order = getOrder(values, user);
  OpBuilder builder(user);
  SmallVector<Location> locations =
      llvm::map_to_vector(values, [](Value value) { return value.getLoc(); });
  auto recompute = RecomputeOp::create(builder, builder.getFusedLoc(locations),
                                       ValueRange(values).getTypes(), nextId++,
                                       order, slice.inputs.getArrayRef());

  IRMapping mapping;
  Block *block = builder.createBlock(&recompute.getBody());
  for (Value input : slice.inputs)
    mapping.map(input, block->addArgument(input.getType(), input.getLoc()));
  for (Operation *op : slice.constants)
    builder.clone(*op, mapping);
  SmallVector<Operation *> ops = slice.ops.takeVector();
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ops)
    builder.clone(*op, mapping)->removeDiscardableAttr(attrs::kRecompute);
  SmallVector<Value> yielded = llvm::map_to_vector(
      values, [&](Value value) { return mapping.lookup(value); });
  YieldOp::create(builder, recompute.getLoc(), yielded);

  for (auto [value, again] : llvm::zip_equal(values, recompute.getResults()))
    Value(value).replaceUsesWithIf(
        again, [&](OpOperand &use) { return isBackwardUse(use); });
}

LogicalResult BodyRematerializer::run(RematPolicy policy) {
  if (failed(classify()))
    return failure();
  assignSegments(policy);
  llvm::MapVector<unsigned, SmallVector<Value>> segments;
  for (const Forward &entry : forward)
    if (!isAvailable(entry.op))
      for (Value value : entry.op->getResults())
        if (llvm::any_of(value.getUses(),
                         [&](OpOperand &use) { return isBackwardUse(use); }))
          segments[entry.segment].push_back(value);
  for (auto &[segment, values] : segments) {
    // Forward ops may follow backward ones, as those of metrics or of a later
    // visit of the batch do: what is computed only then is another region.
    while (!values.empty()) {
      Operation *user = getFirstBackwardUser(values);
      auto *rest =
          std::stable_partition(values.begin(), values.end(), [&](Value value) {
            return value.getDefiningOp()->isBeforeInBlock(user);
          });
      build(ArrayRef(values.begin(), rest));
      values.erase(values.begin(), rest);
    }
  }
  return success();
}

namespace {
struct Rematerialize : train::impl::RematerializeBase<Rematerialize> {
  using RematerializeBase::RematerializeBase;

  void runOnOperation() override {
    int64_t nextId = 0;
    SmallVector<AccumulateOp> loops;
    getOperation().walk([&](Operation *op) {
      if (auto recompute = dyn_cast<RecomputeOp>(op))
        nextId = std::max<int64_t>(nextId, recompute.getId() + 1);
      if (auto loop = dyn_cast<AccumulateOp>(op))
        loops.push_back(loop);
    });
    for (AccumulateOp loop : loops)
      if (loop.getBody().getOps<RecomputeOp>().empty() &&
          failed(BodyRematerializer(loop, nextId).run(policy)))
        return signalPassFailure();
  }
};
} // namespace
