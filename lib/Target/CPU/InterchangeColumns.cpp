//===- InterchangeColumns.cpp - Column sums along rows --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A column is strided in memory, a row is contiguous. Partial results of a
// block of columns are kept in a buffer that fits the first-level cache, and
// rows are added to it one after the other; what is computed per column before
// and after is recomputed in loops along the block.
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/CPU/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace accrue::cpu {
#define GEN_PASS_DEF_INTERCHANGECOLUMNS
#include "accrue/Target/CPU/Passes.h.inc"
} // namespace accrue::cpu

using namespace mlir;
using namespace accrue;
using namespace accrue::cpu;

/// Columns in a block: some kilobytes per partial result.
static constexpr int64_t kBlock = 512;

namespace {
/// A nest of loops that only carries values to its innermost body.
struct Reduction {
  SmallVector<scf::ForOp> nest;
  /// One per result, as long as a block.
  SmallVector<Value> partials;

  Block *getBody() { return nest.back().getBody(); }
};

class Interchange {
public:
  explicit Interchange(scf::ForOp loop)
      : loop(loop), b(loop.getLoc(), loop.getOperation()) {}

  /// Finds the reductions of the loop; false where it has none, or is not of
  /// the form that can be interchanged.
  bool match();
  void rewrite();

private:
  bool matchReduction(scf::ForOp reduction);
  void allocatePartials();
  void buildBlock();
  void buildReduction(Reduction &reduction);
  /// A loop along the block; `body` gets a mapping of the column.
  void buildColumns(function_ref<void(IRMapping &)> body);
  /// The value of `value` for the current column.
  Value get(Value value, IRMapping &mapping);

  scf::ForOp loop;
  ImplicitLocOpBuilder b;
  llvm::MapVector<Operation *, Reduction> reductions;
  /// The current block, and a column in it.
  Value zero, one, start, length, column;
};
} // namespace

bool Interchange::matchReduction(scf::ForOp outer) {
  Reduction reduction;
  for (scf::ForOp next = outer; next;) {
    reduction.nest.push_back(next);
    Operation &first = next.getBody()->front();
    auto inner = dyn_cast<scf::ForOp>(first);
    bool isNest = inner &&
                  llvm::equal(next.getInitArgs().size() == 0
                                  ? ValueRange()
                                  : ValueRange(next.getRegionIterArgs()),
                              inner.getInitArgs()) &&
                  inner->getNextNode() == next.getBody()->getTerminator() &&
                  llvm::equal(next.getYieldedValues(), inner.getResults());
    next = isNest ? inner : scf::ForOp();
  }
  auto isOutside = [&](Value v) { return loop.isDefinedOutsideOfLoop(v); };
  for (scf::ForOp level : reduction.nest)
    if (!isOutside(level.getLowerBound()) ||
        !isOutside(level.getUpperBound()) || !isOutside(level.getStep()))
      return false;
  for (Operation &op : *reduction.getBody())
    if (op.getNumRegions() != 0 || isa<memref::StoreOp>(op))
      return false;
  reductions[outer] = std::move(reduction);
  return true;
}

bool Interchange::match() {
  if (loop.getNumResults() != 0 || !isConstantIntValue(loop.getStep(), 1))
    return false;
  // Constants and the like do not belong to a column.
  moveLoopInvariantCode(loop);
  bool stored = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      // A store before a reduction might be what the reduction reads.
      if (stored || inner.getNumResults() == 0 || !matchReduction(inner))
        return false;
    } else if (op.getNumRegions() != 0) {
      return false;
    }
    stored |= isa<memref::StoreOp>(op);
  }
  return !reductions.empty();
}

void Interchange::allocatePartials() {
  OpBuilder::InsertionGuard guard(b);
  // The frame of the function that the chunk will become.
  Operation *frame = loop;
  while (!isa<kernel::FuncOp, scf::ParallelOp>(frame->getParentOp()))
    frame = frame->getParentOp();
  b.setInsertionPointToStart(frame->getBlock());
  for (auto &[op, reduction] : reductions)
    for (Type type : op->getResultTypes())
      reduction.partials.push_back(
          memref::AllocaOp::create(b, MemRefType::get(kBlock, type)));
}

Value Interchange::get(Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return value;
  auto reduction = reductions.find(op);
  if (reduction != reductions.end()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    mapping.map(value, memref::LoadOp::create(
                           b, reduction->second.partials[number], column)
                           .getResult());
    return mapping.lookup(value);
  }
  for (Value operand : op->getOperands())
    mapping.map(operand, get(operand, mapping));
  b.clone(*op, mapping);
  return mapping.lookup(value);
}

void Interchange::buildColumns(function_ref<void(IRMapping &)> body) {
  OpBuilder::InsertionGuard guard(b);
  auto columns = scf::ForOp::create(b, zero, length, one);
  b.setInsertionPointToStart(columns.getBody());
  column = columns.getInductionVar();
  IRMapping mapping;
  mapping.map(loop.getInductionVar(),
              isConstantIntValue(start, 0)
                  ? column
                  : arith::AddIOp::create(b, start, column).getResult());
  body(mapping);
}

void Interchange::buildReduction(Reduction &reduction) {
  OpBuilder::InsertionGuard guard(b);
  buildColumns([&](IRMapping &mapping) {
    for (auto [init, partial] :
         llvm::zip(reduction.nest.front().getInitArgs(), reduction.partials))
      memref::StoreOp::create(b, get(init, mapping), partial, column);
  });
  IRMapping indices;
  for (scf::ForOp level : reduction.nest) {
    auto copy = scf::ForOp::create(b, level.getLowerBound(),
                                   level.getUpperBound(), level.getStep());
    indices.map(level.getInductionVar(), copy.getInductionVar());
    b.setInsertionPointToStart(copy.getBody());
  }
  buildColumns([&](IRMapping &mapping) {
    for (scf::ForOp level : reduction.nest)
      mapping.map(level.getInductionVar(),
                  indices.lookup(level.getInductionVar()));
    scf::ForOp innermost = reduction.nest.back();
    for (auto [carried, partial] :
         llvm::zip(innermost.getRegionIterArgs(), reduction.partials))
      mapping.map(carried,
                  memref::LoadOp::create(b, partial, column).getResult());
    for (Operation &op : innermost.getBody()->without_terminator()) {
      for (Value operand : op.getOperands())
        mapping.map(operand, get(operand, mapping));
      b.clone(op, mapping);
    }
    for (auto [value, partial] :
         llvm::zip(innermost.getYieldedValues(), reduction.partials))
      memref::StoreOp::create(b, get(value, mapping), partial, column);
  });
}

void Interchange::buildBlock() {
  for (auto &entry : reductions)
    buildReduction(entry.second);
  buildColumns([&](IRMapping &mapping) {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (!isa<memref::StoreOp>(op))
        continue;
      for (Value operand : op.getOperands())
        mapping.map(operand, get(operand, mapping));
      b.clone(op, mapping);
    }
  });
}

void Interchange::rewrite() {
  allocatePartials();
  zero = arith::ConstantIndexOp::create(b, 0);
  one = arith::ConstantIndexOp::create(b, 1);
  start = loop.getLowerBound();
  Value end = loop.getUpperBound();
  std::optional<int64_t> from = getConstantIntValue(start);
  std::optional<int64_t> to = getConstantIntValue(end);
  if (from && to && *to - *from <= kBlock) {
    length = arith::ConstantIndexOp::create(b, *to - *from);
  } else {
    Value block = arith::ConstantIndexOp::create(b, kBlock);
    auto blocks = scf::ForOp::create(b, start, end, block);
    b.setInsertionPointToStart(blocks.getBody());
    start = blocks.getInductionVar();
    length =
        arith::MinSIOp::create(b, block, arith::SubIOp::create(b, end, start));
  }
  buildBlock();
  loop.erase();
}

namespace {
struct InterchangeColumns
    : cpu::impl::InterchangeColumnsBase<InterchangeColumns> {
  void runOnOperation() override {
    if (getOperation().getSchedule() != kernel::Schedule::columns)
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) { loops.push_back(loop); });
    // Inner loops come first, and those of a match are its reductions.
    for (scf::ForOp loop : loops) {
      Interchange interchange(loop);
      if (interchange.match())
        return interchange.rewrite();
    }
  }
};
} // namespace
