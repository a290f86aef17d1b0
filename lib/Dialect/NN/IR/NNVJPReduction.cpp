//===- NNVJPReduction.cpp - Derivatives of reductions ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and means are linear; their adjoints repeat the cotangent along the
// reduced dimensions. The divisor of a mean stays inside nn.distribute, so the
// batch never becomes a number. Of a maximum the elements that are it share the
// cotangent.
//
//===----------------------------------------------------------------------===//

#include "Positions.h"
#include "TensorBuilder.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult SumOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        BroadcastOp::create(builder, getLoc(), getInput().getType(),
                            resultCotangents[0], getDims());
  return success();
}

LogicalResult MeanOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                               ArrayRef<bool> wanted,
                               SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        DistributeOp::create(builder, getLoc(), getInput().getType(),
                             resultCotangents[0], getDims());
  return success();
}

/// Whether a reduction over `dims` of `type` is one over samples.
static bool isOverSamples(RankedTensorType type, ArrayRef<int64_t> dims) {
  SmallVector<Extent> extents = getExtents(type);
  return llvm::any_of(dims, [&](int64_t d) { return !extents[d].isStatic(); });
}

/// Equal shares of the cotangent for the elements that are the extremum, which
/// is the maximum of `ordered`.
template <typename OpTy>
static Value
buildShares(OpTy op, OpBuilder &builder, Value cotangent,
            llvm::function_ref<Value(TensorBuilder &)> getOrdered) {
  TensorBuilder t{builder, op.getLoc()};
  Value input = op.getInput();
  auto type = cast<RankedTensorType>(input.getType());
  Value extremum = t.broadcast(op.getResult(), input, op.getDims());
  Value taken = t.compare(ComparePredicate::eq, input, extremum);
  if (isOverSamples(type, op.getDims())) {
    // Elements of other micro-batches may be computed again, with other bits
    // than those that the extremum was found in. Its index stays.
    Value positions = createPositions(
        builder, op.getLoc(), withElementType(type, builder.getI32Type()),
        op.getDims());
    auto first = ReduceArgmaxOp::create(builder, op.getLoc(), getOrdered(t),
                                        positions, op.getDims());
    Value isFirst =
        t.compare(ComparePredicate::eq, positions,
                  t.broadcast(first.getIndex(), positions, op.getDims()));
    taken = t.binary<OrOp>(taken, isFirst);
  }
  Value one = t.splat(input, 1.0);
  Value zero = t.splat(input, 0.0);
  Value hits = t.select(taken, one, zero);
  Value count =
      SumOp::create(builder, op.getLoc(), op.getType(), hits, op.getDims());
  Value share = t.div(cotangent, count);
  Value shares = t.broadcast(share, input, op.getDims());
  return t.select(taken, shares, zero);
}

LogicalResult ReduceMaxOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        buildShares(*this, builder, resultCotangents[0],
                    [&](TensorBuilder &) -> Value { return getInput(); });
  return success();
}

LogicalResult ReduceMinOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        buildShares(*this, builder, resultCotangents[0],
                    [&](TensorBuilder &t) { return t.neg(getInput()); });
  return success();
}

LogicalResult
ReduceArgmaxOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                         ArrayRef<bool> wanted,
                         SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0] || !resultCotangents[0])
    return success();
  TensorBuilder t{builder, getLoc()};
  Value isIt = t.compare(ComparePredicate::eq, getIndices(),
                         t.broadcast(getIndex(), getIndices(), getDims()));
  Value repeated = t.broadcast(resultCotangents[0], getValues(), getDims());
  operandCotangents[0] = t.select(isIt, repeated, t.splat(getValues(), 0.0));
  return success();
}

LogicalResult CumsumOp::buildVJP(OpBuilder &builder,
                                 ValueRange resultCotangents,
                                 ArrayRef<bool> wanted,
                                 SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        CumsumOp::create(builder, getLoc(), getType(), resultCotangents[0],
                         getDim(), !getReverse());
  return success();
}
