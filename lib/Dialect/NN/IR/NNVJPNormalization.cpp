//===- NNVJPNormalization.cpp - Derivatives of normalization --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalization.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult SoftmaxOp::buildVJP(OpBuilder &builder,
                                  ValueRange resultCotangents,
                                  ArrayRef<bool> wanted,
                                  SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // y (c - sum(c y))
  Formula f{builder, getLoc()};
  int64_t dim = getDim();
  Value y = getResult(), cotangent = resultCotangents[0];
  Value along = f.reduce<SumOp>(f.mul(cotangent, y), dim);
  operandCotangents[0] = f.mul(y, f.sub(cotangent, f.repeat(along, y, dim)));
  return success();
}

LogicalResult
LogSoftmaxOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                       ArrayRef<bool> wanted,
                       SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // c - softmax(x) sum(c), the softmax being exp(y)
  Formula f{builder, getLoc()};
  int64_t dim = getDim();
  Value cotangent = resultCotangents[0];
  Value total = f.repeat(f.reduce<SumOp>(cotangent, dim), cotangent, dim);
  operandCotangents[0] = f.sub(cotangent, f.mul(f.exp(getResult()), total));
  return success();
}

LogicalResult LogSumExpOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // c exp(x - y), where y = -inf: c exp(-inf)
  Formula f{builder, getLoc()};
  LastDims last(f, getInput().getType(), getDims());
  Value x = last.join(getInput()), y = getResult();
  Value isEmpty = f.isEqual(y, -kInfinity);
  Value shift = f.select(isEmpty, f.splat(y, 0.0), y);
  Value shares = f.exp(f.sub(x, f.repeat(shift, x, last.dims)));
  Value cotangent = f.repeat(resultCotangents[0], x, last.dims);
  operandCotangents[0] = last.split(f.mul(cotangent, shares));
  return success();
}

LogicalResult MomentsOp::buildVJP(OpBuilder &builder,
                                  ValueRange resultCotangents,
                                  ArrayRef<bool> wanted,
                                  SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // mean / n + 2 (x - mean) variance / n, of the cotangents
  Formula f{builder, getLoc()};
  Value x = getInput();
  auto distribute = [&](Value cotangent) -> Value {
    return DistributeOp::create(builder, getLoc(), x.getType(), cotangent,
                                getDims());
  };
  Value total;
  if (Value cotangent = resultCotangents[0])
    total = distribute(cotangent);
  if (Value cotangent = resultCotangents[1]) {
    Value centred = f.sub(x, f.repeat(getMean(), x, getDims()));
    Value term = f.mul(centred, distribute(f.scale(cotangent, 2.0)));
    total = total ? f.add(total, term) : term;
  }
  operandCotangents[0] = total;
  return success();
}

LogicalResult NormalizeOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] = NormalizeGradOp::create(
        builder, getLoc(), getInput().getType(), getInput(),
        resultCotangents[0], getDimsAttr(), getEpsAttr());
  return success();
}

LogicalResult RmsNormOp::buildVJP(OpBuilder &builder,
                                  ValueRange resultCotangents,
                                  ArrayRef<bool> wanted,
                                  SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  // r (c - y mean(c y)); y = r x is computed again, which keeps x only.
  Formula f{builder, getLoc()};
  LastDims last(f, getInput().getType(), getDims());
  Value x = last.join(getInput()), cotangent = last.join(resultCotangents[0]);
  Value factor = getRmsFactor(f, x, last.dims, getEps().convertToDouble());
  Value y = f.mul(x, factor);
  Value along = f.reduce<MeanOp>(f.mul(cotangent, y), last.dims);
  Value rest = f.sub(cotangent, f.mul(y, f.repeat(along, y, last.dims)));
  operandCotangents[0] = last.split(f.mul(factor, rest));
  return success();
}
