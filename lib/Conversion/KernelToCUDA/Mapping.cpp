//===- Mapping.cpp - Building CUDA kernels --------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A parallel loop becomes an `scf.for` that carries the totals of its
// reductions: over all iterations, or over those of one thread.
//
//===----------------------------------------------------------------------===//

#include "Mapping.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

std::optional<SmallVector<int64_t>>
accrue::cuda::getExtents(scf::ParallelOp loop) {
  SmallVector<int64_t> extents;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    std::optional<int64_t> from = getConstantIntValue(lower);
    std::optional<int64_t> to = getConstantIntValue(upper);
    std::optional<int64_t> by = getConstantIntValue(step);
    if (!from || !to || !by || *by <= 0)
      return std::nullopt;
    extents.push_back(*to > *from ? llvm::divideCeil(*to - *from, *by)
                                  : int64_t(0));
  }
  return extents;
}

Value BodyBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}
Value BodyBuilder::thread() {
  return gpu::ThreadIdOp::create(b, gpu::Dimension::x);
}
Value BodyBuilder::block() {
  return gpu::BlockIdOp::create(b, gpu::Dimension::x);
}
Value BodyBuilder::blockDim() {
  return gpu::BlockDimOp::create(b, gpu::Dimension::x);
}
Value BodyBuilder::gridDim() {
  return gpu::GridDimOp::create(b, gpu::Dimension::x);
}

/// `value` times the step plus the lower bound of dimension `dim` of `loop`.
static Value scale(ImplicitLocOpBuilder &b, scf::ParallelOp loop, unsigned dim,
                   Value value, const IRMapping &map) {
  Value step = map.lookup(loop.getStep()[dim]);
  if (!isOneInteger(step))
    value = arith::MulIOp::create(b, value, step);
  Value lower = map.lookup(loop.getLowerBound()[dim]);
  if (!isZeroInteger(lower))
    value = arith::AddIOp::create(b, lower, value);
  return value;
}

void BodyBuilder::mapIterations(scf::ParallelOp loop, Value flat) {
  SmallVector<int64_t> extents = *getExtents(loop);
  ValueRange numbers = flat;
  if (extents.size() > 1)
    numbers = affine::AffineDelinearizeIndexOp::create(b, flat, extents)
                  .getMultiIndex();
  for (auto [dim, iv] : llvm::enumerate(loop.getInductionVars()))
    map.map(iv, scale(b, loop, dim, numbers[dim], map));
}

LogicalResult BodyBuilder::copy(Operation &op) {
  if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    SmallVector<Value> inits;
    for (Value init : loop.getInitVals())
      inits.push_back(map.lookup(init));
    FailureOr<SmallVector<Value>> results =
        runLoop(loop, /*start=*/{}, /*stride=*/{}, inits);
    if (failed(results))
      return failure();
    map.map(loop.getResults(), *results);
    return success();
  }
  if (op.getNumRegions() != 0)
    return op.emitOpError("cannot be mapped to CUDA threads");
  b.clone(op, map);
  return success();
}

LogicalResult BodyBuilder::copyBody(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(copy(op)))
      return failure();
  return success();
}

Value BodyBuilder::combine(scf::ReduceOp reduce, unsigned i, Value total,
                           Value value) {
  Block &body = reduce.getReductions()[i].front();
  IRMapping local;
  local.map(body.getArgument(0), total);
  local.map(body.getArgument(1), value);
  for (Operation &op : body.without_terminator())
    b.clone(op, local);
  auto result = cast<scf::ReduceReturnOp>(body.getTerminator());
  return local.lookupOrDefault(result.getResult());
}

FailureOr<SmallVector<Value>> BodyBuilder::copyIteration(scf::ParallelOp loop,
                                                         ValueRange totals) {
  if (failed(copyBody(*loop.getBody())))
    return failure();
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  SmallVector<Value> results;
  for (auto [i, operand] : llvm::enumerate(reduce.getOperands()))
    results.push_back(combine(reduce, i, totals[i], map.lookup(operand)));
  return results;
}

FailureOr<SmallVector<Value>> BodyBuilder::runLoop(scf::ParallelOp loop,
                                                   Value start, Value stride,
                                                   ValueRange inits) {
  Location outer = b.getLoc();
  b.setLoc(loop.getLoc());
  Value from, to, by;
  // One dimension can have any bounds; several are run as one.
  bool flat = loop.getNumLoops() > 1;
  if (flat) {
    std::optional<SmallVector<int64_t>> extents = getExtents(loop);
    if (!extents)
      return loop.emitOpError("expected constant bounds");
    from = start ? start : index(0);
    to = index(llvm::product_of(*extents));
    by = stride ? stride : index(1);
  } else {
    from = map.lookup(loop.getLowerBound()[0]);
    to = map.lookup(loop.getUpperBound()[0]);
    by = map.lookup(loop.getStep()[0]);
    if (start) {
      from = scale(b, loop, 0, start, map);
      by = isOneInteger(by) ? stride
                            : Value(arith::MulIOp::create(b, stride, by));
    }
  }
  auto result = scf::ForOp::create(b, from, to, by, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(result.getBody());
    if (flat)
      mapIterations(loop, result.getInductionVar());
    else
      map.map(loop.getInductionVars()[0], result.getInductionVar());
    FailureOr<SmallVector<Value>> totals =
        copyIteration(loop, result.getRegionIterArgs());
    if (failed(totals))
      return failure();
    if (!inits.empty())
      scf::YieldOp::create(b, *totals);
  }
  b.setLoc(outer);
  return SmallVector<Value>(result.getResults());
}
