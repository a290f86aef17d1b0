//===- KernelCost.cpp - What a kernel does at least -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk over a kernel, with the number of times that each block runs. An
// argument moves as many elements as are accessed, but none of them twice: what
// is read again comes from a cache or a register.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/KernelCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace accrue;

/// Floating-point operations of one run of `op`, without its regions.
static int64_t getFlops(Operation *op) {
  if (!isa<arith::ArithFastMathInterface>(op) || op->getNumResults() != 1)
    return 0;
  Type type = op->getResult(0).getType();
  bool isArithmetic = isa<FloatType>(type) &&
                      llvm::all_of(op->getOperandTypes(), [&](Type operand) {
                        return operand == type;
                      });
  if (!isArithmetic)
    return 0;
  return isa<math::FmaOp>(op) ? 2 : 1;
}

namespace {

/// Counts what the blocks of a kernel do.
class CostCounter {
public:
  explicit CostCounter(kernel::FuncOp kernel);

  KernelCost get();

private:
  void count(Region &region, int64_t times);
  int64_t getTripCount(LoopLikeOpInterface loop, int64_t times) const;
  static int64_t getTakenCount(scf::IfOp branch, int64_t times);

  kernel::FuncOp kernel;
  /// Elements of the largest argument.
  int64_t largest = 1;
  int64_t flops = 0;
  /// By argument: accesses, repeated ones included.
  SmallVector<int64_t> loads, stores;
};

} // namespace

CostCounter::CostCounter(kernel::FuncOp kernel)
    : kernel(kernel), loads(kernel.getNumArguments()),
      stores(kernel.getNumArguments()) {
  for (Type type : kernel.getArgumentTypes())
    if (auto memref = dyn_cast<MemRefType>(type))
      largest = std::max(largest, memref.getNumElements());
  count(kernel.getBody(), /*times=*/1);
}

/// Iterations of a loop that is run `times` times.
int64_t CostCounter::getTripCount(LoopLikeOpInterface loop,
                                  int64_t times) const {
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  int64_t part = std::max<int64_t>(largest / std::max<int64_t>(times, 1), 1);
  if (!lower || !upper || !steps)
    return part;
  int64_t product = 1;
  for (auto [lb, ub, step] : llvm::zip_equal(*lower, *upper, *steps)) {
    std::optional<int64_t> from = getConstantIntValue(lb);
    std::optional<int64_t> to = getConstantIntValue(ub);
    std::optional<int64_t> by = getConstantIntValue(step);
    if (!from || !to || !by || *by <= 0)
      return part;
    product *= *to > *from ? llvm::divideCeil(*to - *from, *by) : 0;
  }
  return product;
}

/// How often `branch`, which is run `times` times, is taken. An index belongs
/// to one of the ranges of rows that a scatter's iterations are.
int64_t CostCounter::getTakenCount(scf::IfOp branch, int64_t times) {
  if (isa<BlockArgument>(branch.getCondition()))
    return times;
  scf::ParallelOp outer;
  for (Operation *op = branch; op; op = op->getParentOp())
    if (auto loop = dyn_cast<scf::ParallelOp>(op))
      outer = loop;
  if (!outer)
    return times;
  std::optional<int64_t> ranges =
      getConstantIntValue(outer.getUpperBound().back());
  return ranges && *ranges > 0 ? llvm::divideCeil(times, *ranges) : times;
}

void CostCounter::count(Region &region, int64_t times) {
  for (Block &block : region)
    for (Operation &op : block) {
      flops += times * getFlops(&op);
      if (auto load = dyn_cast<memref::LoadOp>(op)) {
        if (auto buffer = dyn_cast<BlockArgument>(load.getMemRef()))
          loads[buffer.getArgNumber()] += times;
      } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
        if (auto buffer = dyn_cast<BlockArgument>(store.getMemRef()))
          stores[buffer.getArgNumber()] += times;
      }
      // What reductions combine is in the regions of a loop's terminator, and
      // so runs as often as its body.
      int64_t inner = times;
      if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
        inner *= getTripCount(loop, times);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        inner = getTakenCount(branch, times);
      for (Region &nested : op.getRegions())
        count(nested, inner);
    }
}

KernelCost CostCounter::get() {
  KernelCost cost;
  cost.flops = flops;
  for (auto [type, read, written] :
       llvm::zip_equal(kernel.getFunctionType().getInputs(), loads, stores)) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || memref.getNumElements() == 0)
      continue;
    int64_t elements = memref.getNumElements();
    int64_t moved = std::min(read, elements) + std::min(written, elements);
    cost.bytes += moved * (kernel::getByteSize(memref) / elements);
  }
  return cost;
}

KernelCost accrue::getKernelCost(kernel::FuncOp kernel) {
  return CostCounter(kernel).get();
}

KernelCost accrue::getKernelCost(kernel::GemmOp gemm) {
  auto a = cast<ShapedType>(gemm.getA().getType());
  auto b = cast<ShapedType>(gemm.getB().getType());
  auto c = cast<ShapedType>(gemm.getC().getType());
  bool isAccumulating = !matchPattern(gemm.getBeta(), m_AnyZeroFloat());
  KernelCost cost;
  cost.bytes = kernel::getByteSize(a) + kernel::getByteSize(b) +
               kernel::getByteSize(c) * (isAccumulating ? 2 : 1);
  cost.flops = 2 * c.getNumElements() * gemm.getK();
  return cost;
}

/// Floating-point operations of `rule` per element: those that need one of its
/// first `elements` arguments.
static int64_t getFlopsPerElement(Region &rule, size_t elements) {
  DenseSet<Value> varying;
  for (BlockArgument argument : rule.getArguments().take_front(elements))
    varying.insert(argument);
  int64_t flops = 0;
  for (Operation &op : rule.front()) {
    bool varies = llvm::any_of(op.getOperands(), [&](Value operand) {
      return varying.contains(operand);
    });
    if (!varies)
      continue;
    varying.insert(op.result_begin(), op.result_end());
    flops += getFlops(&op);
  }
  return flops;
}

KernelCost accrue::getKernelCost(kernel::FlatUpdateOp update) {
  auto params = cast<MemRefType>(update.getParams().getType());
  int64_t elementBytes = kernel::getByteSize(params) /
                         std::max<int64_t>(params.getNumElements(), 1);
  size_t scalars = update.getNorm() ? 3 : 2;
  KernelCost cost;
  for (auto range : update.getRanges().getAsRange<kernel::RangeAttr>()) {
    Region &rule = update.getRules()[range.getRule()];
    size_t elements = rule.getNumArguments() - scalars;
    // All of them are read, all but the gradient written.
    cost.bytes += range.getCount() * (2 * elements - 1) * elementBytes;
    cost.flops += range.getCount() * getFlopsPerElement(rule, elements);
  }
  return cost;
}
