//===- IsolateCalls.cpp - Segments of one call each -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of the segment that a call is in, from which everything is erased that
// the call does not need.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/StepCalls.h"
#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace accrue::cuda {
#define GEN_PASS_DEF_ISOLATECALLS
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// Copies the segment of `op` without the other calls.
static std::pair<SegmentOp, Operation *> copyFor(Operation *op,
                                                 StringRef label) {
  auto segment = op->getParentOfType<SegmentOp>();
  OpBuilder builder(segment);
  builder.setInsertionPointToEnd(segment->getBlock());
  IRMapping map;
  auto copy = cast<SegmentOp>(builder.clone(*segment, map));
  copy.setLabel(label);
  return {copy, map.lookup(op)};
}

/// Erases what `segment` does besides `kept`.
static void eraseRest(SegmentOp segment, ArrayRef<Operation *> kept) {
  SmallVector<Operation *> ops;
  for (Operation &op : segment.getBody().front().without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops))
    if (!llvm::is_contained(kept, op) && op->use_empty())
      op->erase();
  BitVector unused(segment.getNumArguments());
  for (BlockArgument argument : segment.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  (void)segment.eraseArguments(unused);
}

namespace {

/// A kernel or a matrix product of a step.
struct Call {
  Operation *op = nullptr;
  int64_t callsPerStep = 0;
};

struct IsolateCallsPass
    : accrue::cuda::impl::IsolateCallsBase<IsolateCallsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto step : getOperation().getOps<func::FuncOp>()) {
      collect(step);
      unsigned number = 0;
      for (auto &[name, call] : calls)
        isolate(name, call, number++, symbols);
      // Further steps are not measured.
      return;
    }
  }

private:
  void collect(func::FuncOp step);
  void isolate(StringRef name, const Call &call, unsigned number,
               SymbolTable &symbols);

  llvm::MapVector<std::string, Call, std::map<std::string, unsigned>> calls;
};

} // namespace

/// How often `op` runs in its function.
static int64_t countRuns(Operation *op) {
  int64_t runs = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    if (std::optional<APInt> count = loop.getStaticTripCount())
      runs *= count->getSExtValue();
  return runs;
}

static GemmPlanOp getPlan(GemmOp gemm) {
  return SymbolTable::lookupNearestSymbolFrom<GemmPlanOp>(gemm,
                                                          gemm.getPlanAttr());
}

static KernelOp getKernel(LaunchOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<KernelOp>(launch,
                                                        launch.getCalleeAttr());
}

static bool isAccumulating(GemmOp gemm) {
  return !matchPattern(gemm.getBeta(), m_AnyZeroFloat());
}

/// What benchmarks call `op`, by which equal calls are merged; column-major
/// products by the row-major one that they are.
static std::string getCallName(Operation *op) {
  if (auto launch = dyn_cast<LaunchOp>(op))
    return launch.getCallee().str();
  auto gemm = cast<GemmOp>(op);
  GemmPlanOp plan = getPlan(gemm);
  return getMatmulName(plan.getTransposeB(), plan.getTransposeA(), plan.getN(),
                       plan.getM(), plan.getK(), plan.getBatch(),
                       isAccumulating(gemm));
}

void IsolateCallsPass::collect(func::FuncOp step) {
  calls.clear();
  step.walk([&](CallOp run) {
    auto segment = SymbolTable::lookupNearestSymbolFrom<SegmentOp>(
        run, run.getCalleeAttr());
    segment.walk([&](Operation *op) {
      if (!isa<LaunchOp, GemmOp>(op))
        return;
      Call &call = calls[getCallName(op)];
      if (!call.op)
        call.op = op;
      call.callsPerStep += countRuns(run);
    });
  });
}

/// What is known of the call `op`, whose operands `fill` fills.
static BenchmarkAttr describe(StringRef name, Operation *op, int64_t calls,
                              SegmentOp fill) {
  Builder builder(op->getContext());
  ArrayAttr sources;
  int64_t bytes = 0, flops = 0;
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    KernelOp kernel = getKernel(launch);
    sources = kernel.getSourcesAttr();
    bytes = kernel.getBytes().value_or(0);
    flops = kernel.getFlops().value_or(0);
  } else {
    auto gemm = cast<GemmOp>(op);
    GemmPlanOp plan = getPlan(gemm);
    sources = plan.getSourcesAttr();
    flops = plan.getFlops().value_or(0);
    auto getBytes = [](Value value) {
      return kernel::getByteSize(cast<MemRefType>(value.getType()));
    };
    bytes = getBytes(gemm.getA()) + getBytes(gemm.getB()) +
            getBytes(gemm.getC()) * (isAccumulating(gemm) ? 2 : 1);
  }
  return BenchmarkAttr::get(
      op->getContext(), isa<GemmOp>(op) ? "matmul" : "kernel", name,
      sources ? sources : builder.getArrayAttr({}), calls, bytes, flops,
      FlatSymbolRefAttr::get(fill.getSymNameAttr()));
}

void IsolateCallsPass::isolate(StringRef name, const Call &call,
                               unsigned number, SymbolTable &symbols) {
  std::string suffix = std::to_string(number);
  auto [fill, read] = copyFor(call.op, "fill_" + suffix);
  SmallVector<Operation *> fills;
  SmallVector<Value> operands(read->getOperands());
  if (auto gemm = dyn_cast<GemmOp>(read))
    operands = {gemm.getA(), gemm.getB(), gemm.getC()};
  OpBuilder builder(read);
  for (Value operand : operands)
    if (isa<MemRefType>(operand.getType()))
      fills.push_back(FillOp::create(builder, read->getLoc(), operand));
  eraseRest(fill, fills);
  symbols.insert(fill);

  auto [run, op] = copyFor(call.op, "call_" + suffix);
  eraseRest(run, op);
  symbols.insert(run);
  run->setAttr(attrs::kBenchmark,
               describe(name, call.op, call.callsPerStep, fill));
}
