//===- Groups.cpp - Groups, products and blocks as kernels ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the groups of a block in their order of execution. A contribution that
// only the terminator uses is combined into its accumulator by the kernel that
// computes it.
//
//===----------------------------------------------------------------------===//

#include "KernelFormer.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;

Value accrue::createReshape(OpBuilder &builder, Location loc, Value value,
                            RankedTensorType type) {
  auto source = cast<RankedTensorType>(value.getType());
  if (source == type)
    return value;
  if (auto reassociation = getReassociationIndicesForReshape(source, type)) {
    if (source.getRank() > type.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, type, value,
                                             *reassociation);
    return tensor::ExpandShapeOp::create(builder, loc, type, value,
                                         *reassociation);
  }
  // Through the flat shape.
  auto flat =
      RankedTensorType::get({source.getNumElements()}, source.getElementType());
  Value flattened = createReshape(builder, loc, value, flat);
  return createReshape(builder, loc, flattened, type);
}

/// The dimensions that a reduction sums over, by the convention that they are
/// its attribute `dims` or `dim`.
static SmallVector<int64_t> getReducedDims(Operation *op) {
  if (auto dims = dyn_cast_or_null<DenseI64ArrayAttr>(
          op->getInherentAttr("dims").value_or(nullptr)))
    return llvm::to_vector(dims.asArrayRef());
  if (auto dim = dyn_cast_or_null<IntegerAttr>(
          op->getInherentAttr("dim").value_or(nullptr)))
    return {dim.getInt()};
  return {};
}

static kernel::Schedule getSchedule(const FusionGroup &group) {
  if (group.kind == KernelKind::Row)
    return kernel::Schedule::rows;
  if (group.kind != KernelKind::Reduction)
    return kernel::Schedule::elementwise;
  // Contiguous where the last dimensions are summed.
  for (Operation *op : group.ops) {
    if (cast<CostOpInterface>(op).getKernelKind() != KernelKind::Reduction)
      continue;
    SmallVector<int64_t> dims = getReducedDims(op);
    int64_t rank =
        cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
    for (auto [i, dim] : llvm::enumerate(llvm::reverse(dims)))
      if (dim != rank - 1 - static_cast<int64_t>(i))
        return kernel::Schedule::columns;
  }
  return kernel::Schedule::rows;
}

/// A name from what characterizes the group: where its result goes, then its
/// rows and reductions, else its ops.
static std::string getGroupName(const FusionGroup &group,
                                ArrayRef<Place> places) {
  SmallVector<StringRef> words;
  auto addWord = [&](StringRef word) {
    if (words.size() < 4 && !llvm::is_contained(words, word))
      words.push_back(word);
  };
  for (const Place &place : places) {
    StringRef leaf = StringRef(place.name).rsplit('.').second;
    if (place.arena == kernel::Arena::gradients) {
      addWord(leaf.empty() ? StringRef(place.name) : leaf);
      addWord("grad");
    }
  }
  auto isMain = [](Operation *op) {
    KernelKind kind = cast<CostOpInterface>(op).getKernelKind();
    return kind == KernelKind::Row || kind == KernelKind::Reduction;
  };
  bool hasMain = llvm::any_of(group.ops, isMain);
  // What people look at says more than how it is computed.
  if (!hasMain)
    for (const Place &place : places) {
      if (place.arena == kernel::Arena::outputs)
        return place.name;
      if (place.arena == kernel::Arena::state)
        return "next_" + place.name;
    }
  for (Operation *op : group.ops)
    if (!hasMain || isMain(op))
      addWord(op->getName().stripDialect());
  return llvm::join(words, "_");
}

static bool isBackward(Operation *op) {
  return op->hasAttr(train::attrs::kBackward);
}

static Location getGroupLoc(const FusionGroup &group) {
  SmallVector<Location> locs;
  for (Operation *op : group.ops)
    locs.push_back(op->getLoc());
  return FusedLoc::get(group.ops.front()->getContext(), locs);
}

void KernelFormer::mark(Operation *op) {
  if (recompute)
    op->setAttr(kernel::attrs::kRecompute, recompute);
}

Value KernelFormer::createAlloc(Location loc, Type type, const Place &place) {
  auto op = kernel::AllocOp::create(builder, loc, type, place.name, place.arena,
                                    place.info);
  mark(op);
  return op.getResult();
}

kernel::GroupOp KernelFormer::createGroup(
    Location loc, StringRef name, kernel::Schedule schedule, ValueRange inputs,
    ValueRange outs,
    function_ref<SmallVector<Value>(OpBuilder &, Block::BlockArgListType,
                                    Block::BlockArgListType)>
        build) {
  auto group = kernel::GroupOp::create(builder, loc, outs.getTypes(), name,
                                       schedule, inputs, outs);
  mark(group);
  Block &body = group.getBody().emplaceBlock();
  for (Value operand : group.getOperands())
    body.addArgument(operand.getType(), operand.getLoc());
  OpBuilder bodyBuilder = OpBuilder::atBlockBegin(&body);
  SmallVector<Value> values =
      build(bodyBuilder, group.getInputArguments(), group.getOutArguments());
  kernel::YieldOp::create(bodyBuilder, loc, values);
  return group;
}

Value KernelFormer::createCopy(Location loc, Value value, Value destination) {
  return createGroup(loc, "copy", kernel::Schedule::elementwise, value,
                     destination,
                     [](OpBuilder &, auto inputs, auto) {
                       return SmallVector<Value>{inputs[0]};
                     })
      .getResult(0);
}

Value KernelFormer::combine(OpBuilder &bodyBuilder, Location loc,
                            const Accumulator &accumulator, Value first,
                            Value old, Value contribution) {
  if (accumulator.overwrites)
    return contribution;
  Value combined =
      accumulator.reducer == train::Reducer::max
          ? Value(nn::MaxOp::create(bodyBuilder, loc, contribution.getType(),
                                    old, contribution))
          : Value(nn::AddOp::create(bodyBuilder, loc, contribution.getType(),
                                    old, contribution));
  if (!first)
    return combined;
  return arith::SelectOp::create(bodyBuilder, loc, first, contribution,
                                 combined);
}

Value KernelFormer::createCombination(Location loc, Value value,
                                      const Accumulator &accumulator) {
  SmallVector<Value> inputs = {value};
  if (accumulator.offset)
    return createConcatenation(loc, value, accumulator);
  if (accumulator.first)
    inputs.push_back(accumulator.first);
  auto build = [&](OpBuilder &body, Block::BlockArgListType ins,
                   Block::BlockArgListType dests) {
    Value first = accumulator.first ? Value(ins[1]) : Value();
    return SmallVector<Value>{
        combine(body, loc, accumulator, first, dests[0], ins[0])};
  };
  return createGroup(loc, "accumulate", kernel::Schedule::elementwise, inputs,
                     accumulator.tensor, build)
      .getResult(0);
}

Value KernelFormer::createDestination(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto accumulator = accumulatorOf.find(value);
  if (accumulator != accumulatorOf.end())
    return createReshape(builder, value.getLoc(), accumulator->second.tensor,
                         type);
  return createAlloc(value.getLoc(), type, getPlace(value));
}

Value KernelFormer::getValue(Value value) {
  if (Value image = mapping.lookupOrNull(value))
    return image;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!inputIndex.contains(argument))
      return nullptr;
    // The whole logical batch at once.
    auto type = cast<RankedTensorType>(value.getType());
    auto dim = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                      train::attrs::kBatchDim);
    MappedMode mode;
    mode.dim = dim ? dim.getInt() : 0;
    int64_t batch = type.getDimSize(mode.dim);
    Value zero = arith::ConstantIndexOp::create(builder, value.getLoc(), 0);
    Value image =
        createLoad(value.getLoc(), argument, mode, zero, batch, batch, type);
    mapping.map(value, image);
    scoped.push_back(value);
    return image;
  }
  Operation *op = value.getDefiningOp();
  if (!FusionGroups::isFree(op)) {
    op->emitError("expected the result of '")
        << op->getName() << "' to be stored";
    return nullptr;
  }
  bool isTransient;
  if (FusionGroups::isView(op)) {
    Value source = getValue(op->getOperand(0));
    if (!source)
      return nullptr;
    isTransient = transient.contains(op->getOperand(0));
    mapping.map(value, createReshape(builder, op->getLoc(), source,
                                     cast<RankedTensorType>(value.getType())));
  } else {
    FusionGroup group;
    group.kind = KernelKind::Elementwise;
    group.ops = {op};
    group.stored = {value};
    if (failed(lowerGroup(group)))
      return nullptr;
    isTransient = cast<CostOpInterface>(op).getKernelKind() != KernelKind::None;
  }
  if (isTransient)
    transient.insert(value);
  else
    scoped.push_back(value);
  return mapping.lookup(value);
}

/// Counts `image`, of a free op, to the pass of the op that reads it.
static void markImage(Value image, bool isReaderBackward) {
  auto group = image.getDefiningOp<kernel::GroupOp>();
  if (group && isReaderBackward)
    group->setAttr(kernel::attrs::kBackward, UnitAttr::get(group.getContext()));
  else if (group)
    group->removeAttr(kernel::attrs::kBackward);
}

void KernelFormer::dropImages() {
  for (Value value : transient)
    mapping.erase(value);
  transient.clear();
}

LogicalResult KernelFormer::lowerGroup(const FusionGroup &group) {
  if (group.stored.empty())
    return success();
  Location loc = getGroupLoc(group);

  llvm::SetVector<Value> leaves;
  llvm::SetVector<Operation *> computed = getComputed(
      group, [&](Value value) { return mapping.contains(value); }, leaves);

  SmallVector<Value> inputs, outs;
  SmallVector<Place> destinations;
  Value first;
  // What is overwritten is read through the destination.
  llvm::DenseMap<Value, unsigned> readThrough;
  for (auto [i, value] : llvm::enumerate(group.stored)) {
    BlockArgument argument = updates.lookup(value);
    llvm::SmallPtrSet<Operation *, 8> readers;
    bool isUpdate = argument && group.kind == KernelKind::Elementwise &&
                    argument.getType() == value.getType() &&
                    isReadInPlace(argument, computed, readers);
    Value target = isUpdate ? argument : overwritten.lookup(value);
    if (target) {
      outs.push_back(mapping.lookup<Value>(target));
      readThrough[target] = i;
      leaves.remove(target);
    } else {
      outs.push_back(createDestination(value));
    }
    if (!isUpdate)
      updates.erase(value);
    auto accumulator = accumulatorOf.find(value);
    if (accumulator != accumulatorOf.end() && accumulator->second.first)
      first = accumulator->second.first;
    if (accumulator != accumulatorOf.end()) {
      destinations.push_back(accumulator->second.place);
    } else if (isUpdate) {
      auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        train::attrs::kName);
      destinations.push_back(
          {name ? name.str() : "state", kernel::Arena::state, nullptr});
    } else {
      destinations.push_back(getPlace(value));
    }
  }
  for (Value leaf : leaves) {
    Value input = getValue(leaf);
    if (!input)
      return failure();
    inputs.push_back(input);
  }
  if (first)
    inputs.push_back(first);

  auto build = [&](OpBuilder &body, Block::BlockArgListType ins,
                   Block::BlockArgListType dests) {
    IRMapping local;
    for (auto [leaf, argument] :
         llvm::zip(leaves, ins.take_front(leaves.size())))
      local.map(leaf, argument);
    for (auto [value, index] : readThrough)
      local.map(value, dests[index]);
    std::function<void(Operation *)> cloneOp = [&](Operation *op) {
      if (local.contains(op->getResult(0)))
        return;
      for (Value operand : op->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          if (!local.contains(operand))
            cloneOp(producer);
      body.clone(*op, local);
    };
    for (Operation *op : group.ops)
      cloneOp(op);
    SmallVector<Value> values;
    for (auto [value, dest] : llvm::zip_equal(group.stored, dests)) {
      Value result = local.lookup(value);
      auto accumulator = accumulatorOf.find(value);
      if (accumulator != accumulatorOf.end())
        result =
            combine(body, loc, accumulator->second,
                    accumulator->second.first ? Value(ins.back()) : Value(),
                    dest, result);
      values.push_back(result);
    }
    return values;
  };
  kernel::GroupOp op = createGroup(loc, getGroupName(group, destinations),
                                   getSchedule(group), inputs, outs, build);
  // A kernel that also computes something of the forward pass belongs to it.
  if (llvm::all_of(group.ops, [](Operation *member) {
        return isBackward(member) || FusionGroups::isFree(member);
      }))
    op->setAttr(kernel::attrs::kBackward, builder.getUnitAttr());
  for (auto [value, result] : llvm::zip_equal(group.stored, op.getResults()))
    mapping.map(value, result);
  return success();
}

LogicalResult KernelFormer::lowerContraction(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](nn::MatmulOp op) { return lowerProduct(op); })
      .Case([&](nn::ScatterAddOp op) { return lowerScatter(op); })
      .Default([](Operation *op) {
        return op->emitError("expected a product or a sum by index, got '")
               << op->getName() << "'";
      });
}

LogicalResult KernelFormer::lowerProduct(nn::MatmulOp matmul) {
  Location loc = matmul.getLoc();
  auto type = cast<RankedTensorType>(matmul.getType());
  auto element = cast<FloatType>(type.getElementType());
  if (!element.isF32() && !element.isF64())
    return matmul.emitError("expected a product of f32 or f64 matrices, got ")
           << element;
  Value a = getValue(matmul.getLhs());
  Value b = getValue(matmul.getRhs());
  if (!a || !b)
    return failure();
  Value destination = createDestination(matmul.getResult());
  auto createFloat = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(element, value));
  };
  Value alpha = createFloat(1), beta = createFloat(0);
  auto accumulator = accumulatorOf.find(matmul.getResult());
  if (accumulator != accumulatorOf.end() && !accumulator->second.overwrites) {
    Value first = accumulator->second.first;
    beta =
        first ? Value(arith::SelectOp::create(builder, loc, first, beta, alpha))
              : alpha;
  }
  auto gemm = kernel::GemmOp::create(
      builder, loc, TypeRange{type}, a, b, alpha, beta, destination,
      matmul.getTransposeLhs(), matmul.getTransposeRhs(),
      /*workspace=*/Value());
  mark(gemm);
  if (isBackward(matmul))
    gemm->setAttr(kernel::attrs::kBackward, builder.getUnitAttr());
  mapping.map(matmul.getResult(), gemm.getResult()[0]);
  return success();
}

/// True for groups whose results replace arguments and have no other use.
bool KernelFormer::overwritesArgument(const FusionGroup &group) const {
  bool overwrites = false;
  for (Operation *op : group.ops)
    for (Value result : op->getResults()) {
      overwrites |= updates.contains(result);
      for (Operation *user : result.getUsers())
        if (!isa<func::ReturnOp>(user) && !llvm::is_contained(group.ops, user))
          return false;
    }
  return overwrites;
}

/// Whether `group` reads `argument`, directly or through free ops.
static bool readsArgument(const FusionGroup &group, BlockArgument argument) {
  SmallVector<Operation *> worklist(group.ops);
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands()) {
      if (operand == argument)
        return true;
      Operation *producer = operand.getDefiningOp();
      if (producer && FusionGroups::isFree(producer) &&
          seen.insert(producer).second)
        worklist.push_back(producer);
    }
  return false;
}

/// Sorts groups that overwrite arguments so that each comes after those that
/// read the old values. Of groups that read each other's, one writes elsewhere;
/// its value is copied to the argument at the end.
void KernelFormer::orderOverwriting(
    SmallVectorImpl<const FusionGroup *> &groups) {
  SmallVector<const FusionGroup *> pending(groups.begin(), groups.end()),
      sorted;
  auto isFree = [&](const FusionGroup *group) {
    for (Operation *op : group->ops)
      for (Value result : op->getResults())
        if (BlockArgument target = updates.lookup(result))
          for (const FusionGroup *other : pending)
            if (other != group && readsArgument(*other, target))
              return false;
    return true;
  };
  while (!pending.empty()) {
    auto next = llvm::find_if(pending, isFree);
    if (next == pending.end()) {
      next = pending.begin();
      for (Operation *op : (*next)->ops)
        for (Value result : op->getResults())
          updates.erase(result);
    }
    sorted.push_back(*next);
    pending.erase(next);
  }
  groups.assign(sorted);
}

/// Compares what was emitted for `group` with the analysis: the kernel stores
/// what the analysis says, in that order, and nothing else.
LogicalResult KernelFormer::verifyGroup(const FusionGroup &group) {
  if (group.kind == KernelKind::None || group.stored.empty())
    return success();
  Operation *kernel = mapping.lookup(group.stored.front()).getDefiningOp();
  bool isKernel =
      isa_and_present<kernel::GroupOp, kernel::GemmOp, kernel::ScatterAddOp>(
          kernel);
  if (!isKernel || kernel->getNumResults() != group.stored.size() ||
      !llvm::equal(kernel->getResults(), group.stored,
                   [&](Value result, Value value) {
                     return mapping.lookupOrNull(value) == result;
                   }))
    return group.ops.front()->emitError("expected a kernel that stores ")
           << group.stored.size() << " values, as the fusion analysis says";
  return success();
}

LogicalResult KernelFormer::lowerBlock(Block &block,
                                       ArrayRef<Accumulator> accumulators,
                                       SmallVectorImpl<Value> &values) {
  FusionGroups groups(block);
  Operation *terminator = block.getTerminator();

  // Contributions that only the terminator uses, perhaps through views, are
  // combined by the kernels that compute them.
  SmallVector<Value> direct(terminator->getNumOperands());
  for (auto [i, accumulator] : llvm::enumerate(accumulators)) {
    Value value = terminator->getOperand(i);
    while (Operation *op = value.getDefiningOp()) {
      if (!value.hasOneUse() || op->getBlock() != &block ||
          !FusionGroups::isView(op))
        break;
      value = op->getOperand(0);
    }
    Operation *op = value.getDefiningOp();
    const FusionGroup *group = op ? groups.getGroup(op) : nullptr;
    if (!group || group->kind == KernelKind::None || !value.hasOneUse())
      continue;
    if (accumulator.offset || (accumulator.reducer != train::Reducer::sum &&
                               group->kind == KernelKind::Contraction))
      continue;
    direct[i] = value;
    accumulatorOf[value] = accumulator;
    addTerms(value, accumulator, groups);
  }

  SmallVector<Value> outerScope;
  std::swap(scoped, outerScope);
  auto lower = [&]() -> LogicalResult {
    // What overwrites an argument comes last: others may read the old value.
    SmallVector<const FusionGroup *> order, last;
    for (const FusionGroup &group : groups.getGroups())
      (overwritesArgument(group) ? last : order).push_back(&group);
    unsigned firstOverwriting = order.size();
    orderOverwriting(last);
    order.append(last);
    auto returns = dyn_cast<func::ReturnOp>(terminator);
    for (auto [i, next] : llvm::enumerate(order)) {
      const FusionGroup &group = *next;
      if (sumOf.contains(group.ops.front()))
        continue;
      if (i == firstOverwriting && returns && failed(buildFreeResults(returns)))
        return failure();
      LogicalResult result = group.kind == KernelKind::None
                                 ? lowerOther(group.ops.front())
                             : group.kind == KernelKind::Contraction
                                 ? lowerContraction(group.ops.front())
                                 : lowerGroup(group);
      if (failed(result) || failed(verifyGroup(group)))
        return failure();
      finishTerm(group.ops.front());
      bool isReaderBackward = llvm::all_of(group.ops, isBackward);
      for (Value value : transient)
        markImage(mapping.lookup(value), isReaderBackward);
      dropImages();
    }
    if (isa<func::ReturnOp>(terminator))
      return success();
    for (auto [i, operand] : llvm::enumerate(terminator->getOperands())) {
      Location loc = operand.getLoc();
      if (direct[i]) {
        auto type = cast<RankedTensorType>(operand.getType());
        values.push_back(
            createReshape(builder, loc, mapping.lookup(direct[i]), type));
        continue;
      }
      Value value = getValue(operand);
      if (!value)
        return failure();
      if (!accumulators.empty())
        value = createCombination(loc, value, accumulators[i]);
      values.push_back(value);
    }
    return success();
  };
  LogicalResult result = lower();
  // Return values are looked up by the caller, in the same scope.
  if (!isa<func::ReturnOp>(terminator)) {
    for (Value value : scoped)
      mapping.erase(value);
    dropImages();
  }
  std::swap(scoped, outerScope);
  for (Value value : direct)
    if (value)
      accumulatorOf.erase(value);
  return result;
}
