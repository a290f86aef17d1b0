//===- MapStep.cpp - The calls of a step ----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One op of the planned level after another. What follows from the layout of a
// batch, as the pieces of a copy, is decided here.
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// The type of input `index` of the plan of `step`.
static MemRefType getInputType(func::FuncOp step, uint64_t index) {
  auto plan = step->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan);
  for (kernel::InputPlanAttr input : plan.getInputs())
    if (input.getIndex() == static_cast<int64_t>(index))
      return MemRefType::get(input.getType().getShape(),
                             input.getType().getElementType());
  return {};
}

static LogicalResult mapLoadInput(kernel::LoadInputOp load) {
  auto step = load->getParentOfType<func::FuncOp>();
  OpBuilder builder(load);
  Location loc = load.getLoc();
  MemRefType inputType = getInputType(step, load.getInput());
  if (!inputType || !inputType.hasStaticShape())
    return load.emitOpError("expected input ")
           << load.getInput() << " in the plan of the step";

  auto type = cast<MemRefType>(load.getDestination().getType());
  MappedMode mode = train::getMappedMode(load.getMode());
  // Elements of one group of samples of the innermost contiguous piece, and the
  // number of such pieces.
  int64_t height = mode.outer, inner = mode.inner;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (static_cast<int64_t>(dim) < mode.dim)
      height *= size;
    if (static_cast<int64_t>(dim) > mode.dim)
      inner *= size;
  }
  int64_t group = mode.innerDenominator;
  int64_t size = load.getSizeAttr().getInt();
  int64_t of = load.getOfAttr().getInt();
  if (size % group != 0 || of % group != 0)
    return load.emitOpError("expected whole groups of samples, got ")
           << load.getMode();

  Value input = InputOp::create(builder, loc, inputType, load.getInput());
  Value offset = load.getOffset();
  if (group != 1)
    offset = arith::DivUIOp::create(
        builder, loc, offset,
        arith::ConstantIndexOp::create(builder, loc, group));
  offset = arith::MulIOp::create(
      builder, loc, offset,
      arith::ConstantIndexOp::create(builder, loc, inner));
  if (height == 1)
    MemcpyOp::create(builder, loc, load.getDestination(), input, offset,
                     size / group * inner);
  else
    Memcpy2DOp::create(builder, loc, load.getDestination(), input, offset,
                       size / group * inner, height, of / group * inner);
  load.erase();
  return success();
}

static void mapLaunch(kernel::LaunchOp launch) {
  OpBuilder builder(launch);
  LaunchOp::create(builder, launch.getLoc(), launch.getCallee(),
                   launch.getOperands());
  launch.erase();
}

LogicalResult accrue::cuda::mapStep(func::FuncOp step, SymbolTable &symbols) {
  SmallVector<Operation *> ops;
  step.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto gemm = dyn_cast<kernel::GemmOp>(op)) {
      mapGemm(gemm, symbols);
    } else if (auto launch = dyn_cast<kernel::LaunchOp>(op)) {
      mapLaunch(launch);
    } else if (auto load = dyn_cast<kernel::LoadInputOp>(op)) {
      if (failed(mapLoadInput(load)))
        return failure();
    } else if (auto update = dyn_cast<kernel::FlatUpdateOp>(op)) {
      if (failed(mapUpdate(update, symbols)))
        return failure();
    }
  }
  return success();
}
