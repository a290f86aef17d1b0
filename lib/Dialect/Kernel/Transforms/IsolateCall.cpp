//===- IsolateCall.cpp - One call of a step by itself ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The backward slice of the call's operands (buffers, and scalars that are
// computed from constants and loop counters) in a copy of the step's function.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/IsolateCall.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace accrue;

namespace {

/// Copies what values are computed from to the place of `builder`.
struct SliceCopier {
  Value copy(Value value);
  Value getCounter(scf::ForOp loop);

  OpBuilder &builder;
  IRMapping map;
};

} // namespace

/// The counter of `loop` in its second iteration, or in the only one.
Value SliceCopier::getCounter(scf::ForOp loop) {
  Value first = copy(loop.getLowerBound());
  std::optional<APInt> count = loop.getStaticTripCount();
  if (count && count->isOne())
    return first;
  return arith::AddIOp::create(builder, loop.getLoc(), first,
                               copy(loop.getStep()));
}

Value SliceCopier::copy(Value value) {
  if (Value known = map.lookupOrNull(value))
    return known;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = cast<scf::ForOp>(argument.getOwner()->getParentOp());
    map.map(value, getCounter(loop));
  } else {
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      copy(operand);
    builder.clone(*op, map);
  }
  return map.lookup(value);
}

OwningOpRef<ModuleOp> kernel::isolateCall(Operation *call, int64_t repeat) {
  auto step = call->getParentOfType<func::FuncOp>();
  OwningOpRef<ModuleOp> module(ModuleOp::create(step.getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  if (auto launch = dyn_cast<LaunchOp>(call))
    builder.clone(
        *SymbolTable::lookupNearestSymbolFrom(launch, launch.getCalleeAttr()));

  auto function = cast<func::FuncOp>(builder.cloneWithoutRegions(*step));
  builder.createBlock(&function.getBody());
  SliceCopier copier = {builder, {}};
  for (BlockArgument argument : step.getArguments())
    copier.map.map(argument, function.getBody().addArgument(argument.getType(),
                                                            argument.getLoc()));
  for (Value operand : call->getOperands())
    copier.copy(operand);

  Location loc = call->getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value end = arith::ConstantIndexOp::create(builder, loc, repeat);
  auto loop = scf::ForOp::create(builder, loc, zero, end, one);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  builder.clone(*call, copier.map);
  return module;
}
