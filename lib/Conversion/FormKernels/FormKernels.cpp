//===- FormKernels.cpp - From groups of ops to kernels --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function as a whole: which buffer of which arena a value ends in, batch
// arguments, and the return. A value that is a result of the step, or the
// gradient of a parameter, is computed where it has to end up.
//
//===----------------------------------------------------------------------===//

#include "KernelFormer.h"
#include "accrue/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace accrue {
#define GEN_PASS_DEF_FORMKERNELS
#include "accrue/Conversion/Passes.h.inc"
} // namespace accrue

using namespace mlir;
using namespace accrue;

Value accrue::getViewSource(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!FusionGroups::isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

static StringRef getName(func::FuncOp function, unsigned argument) {
  auto name =
      function.getArgAttrOfType<StringAttr>(argument, train::attrs::kName);
  return name ? name.getValue() : "";
}

static bool isGradient(func::FuncOp function, unsigned result) {
  auto kind = function.getResultAttrOfType<train::ResultKindAttr>(
      result, train::attrs::kResult);
  return kind && kind.getValue() == train::ResultKind::gradient;
}

/// Records where `value` ends; the first word counts. A tail continues with
/// the accumulators of the loop before it.
void KernelFormer::setPlace(Value value, const Place &place) {
  Value source = getViewSource(value);
  if (!source.getDefiningOp() || FusionGroups::isFree(source.getDefiningOp()))
    return;
  if (!places.try_emplace(source, place).second)
    return;
  auto accumulate = source.getDefiningOp<train::AccumulateOp>();
  if (accumulate && !accumulate.getInits().empty())
    setPlace(accumulate.getInits()[cast<OpResult>(source).getResultNumber()],
             place);
}

void KernelFormer::computePlaces() {
  Block &block = function.front();
  for (auto update : block.getOps<train::FusedUpdateOp>())
    for (auto [param, gradient] :
         llvm::zip_equal(update.getParams(), update.getGradients())) {
      auto argument = dyn_cast<BlockArgument>(param);
      Place place{argument ? getName(function, argument.getArgNumber()).str()
                           : "gradient",
                  kernel::Arena::gradients, nullptr};
      gradients.push_back({gradient, place});
      setPlace(gradient, place);
    }
  bool isUpdated = !gradients.empty();

  for (OpOperand &operand : block.getTerminator()->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    if (auto target = function.getResultAttrOfType<IntegerAttr>(
            index, train::attrs::kUpdates)) {
      updates.try_emplace(operand.get(), function.getArgument(target.getInt()));
      continue;
    }
    auto name =
        function.getResultAttrOfType<StringAttr>(index, train::attrs::kName);
    std::string text = name ? name.str() : ("result" + Twine(index)).str();
    Place place{text,
                isGradient(function, index) ? kernel::Arena::gradients
                                            : kernel::Arena::outputs,
                function.getResultAttrDict(index)};
    if (isGradient(function, index) && !isUpdated)
      gradients.push_back({operand.get(), place});
    setPlace(operand.get(), place);
  }

  FusionGroups groups(block);
  for (auto &[gradient, place] : gradients) {
    Value source = getViewSource(gradient);
    if (!places.contains(source) || overwritten.contains(source))
      continue;
    if (Value target = findOverwritten(source, groups)) {
      overwritten[source] = target;
      setPlace(target, places.lookup(source));
    }
  }
}

/// A gradient that is not computed in its own place in the arena (a constant,
/// an argument, one value for two parameters) is copied there.
LogicalResult KernelFormer::buildGradients(Location loc) {
  if (!gradientImages.empty())
    return success();
  llvm::SmallDenseSet<Value> taken;
  for (auto &[value, place] : gradients) {
    Value image = getValue(value);
    if (!image)
      return failure();
    Value source = getViewSource(value);
    auto it = places.find(source);
    bool isThere = it != places.end() && it->second.arena == place.arena &&
                   it->second.name == place.name && taken.insert(source).second;
    if (!isThere)
      image = createCopy(loc, image, createAlloc(loc, image.getType(), place));
    gradientImages.push_back(image);
  }
  return success();
}

/// The scope of the parameter that `op` applies, directly or in the ops just
/// before it: "fc1." for a product with `fc1.weight`.
std::string KernelFormer::getScope(Operation *op) const {
  auto cost = dyn_cast<CostOpInterface>(op);
  if (!cost || (cost.getKernelKind() != KernelKind::Elementwise &&
                cost.getKernelKind() != KernelKind::Contraction))
    return "";
  SmallVector<Operation *> current = {op}, before;
  for (unsigned depth = 0; depth != 3; ++depth) {
    for (Operation *user : current)
      for (Value operand : user->getOperands()) {
        if (Operation *producer = operand.getDefiningOp()) {
          before.push_back(producer);
          continue;
        }
        auto argument = cast<BlockArgument>(operand);
        if (argument.getOwner()->getParentOp() != function ||
            inputIndex.contains(argument))
          continue;
        StringRef name = getName(function, argument.getArgNumber());
        if (size_t dot = name.rfind('.'); dot != StringRef::npos)
          return name.take_front(dot + 1).str();
      }
    std::swap(current, before);
    before.clear();
  }
  return "";
}

Place KernelFormer::getPlace(Value value) const {
  auto it = places.find(value);
  if (it != places.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  if (!op)
    return {"value", kernel::Arena::activations, nullptr};
  std::string name = getScope(op) + op->getName().stripDialect().str();
  if (op->hasAttr(train::attrs::kBackward) &&
      !StringRef(name).ends_with("_grad"))
    name += "_grad";
  return {name, kernel::Arena::activations, nullptr};
}

/// A buffer of its own for result `index`, with a copy of `value`.
Value KernelFormer::createResult(func::ReturnOp op, unsigned index,
                                 Value value) {
  auto name =
      function.getResultAttrOfType<StringAttr>(index, train::attrs::kName);
  Place place{name ? name.str() : ("result" + Twine(index)).str(),
              isGradient(function, index) ? kernel::Arena::gradients
                                          : kernel::Arena::outputs,
              function.getResultAttrDict(index)};
  return createCopy(op.getLoc(), value,
                    createAlloc(op.getLoc(), value.getType(), place));
}

LogicalResult KernelFormer::buildFreeResults(func::ReturnOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    Value source = getViewSource(operand.get());
    Operation *producer = source.getDefiningOp();
    bool isFree =
        producer ? FusionGroups::isFree(producer) : source != operand.get();
    if (!isFree || isGradient(function, index))
      continue;
    Value value = getValue(operand.get());
    if (!value)
      return failure();
    if (!function.getResultAttr(index, train::attrs::kUpdates))
      returned[index] = createResult(op, index, value);
  }
  return success();
}

/// Every result is the argument that it updates, or a buffer of its own.
LogicalResult KernelFormer::lowerReturn(func::ReturnOp op) {
  if (failed(buildGradients(op.getLoc())))
    return failure();
  SmallVector<Value> results;
  llvm::SmallDenseSet<Value> sources;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    // The results that are gradients, in their order, are in place already.
    auto gradient = llvm::find_if(gradients, [&](const auto &entry) {
      return entry.first == operand.get() &&
             entry.second.info == function.getResultAttrDict(index);
    });
    if (isGradient(function, index) && gradient != gradients.end()) {
      results.push_back(gradientImages[gradient - gradients.begin()]);
      continue;
    }
    if (Value early = returned.lookup(index)) {
      results.push_back(early);
      continue;
    }
    Value value = getValue(operand.get());
    if (!value)
      return failure();
    auto target = function.getResultAttrOfType<IntegerAttr>(
        index, train::attrs::kUpdates);
    if (target) {
      Value argument =
          mapping.lookup<Value>(function.getArgument(target.getInt()));
      // Results of the update and of groups in place are that argument.
      bool inPlace = value == argument ||
                     operand.get().getDefiningOp<train::FusedUpdateOp>() ||
                     updates.lookup(operand.get()) ==
                         function.getArgument(target.getInt());
      results.push_back(inPlace ? value
                                : createCopy(op.getLoc(), value, argument));
      continue;
    }
    Value source = getViewSource(operand.get());
    auto place = places.find(source);
    bool owned = place != places.end() &&
                 place->second.info == function.getResultAttrDict(index) &&
                 sources.insert(source).second;
    results.push_back(owned ? value : createResult(op, index, value));
  }
  func::ReturnOp::create(builder, op.getLoc(), results);
  return success();
}

LogicalResult KernelFormer::run() {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitError("expected a single block");
  Block &oldBlock = function.front();
  for (BlockArgument argument : oldBlock.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape())
      return function.emitError("expected arguments of static shape, got ")
             << argument.getType() << "; run 'train-accumulate' first";
  }
  computePlaces();

  Block *block = new Block();
  function.getBody().push_back(block);
  SmallVector<Attribute> inputs;
  llvm::BitVector batch(oldBlock.getNumArguments());
  for (BlockArgument argument : oldBlock.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto role =
        function.getArgAttrOfType<train::RoleAttr>(index, train::attrs::kRole);
    Value image = block->addArgument(argument.getType(), argument.getLoc());
    if (!role || role.getValue() != train::Role::batch) {
      mapping.map(argument, image);
      continue;
    }
    batch.set(index);
    inputIndex[argument] = inputs.size();
    auto dim =
        function.getArgAttrOfType<IntegerAttr>(index, train::attrs::kBatchDim);
    inputs.push_back(kernel::InputPlanAttr::get(
        function.getContext(), getName(function, index), inputs.size(),
        cast<RankedTensorType>(argument.getType()), dim ? dim.getInt() : 0,
        function.getArgAttrOfType<ArrayAttr>(index,
                                             train::attrs::kIndexBounds)));
  }

  builder.setInsertionPointToStart(block);
  auto terminator = cast<func::ReturnOp>(oldBlock.getTerminator());
  // Old values of arguments, before they are updated.
  for (OpOperand &operand : terminator->getOpOperands()) {
    unsigned index = operand.getOperandNumber();
    auto argument = dyn_cast<BlockArgument>(operand.get());
    if (argument && !inputIndex.contains(argument) &&
        !isGradient(function, index) &&
        !function.getResultAttr(index, train::attrs::kUpdates))
      returned[index] =
          createResult(terminator, index, mapping.lookup<Value>(argument));
  }
  SmallVector<Value> values;
  if (failed(lowerBlock(oldBlock, {}, values)) ||
      failed(lowerReturn(terminator))) {
    // Leave the function as it was.
    block->dropAllReferences();
    block->erase();
    return failure();
  }
  function->setAttr(kernel::attrs::kInputs, builder.getArrayAttr(inputs));

  // Nothing of the old body is used any more.
  oldBlock.dropAllReferences();
  oldBlock.erase();
  // Results refer to the arguments that remain.
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i) {
    auto target =
        function.getResultAttrOfType<IntegerAttr>(i, train::attrs::kUpdates);
    if (!target)
      continue;
    int64_t erased = 0;
    for (unsigned argument : batch.set_bits())
      erased += argument < target.getInt();
    function.setResultAttr(i, train::attrs::kUpdates,
                           builder.getI64IntegerAttr(target.getInt() - erased));
  }
  return function.eraseArguments(batch);
}

namespace {
struct FormKernelsPass : public accrue::impl::FormKernelsBase<FormKernelsPass> {
  using FormKernelsBase::FormKernelsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr(train::attrs::kModel) &&
        !function->hasAttr(train::attrs::kStep))
      return;
    if (failed(KernelFormer(function).run()))
      signalPassFailure();
  }
};
} // namespace
