//===- ScatterToLoops.cpp - Sums by index as loops ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum per row of the table over all indices would compare every index with
// every row. Here an iteration owns a range of rows and goes through the
// indices once, in order: the comparisons are those of indices with ranges,
// and what is added is added once.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace accrue::kernel {
#define GEN_PASS_DEF_SCATTERTOLOOPS
#include "accrue/Dialect/Kernel/Passes.h.inc"
} // namespace accrue::kernel

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

/// Ranges of rows, at most: some blocks for each multiprocessor of a GPU.
static constexpr int64_t kMaxRanges = 512;

namespace {
class ScatterBuilder {
public:
  ScatterBuilder(ScatterAddOp op, Block &body);
  void build();

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  scf::ParallelOp createParallel(ArrayRef<int64_t> extents);
  /// A loop along the columns, whose body gets the place of an element of the
  /// table in row `row`.
  void alongColumns(Value row, function_ref<void(ArrayRef<Value>)> element);
  void clear(Value first, Value end);
  void add(Value first, Value end);

  ScatterAddOp op;
  ImplicitLocOpBuilder b;
  MemRefType table, indices;
  int64_t dim;
  Value updatesBuffer, indexBuffer, tableBuffer;
  /// An i1 where it is not known whether the table is overwritten.
  Value overwrite;
  /// The place in the dimensions before the rows.
  SmallVector<Value> before;
};
} // namespace

ScatterBuilder::ScatterBuilder(ScatterAddOp op, Block &body)
    : op(op), b(op.getLoc(), body.getTerminator()),
      table(cast<MemRefType>(op.getTable().getType())),
      indices(cast<MemRefType>(op.getIndex().getType())),
      dim(op.getDimAttr().getInt()), updatesBuffer(body.getArgument(0)),
      indexBuffer(body.getArgument(1)),
      tableBuffer(body.getArguments().back()) {
  if (body.getNumArguments() == 4)
    overwrite = body.getArgument(2);
}

scf::ParallelOp ScatterBuilder::createParallel(ArrayRef<int64_t> extents) {
  SmallVector<Value> lower(extents.size(), index(0));
  SmallVector<Value> step(extents.size(), index(1));
  SmallVector<Value> upper;
  for (int64_t extent : extents)
    upper.push_back(index(extent));
  return scf::ParallelOp::create(b, lower, upper, step);
}

void ScatterBuilder::alongColumns(Value row,
                                  function_ref<void(ArrayRef<Value>)> element) {
  SmallVector<int64_t> extents(table.getShape().drop_front(dim + 1));
  bool isScalar = extents.empty();
  if (isScalar)
    extents.push_back(1);
  auto loop = createParallel(extents);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> place(before);
  place.push_back(row);
  if (!isScalar)
    llvm::append_range(place, loop.getInductionVars());
  element(place);
}

/// Rows [first, end) become zero.
void ScatterBuilder::clear(Value first, Value end) {
  auto rows = scf::ForOp::create(b, first, end, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(rows.getBody());
  alongColumns(rows.getInductionVar(), [&](ArrayRef<Value> place) {
    Value zero =
        arith::ConstantOp::create(b, b.getZeroAttr(table.getElementType()));
    memref::StoreOp::create(b, zero, tableBuffer, place);
  });
}

/// Adds the slices of rows [first, end).
void ScatterBuilder::add(Value first, Value end) {
  OpBuilder::InsertionGuard guard(b);
  // Compared as they are: a narrower type might make them valid.
  Type type = indices.getElementType();
  Value least = arith::IndexCastOp::create(b, type, first);
  Value bound = arith::IndexCastOp::create(b, type, end);
  SmallVector<Value> at;
  for (int64_t extent : indices.getShape()) {
    auto loop = scf::ForOp::create(b, index(0), index(extent), index(1));
    at.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  Value row = memref::LoadOp::create(b, indexBuffer, at);
  Value isBehind =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, row, least);
  Value isBefore =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, row, bound);
  Value isHere = arith::AndIOp::create(b, isBehind, isBefore);
  auto branch = scf::IfOp::create(b, isHere, /*withElseRegion=*/false);
  b.setInsertionPointToStart(branch.thenBlock());
  Value position = arith::IndexCastOp::create(b, b.getIndexType(), row);
  alongColumns(position, [&](ArrayRef<Value> place) {
    SmallVector<Value> source(before);
    llvm::append_range(source, at);
    llvm::append_range(source, place.drop_front(dim + 1));
    Value old = memref::LoadOp::create(b, tableBuffer, place);
    Value update = memref::LoadOp::create(b, updatesBuffer, source);
    Value sum = arith::AddFOp::create(b, old, update);
    memref::StoreOp::create(b, sum, tableBuffer, place);
  });
}

void ScatterBuilder::build() {
  int64_t rows = table.getDimSize(dim);
  int64_t size = std::max<int64_t>(llvm::divideCeil(rows, kMaxRanges), 1);
  SmallVector<int64_t> extents(table.getShape().take_front(dim));
  extents.push_back(llvm::divideCeil(rows, size));
  auto ranges = createParallel(extents);
  b.setInsertionPointToStart(ranges.getBody());
  before = ranges.getInductionVars();
  Value first = before.pop_back_val();
  if (size != 1)
    first = arith::MulIOp::create(b, first, index(size));
  Value end = arith::AddIOp::create(b, first, index(size));
  if (rows % size != 0)
    end = arith::MinSIOp::create(b, end, index(rows));

  if (overwrite) {
    auto branch = scf::IfOp::create(b, overwrite, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    clear(first, end);
  } else if (matchPattern(op.getOverwrite(), m_One())) {
    clear(first, end);
  }
  add(first, end);
}

static LogicalResult convert(ScatterAddOp op) {
  if (!isa<MemRefType>(op.getTable().getType()))
    return op.emitOpError("expected buffers; run 'bufferize-kernels' first");
  OpBuilder builder(op);
  SmallVector<Value> inputs = {op.getUpdates(), op.getIndex()};
  if (!matchPattern(op.getOverwrite(), m_Constant()))
    inputs.push_back(op.getOverwrite());
  auto group = GroupOp::create(builder, op.getLoc(), TypeRange{}, "scatter_add",
                               Schedule::scatter, inputs, op.getTable());
  group->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Block &body = group.getBody().emplaceBlock();
  for (Value operand : group.getOperands())
    body.addArgument(operand.getType(), operand.getLoc());
  OpBuilder bodyBuilder = OpBuilder::atBlockEnd(&body);
  YieldOp::create(bodyBuilder, op.getLoc(), ValueRange{});
  ScatterBuilder(op, body).build();
  op.erase();
  return success();
}

namespace {
struct ScatterToLoopsPass
    : public kernel::impl::ScatterToLoopsBase<ScatterToLoopsPass> {
  using ScatterToLoopsBase::ScatterToLoopsBase;

  void runOnOperation() override {
    SmallVector<ScatterAddOp> ops;
    getOperation().walk([&](ScatterAddOp op) { ops.push_back(op); });
    for (ScatterAddOp op : ops)
      if (failed(convert(op)))
        return signalPassFailure();
  }
};
} // namespace
