//===- CountMicroBatches.cpp - The number of the micro-batch --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CUDA graph keeps the scalars that it was captured with, so what differs
// from one micro-batch to the next has to come from memory: a counter, which a
// kernel sets to zero before the loop and another one advances at its end. The
// scalar ops between the number of the micro-batch and an argument move into
// the kernel.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace accrue::cuda {
#define GEN_PASS_DEF_COUNTMICROBATCHES
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static constexpr llvm::StringLiteral kCounter = "micro_batch";

/// Adds what `value` is computed from in the body of `loop`, each op behind
/// those that it needs. Whether the number of the micro-batch is among it.
static bool collect(Value value, scf::ForOp loop,
                    llvm::SetVector<Operation *> &slice) {
  if (value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || isFirst(op, loop))
    return false;
  bool depends = false;
  for (Value operand : op->getOperands())
    depends |= collect(operand, loop, slice);
  slice.insert(op);
  return depends;
}

/// Whether a scalar operand of `launch` depends on the number of the
/// micro-batch other than by whether it is the first one.
static bool needsCounter(LaunchOp launch, scf::ForOp loop) {
  return llvm::any_of(launch.getOperands(), [&](Value operand) {
    llvm::SetVector<Operation *> slice;
    return !isa<MemRefType>(operand.getType()) && collect(operand, loop, slice);
  });
}

namespace {

/// Gives the loops of one step a counter.
class Counter {
public:
  Counter(func::FuncOp step, SymbolTable &symbols)
      : step(step), symbols(symbols) {}

  LogicalResult countIn(scf::ForOp loop);

private:
  Value getBuffer();
  BlockArgument addBytes(int64_t &offset);
  LaunchOp createLaunch(OpBuilder &builder, Location loc, StringRef name,
                        bool reset);
  LogicalResult rewrite(LaunchOp launch, scf::ForOp loop);

  func::FuncOp step;
  SymbolTable &symbols;
  Value buffer;
};

} // namespace

/// Adds a counter to the plan, behind what the activations have, and tells its
/// arena and offset.
BlockArgument Counter::addBytes(int64_t &offset) {
  MLIRContext *context = step.getContext();
  constexpr auto arena = kernel::Arena::activations;
  auto plan = step->getAttrOfType<kernel::PlanAttr>(kernel::attrs::kPlan);
  SmallVector<kernel::ArenaPlanAttr> arenas(plan.getArenas());
  SmallVector<kernel::BufferPlanAttr> buffers(plan.getBuffers());
  auto *planned = llvm::find_if(
      arenas, [](kernel::ArenaPlanAttr a) { return a.getArena() == arena; });
  unsigned number = planned - arenas.begin();
  bool isNew = planned == arenas.end();
  int64_t used = isNew ? 0 : planned->getUsed();
  offset =
      isNew ? 0 : llvm::alignTo(planned->getBytes(), kernel::kBufferAlignment);
  auto grown = kernel::ArenaPlanAttr::get(context, arena, offset + 8, used + 8);
  auto type = MemRefType::get({offset + 8}, IntegerType::get(context, 8));
  if (isNew) {
    arenas.push_back(grown);
    Builder builder(context);
    if (failed(step.insertArgument(
            number, type,
            builder.getDictionaryAttr(builder.getNamedAttr(
                kernel::attrs::kArena, kernel::ArenaAttr::get(context, arena))),
            step.getLoc())))
      return {};
  } else {
    *planned = grown;
    step.getArgument(number).setType(type);
    step.setType(FunctionType::get(context, step.front().getArgumentTypes(),
                                   step.getResultTypes()));
  }
  int64_t last = 0;
  auto *place = buffers.begin();
  for (auto &buffer : buffers) {
    last = std::max(last, buffer.getLastUse());
    if (buffer.getArena() <= arena)
      place = &buffer + 1;
  }
  buffers.insert(place,
                 kernel::BufferPlanAttr::get(
                     context, kCounter, arena, offset, 8,
                     RankedTensorType::get({}, IntegerType::get(context, 64)),
                     0, last, nullptr));
  step->setAttr(kernel::attrs::kPlan,
                kernel::PlanAttr::get(context, arenas, buffers,
                                      plan.getInputs(), plan.getKept(),
                                      plan.getStaging()));
  return step.getArgument(number);
}

/// The counter, the same one for all loops.
Value Counter::getBuffer() {
  if (buffer)
    return buffer;
  int64_t offset = 0;
  BlockArgument arena = addBytes(offset);
  OpBuilder builder = OpBuilder::atBlockBegin(&step.front());
  buffer = kernel::BufferOp::create(builder, step.getLoc(),
                                    MemRefType::get({1}, builder.getI64Type()),
                                    kCounter, arena, offset);
  return buffer;
}

/// A launch of kernel `name` with the counter, which it sets to zero or
/// advances; makes the kernel where there is none yet.
LaunchOp Counter::createLaunch(OpBuilder &builder, Location loc, StringRef name,
                               bool reset) {
  if (!symbols.lookup<KernelOp>(name)) {
    OpBuilder moduleBuilder(step);
    DictionaryAttr attrs = builder.getDictionaryAttr(builder.getNamedAttr(
        kernel::attrs::kName, builder.getStringAttr(kCounter)));
    auto kernel = KernelOp::create(moduleBuilder, loc, name, buffer.getType(),
                                   builder.getArrayAttr({Attribute(attrs)}));
    kernel.setSchedule("one thread");
    ImplicitLocOpBuilder b(loc, builder.getContext());
    b.setInsertionPointToEnd(&kernel.getBody().front());
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value counter = kernel.getArgument(0);
    Value value =
        arith::ConstantOp::create(b, b.getI64IntegerAttr(reset ? 0 : 1));
    if (!reset)
      value = arith::AddIOp::create(b, memref::LoadOp::create(b, counter, zero),
                                    value);
    memref::StoreOp::create(b, value, counter, zero);
    ReturnOp::create(b);
    symbols.insert(kernel);
  }
  return LaunchOp::create(builder, loc, name, buffer);
}

/// Launches a copy of the kernel that computes what depends on the counter.
LogicalResult Counter::rewrite(LaunchOp launch, scf::ForOp loop) {
  auto original = symbols.lookup<KernelOp>(launch.getCallee());
  llvm::SetVector<Operation *> slice;
  llvm::BitVector computed(launch.getNumOperands());
  for (auto [i, operand] : llvm::enumerate(launch.getOperands())) {
    llvm::SetVector<Operation *> ops;
    if (isa<MemRefType>(operand.getType()) || !collect(operand, loop, ops))
      continue;
    computed.set(i);
    slice.insert(ops.begin(), ops.end());
  }
  for (Operation *op : slice)
    if (!isPure(op) || op->getNumRegions() != 0 ||
        llvm::any_of(op->getOperands(), [&](Value operand) {
          return operand != loop.getInductionVar() &&
                 (!operand.getDefiningOp() ||
                  !slice.contains(operand.getDefiningOp()));
        }))
      return op->emitOpError("cannot be computed from the number of the "
                             "micro-batch on the device");

  auto kernel = cast<KernelOp>(original->clone());
  symbols.insert(kernel, Block::iterator(original));
  // What is computed from the position of a sample may need it.
  kernel.setIndexBits(64);
  unsigned end = kernel.getNumArguments();
  DictionaryAttr attrs = DictionaryAttr::get(
      kernel.getContext(),
      NamedAttribute(StringAttr::get(kernel.getContext(), kernel::attrs::kName),
                     StringAttr::get(kernel.getContext(), kCounter)));
  if (failed(kernel.insertArgument(end, getBuffer().getType(), attrs,
                                   launch.getLoc())))
    return failure();
  ImplicitLocOpBuilder b(launch.getLoc(), kernel.getContext());
  b.setInsertionPointToStart(&kernel.getBody().front());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value number = arith::IndexCastOp::create(
      b, b.getIndexType(),
      memref::LoadOp::create(b, kernel.getArgument(end), constant(0)));
  if (int64_t by = *getConstantIntValue(loop.getStep()); by != 1)
    number = arith::MulIOp::create(b, number, constant(by));
  if (int64_t from = *getConstantIntValue(loop.getLowerBound()); from != 0)
    number = arith::AddIOp::create(b, number, constant(from));
  IRMapping map;
  map.map(loop.getInductionVar(), number);
  for (Operation *op : slice)
    b.clone(*op, map);
  SmallVector<Value> operands;
  for (auto [i, operand] : llvm::enumerate(launch.getOperands())) {
    if (computed[i])
      kernel.getArgument(i).replaceAllUsesWith(map.lookup(operand));
    else
      operands.push_back(operand);
  }
  operands.push_back(getBuffer());
  computed.resize(end + 1);
  if (failed(kernel.eraseArguments(computed)))
    return failure();
  OpBuilder builder(launch);
  LaunchOp::create(builder, launch.getLoc(), kernel.getSymName(), operands);
  launch.erase();
  if (SymbolTable::symbolKnownUseEmpty(original, step->getParentOp()))
    symbols.erase(original);
  return success();
}

LogicalResult Counter::countIn(scf::ForOp loop) {
  SmallVector<LaunchOp> launches;
  for (auto launch : loop.getBody()->getOps<LaunchOp>())
    if (needsCounter(launch, loop))
      launches.push_back(launch);
  if (launches.empty())
    return success();
  if (!getConstantIntValue(loop.getLowerBound()) ||
      !getConstantIntValue(loop.getStep()))
    return loop.emitOpError("expected constant bounds");
  getBuffer();
  OpBuilder before(loop);
  createLaunch(before, loop.getLoc(), "reset_micro_batch", /*reset=*/true);
  OpBuilder last(loop.getBody()->getTerminator());
  createLaunch(last, loop.getLoc(), "next_micro_batch", /*reset=*/false);
  for (LaunchOp launch : launches)
    if (failed(rewrite(launch, loop)))
      return failure();
  return success();
}

namespace {

struct CountMicroBatchesPass
    : accrue::cuda::impl::CountMicroBatchesBase<CountMicroBatchesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    for (auto step : llvm::to_vector(module.getOps<func::FuncOp>())) {
      if (!step->hasAttr(kernel::attrs::kPlan))
        continue;
      Counter counter(step, symbols);
      for (auto loop : llvm::to_vector(step.getOps<scf::ForOp>()))
        if (failed(counter.countIn(loop)))
          return signalPassFailure();
    }
  }
};

} // namespace
