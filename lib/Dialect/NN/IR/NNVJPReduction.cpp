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

/// Equal shares of `cotangent` for the elements of the operand that are the
/// result.
template <typename OpTy>
static Value buildShares(OpTy op, OpBuilder &builder, Value cotangent) {
  TensorBuilder t{builder, op.getLoc()};
  Value input = op.getInput();
  Value extremum = t.broadcast(op.getResult(), input, op.getDims());
  Value taken = t.compare(ComparePredicate::eq, input, extremum);
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
    operandCotangents[0] = buildShares(*this, builder, resultCotangents[0]);
  return success();
}

LogicalResult ReduceMinOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] = buildShares(*this, builder, resultCotangents[0]);
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
