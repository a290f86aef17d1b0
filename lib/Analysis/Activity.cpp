//===- Activity.cpp - Values that take part in a derivative ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk forwards from the values differentiated by, one backwards from the
// loss. An op with regions counts as reading what its regions capture.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Activity.h"
#include "accrue/Interfaces/DifferentiableOpInterface.h"
#include "mlir/IR/Block.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace accrue;

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// The values through which a derivative may pass `op` backwards, in operand
/// order.
static SmallVector<Value> getDifferentiableInputs(Operation *op) {
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  SmallVector<Value> inputs;
  for (OpOperand &operand : op->getOpOperands())
    if (isFloat(operand.get()) &&
        !(rule && rule.isInactiveOperand(operand.getOperandNumber())))
      inputs.push_back(operand.get());
  if (op->getNumRegions() == 0)
    return inputs;
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::copy_if(captured, std::back_inserter(inputs), isFloat);
  return inputs;
}

Activity::Activity(Value loss, ValueRange wrt) {
  for (Value value : wrt)
    sources.try_emplace(value, value);
  Block *block = loss.getParentBlock();
  Operation *last = loss.getDefiningOp();
  if (last)
    for (Operation &op : *block) {
      for (Value input : getDifferentiableInputs(&op)) {
        Value source = sources.lookup(input);
        if (!source)
          continue;
        for (Value result : op.getResults())
          if (isFloat(result))
            sources.try_emplace(result, source);
        break;
      }
      if (&op == last)
        break;
    }

  useful.insert(loss);
  for (Operation *op = last; op; op = op->getPrevNode())
    if (llvm::any_of(op->getResults(),
                     [&](Value result) { return useful.contains(result); }))
      for (Value input : getDifferentiableInputs(op))
        useful.insert(input);
}
