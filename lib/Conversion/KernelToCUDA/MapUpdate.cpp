//===- MapUpdate.cpp - The optimizer in one kernel ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads run over the flat arrays up to the end of the last range. A table in
// constant memory tells which rule, if any, an element has. What the rules
// compute from the step's scalars alone comes first, once per thread.
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "accrue/Analysis/KernelCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

namespace {

/// Arguments of a rule, by what they are.
struct RuleArguments {
  RuleArguments(kernel::FlatUpdateOp update, Region &rule)
      : elements(rule.getArguments().drop_back(update.getNorm() ? 3 : 2)),
        scalars(rule.getArguments().drop_front(elements.size())) {}

  /// Parameter, gradient, slots.
  ValueRange elements;
  /// Completed steps, factor, norm.
  ValueRange scalars;
};

} // namespace

/// The position after the last element of all ranges.
static int64_t getEnd(kernel::FlatUpdateOp update) {
  int64_t end = 0;
  for (Attribute attr : update.getRanges()) {
    auto range = cast<kernel::RangeAttr>(attr);
    end = std::max(end, range.getOffset() + range.getCount());
  }
  return end;
}

/// The ranges in the order of their elements.
static RangesOp buildTable(kernel::FlatUpdateOp update, OpBuilder &builder,
                           SymbolTable &symbols) {
  SmallVector<Attribute> sorted(update.getRanges().begin(),
                                update.getRanges().end());
  llvm::stable_sort(sorted, [](Attribute a, Attribute b) {
    return cast<kernel::RangeAttr>(a).getOffset() <
           cast<kernel::RangeAttr>(b).getOffset();
  });
  auto table = RangesOp::create(
      builder, update.getLoc(), builder.getStringAttr("update_ranges"),
      builder.getArrayAttr(sorted), builder.getI64IntegerAttr(32));
  symbols.insert(table);
  return table;
}

/// Applies `rule` to element `i`: loads, the ops that are not in `map` yet,
/// stores.
static void applyRule(ImplicitLocOpBuilder &b, Region &rule,
                      const RuleArguments &arguments, ValueRange arrays,
                      Value i, IRMapping map) {
  for (auto [argument, array] : llvm::zip(arguments.elements, arrays))
    map.map(argument, memref::LoadOp::create(b, array, i));
  for (Operation &op : rule.front().without_terminator())
    if (op.getNumResults() == 0 || !map.contains(op.getResult(0)))
      b.clone(op, map);
  // Everything but the gradient has a new value.
  SmallVector<Value> updated(arrays.take_front(arguments.elements.size()));
  updated.erase(updated.begin() + 1);
  for (auto [value, array] :
       llvm::zip_equal(rule.front().getTerminator()->getOperands(), updated))
    memref::StoreOp::create(b, map.lookupOrDefault(value), array, i);
}

static LogicalResult buildKernel(kernel::FlatUpdateOp update, KernelOp kernel,
                                 RangesOp table, int64_t end) {
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  BodyBuilder body(builder, update.getLoc());
  ImplicitLocOpBuilder &b = body.b;
  size_t numArrays = 2 + update.getSlots().size();
  ValueRange arrays = entry.getArguments().take_front(numArrays);
  Value completed = entry.getArgument(numArrays);
  Value factor = entry.getArgument(numArrays + 1);
  Value finite = entry.getArgument(numArrays + 2);

  auto load = [&](Value scalar) -> Value {
    return memref::LoadOp::create(b, scalar, ValueRange());
  };
  auto guarded = scf::IfOp::create(b, load(finite), /*withElseRegion=*/false);
  ReturnOp::create(b);
  b.setInsertionPointToStart(guarded.thenBlock());
  SmallVector<Value> scalars = {load(completed), load(factor)};
  if (update.getNorm())
    scalars.push_back(load(entry.getArgument(numArrays + 3)));

  // What needs no element is the same for all of them.
  SmallVector<IRMapping> maps;
  for (Region &rule : update.getRules()) {
    IRMapping &map = maps.emplace_back();
    map.map(RuleArguments(update, rule).scalars, scalars);
    for (Operation &op : rule.front().without_terminator()) {
      if (op.getNumRegions() != 0 || !isPure(&op))
        return op.emitOpError("cannot be mapped to CUDA threads");
      if (llvm::all_of(op.getOperands(),
                       [&](Value operand) { return map.contains(operand); }))
        b.clone(op, map);
    }
  }
  Value first = arith::AddIOp::create(
      b, arith::MulIOp::create(b, body.block(), body.blockDim()),
      body.thread());
  Value stride = arith::MulIOp::create(b, body.gridDim(), body.blockDim());
  auto loop = scf::ForOp::create(b, first, body.index(end), stride);
  b.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  Value found = RangeRuleOp::create(b, b.getI32Type(), table.getSymName(), i);
  for (auto [number, rule] : llvm::enumerate(update.getRules())) {
    Value matches = arith::CmpIOp::create(
        b, arith::CmpIPredicate::eq, found,
        arith::ConstantIntOp::create(b, b.getI32Type(), number));
    auto ifOp = scf::IfOp::create(b, matches, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(ifOp.thenBlock());
    applyRule(b, rule, RuleArguments(update, rule), arrays, i, maps[number]);
  }
  return success();
}

/// Readable names of the arguments of the kernel.
static ArrayAttr getArgumentNames(kernel::FlatUpdateOp update, Builder &b) {
  SmallVector<Attribute> names;
  for (Value operand : update.getOperands()) {
    SmallVector<NamedAttribute> attrs;
    if (auto buffer = operand.getDefiningOp<kernel::BufferOp>())
      attrs.emplace_back(b.getStringAttr(kernel::attrs::kName),
                         buffer.getNameAttr());
    names.push_back(b.getDictionaryAttr(attrs));
  }
  return b.getArrayAttr(names);
}

LogicalResult accrue::cuda::mapUpdate(kernel::FlatUpdateOp update,
                                      SymbolTable &symbols) {
  auto step = update->getParentOfType<func::FuncOp>();
  OpBuilder builder(step);
  int64_t end = getEnd(update);
  RangesOp table = buildTable(update, builder, symbols);
  int64_t blocks = std::max<int64_t>(1, llvm::divideCeil(end, kBlockSize));
  auto kernel = KernelOp::create(builder, update.getLoc(), "update",
                                 update.getOperandTypes(),
                                 getArgumentNames(update, builder));
  kernel.setGrid(std::min(blocks, kMaxBlocks));
  kernel.setBlock(kBlockSize);
  kernel.setSourcesAttr(getSources(update.getLoc()));
  KernelCost cost = getKernelCost(update);
  kernel.setBytes(cost.bytes);
  kernel.setFlops(cost.flops);
  kernel.setSchedule(
      ("optimizer, one thread for each of " + Twine(end) + " elements").str());
  symbols.insert(kernel);
  if (failed(buildKernel(update, kernel, table, end)))
    return failure();
  builder.setInsertionPoint(update);
  LaunchOp::create(builder, update.getLoc(), kernel.getSymName(),
                   update.getOperands());
  update.erase();
  return success();
}
