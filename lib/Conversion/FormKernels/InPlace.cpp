//===- InPlace.cpp - Kernels that overwrite what they read ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group that reads a value element by element can put its result in the place
// of that value. State is updated so, and a gradient that is a function of one
// sum (a loss scale, the gradient of a penalty that is added once) takes the
// place of the sum, which would need as much memory as all parameters.
//
//===----------------------------------------------------------------------===//

#include "KernelFormer.h"

using namespace mlir;
using namespace accrue;

llvm::SetVector<Operation *>
accrue::getComputed(const FusionGroup &group,
                    llvm::function_ref<bool(Value)> isMade,
                    llvm::SetVector<Value> &leaves) {
  llvm::SetVector<Operation *> computed(group.ops.begin(), group.ops.end());
  for (unsigned i = 0; i != computed.size(); ++i)
    for (Value operand : computed[i]->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && FusionGroups::isFree(producer) && !isMade(operand))
        computed.insert(producer);
      else if (!producer || !computed.contains(producer))
        leaves.insert(operand);
    }
  return computed;
}

bool accrue::isReadInPlace(Value value,
                           const llvm::SetVector<Operation *> &computed,
                           llvm::SmallPtrSetImpl<Operation *> &readers) {
  SmallVector<Value> worklist = {value};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (!computed.contains(user))
        continue;
      if (!isa<ElementwiseOpInterface>(user))
        return false;
      if (readers.insert(user).second)
        worklist.append(user->result_begin(), user->result_end());
    }
  return true;
}

/// Whether what lowers `op` makes its results where their places are.
static bool hasPlace(Operation *op, const FusionGroups &groups) {
  if (!op)
    return false;
  if (isa<train::AccumulateOp>(op))
    return true;
  const FusionGroup *group = groups.getGroup(op);
  return group && group->kind != KernelKind::None;
}

Value KernelFormer::findOverwritten(Value value,
                                    const FusionGroups &groups) const {
  const FusionGroup *group = groups.getGroup(value.getDefiningOp());
  if (!group || group->kind != KernelKind::Elementwise)
    return nullptr;
  llvm::SetVector<Value> leaves;
  llvm::SetVector<Operation *> computed =
      getComputed(*group, [](Value) { return false; }, leaves);
  for (Value leaf : leaves) {
    if (leaf.getType() != value.getType() || places.contains(leaf) ||
        !hasPlace(leaf.getDefiningOp(), groups))
      continue;
    // Nobody else reads it, and of what the group stores, this value only.
    llvm::SmallPtrSet<Operation *, 8> readers;
    bool isOwn = llvm::all_of(leaf.getUsers(), [&](Operation *user) {
      return llvm::is_contained(group->ops, user);
    });
    if (isOwn && isReadInPlace(leaf, computed, readers) &&
        llvm::all_of(group->stored, [&](Value stored) {
          return stored == value || !readers.contains(stored.getDefiningOp());
        }))
      return leaf;
  }
  return nullptr;
}
