//===- MapScatter.cpp - One block per range of rows -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads of a block go through the indices, side by side: conditions are
// the same for all of them. Loops along the columns are strided over the
// threads and have equal bounds, so a column belongs to one thread throughout,
// and no barrier is needed.
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static LogicalResult mapBlock(BodyBuilder &body, Block &block);

static LogicalResult mapOp(BodyBuilder &body, Operation &op) {
  ImplicitLocOpBuilder &b = body.b;
  if (auto columns = dyn_cast<scf::ParallelOp>(op)) {
    if (columns.getNumResults() != 0)
      return columns.emitOpError("expected a loop without results");
    return body.runLoop(columns, body.thread(), body.blockDim(), {});
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    if (loop.getNumResults() != 0)
      return loop.emitOpError("expected a loop without results");
    auto copy = scf::ForOp::create(b, body.map.lookup(loop.getLowerBound()),
                                   body.map.lookup(loop.getUpperBound()),
                                   body.map.lookup(loop.getStep()));
    body.map.map(loop.getInductionVar(), copy.getInductionVar());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(copy.getBody());
    return mapBlock(body, *loop.getBody());
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    if (branch.getNumResults() != 0 || branch.elseBlock())
      return branch.emitOpError("expected no results and no 'else'");
    auto copy = scf::IfOp::create(b, body.map.lookup(branch.getCondition()),
                                  /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(copy.thenBlock());
    return mapBlock(body, *branch.thenBlock());
  }
  return body.copy(op);
}

static LogicalResult mapBlock(BodyBuilder &body, Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(mapOp(body, op)))
      return failure();
  return success();
}

/// Iterations of the loops along the columns.
static int64_t getColumns(scf::ParallelOp ranges) {
  int64_t columns = 1;
  ranges.getBody()->walk([&](scf::ParallelOp loop) {
    if (std::optional<SmallVector<int64_t>> extents = getExtents(loop))
      columns = std::max(columns, llvm::product_of(*extents));
  });
  return columns;
}

LogicalResult accrue::cuda::mapScatter(kernel::FuncOp func, KernelOp kernel) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  BodyBuilder body(builder, func.getLoc());
  body.map.map(func.getArguments(), kernel.getArguments());
  for (Operation &op : func.getBody().front().without_terminator()) {
    auto ranges = dyn_cast<scf::ParallelOp>(op);
    if (!ranges) {
      if (failed(body.copy(op)))
        return failure();
      continue;
    }
    std::optional<SmallVector<int64_t>> extents = getExtents(ranges);
    if (!extents)
      return ranges.emitOpError("expected constant bounds");
    int64_t count = llvm::product_of(*extents);
    kernel.setGrid(std::max<int64_t>(count, 1));
    kernel.setBlock(
        std::min(kBlockSize, int64_t(llvm::alignTo(getColumns(ranges), 32))));
    kernel.setSchedule(
        ("scatter, one block for each of " + Twine(count) + " ranges of rows")
            .str());
    body.mapIterations(ranges, body.block());
    if (failed(mapBlock(body, *ranges.getBody())))
      return failure();
  }
  ReturnOp::create(body.b);
  return success();
}
