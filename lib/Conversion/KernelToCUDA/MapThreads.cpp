//===- MapThreads.cpp - One thread per iteration --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise and column kernels: the iterations of the outer loop, in
// row-major order, are dealt to the threads of the grid one by one, so that
// neighbours touch neighbouring memory. A kernel without a loop is one thread.
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

LogicalResult accrue::cuda::mapThreads(kernel::FuncOp func, KernelOp kernel) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  BodyBuilder body(builder, func.getLoc());
  body.map.map(func.getArguments(), kernel.getArguments());
  scf::ParallelOp found;
  for (Operation &op : func.getBody().front().without_terminator()) {
    auto loop = dyn_cast<scf::ParallelOp>(op);
    if (!loop) {
      if (failed(body.copy(op)))
        return failure();
      continue;
    }
    if (found)
      return loop.emitOpError("expected one outer loop in a kernel of "
                              "independent elements");
    found = loop;
    if (loop.getNumResults() != 0)
      return loop.emitOpError("expected an outer loop without results");
    std::optional<SmallVector<int64_t>> extents = getExtents(loop);
    if (!extents)
      return loop.emitOpError("expected constant bounds");
    int64_t count = llvm::product_of(*extents);
    int64_t blocks = std::min(
        kMaxBlocks,
        int64_t(llvm::divideCeil(std::max<int64_t>(count, 1), kBlockSize)));
    kernel.setBlock(kBlockSize);
    kernel.setGrid(blocks);
    kernel.setSchedule((stringifySchedule(func.getSchedule()) + ", " +
                        Twine(count) + " elements")
                           .str());
    ImplicitLocOpBuilder &b = body.b;
    Value first = arith::AddIOp::create(
        b, arith::MulIOp::create(b, body.block(), body.blockDim()),
        body.thread());
    Value stride = arith::MulIOp::create(b, body.gridDim(), body.blockDim());
    auto forOp = scf::ForOp::create(b, first, body.index(count), stride);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forOp.getBody());
    body.mapIterations(loop, forOp.getInductionVar());
    if (failed(body.copyBody(*loop.getBody())))
      return failure();
  }
  if (!found) {
    kernel.setBlock(1);
    kernel.setGrid(1);
    kernel.setSchedule("one thread");
  }
  ReturnOp::create(body.b);
  return success();
}
