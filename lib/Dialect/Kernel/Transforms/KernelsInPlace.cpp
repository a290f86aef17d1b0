//===- KernelsInPlace.cpp - Overwrite what nobody reads again -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets an elementwise kernel write its result over an operand that dies in it,
// instead of into a buffer of its own. On tensors this is a change of
// destination: bufferization does the rest, and a kernel never sees one buffer
// under two names.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "accrue/Interfaces/ElementwiseOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue::kernel {
#define GEN_PASS_DEF_KERNELSINPLACE
#include "accrue/Dialect/Kernel/Passes.h.inc"
} // namespace accrue::kernel

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

/// The allocation of activations that `value` is stored in, if every version of
/// its contents before `value` is read by nobody else than the next writer.
static AllocOp getOwnAlloc(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      return alloc.getArena() == Arena::activations ? alloc : nullptr;
    auto writer = dyn_cast<DestinationStyleOpInterface>(op);
    if (!writer)
      return nullptr;
    value = writer.getTiedOpOperand(cast<OpResult>(value))->get();
    if (!value.hasOneUse())
      return nullptr;
  }
  return nullptr;
}

/// True when nothing after `op` reads `value`, which is defined in its block.
static bool diesIn(Value value, Operation *op) {
  for (Operation *user : value.getUsers()) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || (ancestor != op && op->isBeforeInBlock(ancestor)))
      return false;
  }
  return value.getParentBlock() == op->getBlock() &&
         llvm::count(op->getOperands(), value) == 1;
}

/// True when an element of `argument` is read only for the element of the
/// result at the same place.
static bool isReadElementwise(BlockArgument argument) {
  SmallVector<Value> worklist = {argument};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      if (isa<YieldOp>(user))
        continue;
      if (!isa<ElementwiseOpInterface>(user))
        return false;
      llvm::append_range(worklist, user->getResults());
    }
  }
  return true;
}

/// The input of `group` that its only result can overwrite; none if there is no
/// such input.
static std::optional<unsigned> findDyingInput(GroupOp group) {
  if (group.getSchedule() != Schedule::elementwise ||
      group.getNumResults() != 1)
    return std::nullopt;
  auto own = group.getOuts().front().getDefiningOp<AllocOp>();
  if (!own || own.getArena() != Arena::activations ||
      !own.getResult().hasOneUse() ||
      !group.getOutArguments().front().use_empty())
    return std::nullopt;
  for (auto [i, input] : llvm::enumerate(group.getInputs()))
    if (input.getType() == own.getResult().getType() &&
        diesIn(input, group) && getOwnAlloc(input) &&
        isReadElementwise(group.getInputArguments()[i]))
      return i;
  return std::nullopt;
}

/// Makes input number `index` of `group` its destination.
static void overwriteInput(GroupOp group, unsigned index) {
  auto own = group.getOuts().front().getDefiningOp<AllocOp>();
  // The buffer ends as what this kernel computes: that is its name.
  getOwnAlloc(group.getInputs()[index]).setName(own.getName());
  group.getOutsMutable()[0].set(group.getInputs()[index]);
  group.getOutArguments().front().setLoc(
      group.getInputArguments()[index].getLoc());
  group.getInputArguments()[index].replaceAllUsesWith(
      group.getOutArguments().front());
  group.getInputsMutable().erase(index);
  group.getBody().eraseArgument(index);
  own.erase();
}

namespace {
struct KernelsInPlacePass
    : public kernel::impl::KernelsInPlaceBase<KernelsInPlacePass> {
  void runOnOperation() override {
    SmallVector<GroupOp> groups;
    getOperation().walk([&](GroupOp group) { groups.push_back(group); });
    for (GroupOp group : groups)
      if (std::optional<unsigned> index = findDyingInput(group))
        overwriteInput(group, *index);
  }
};
} // namespace
