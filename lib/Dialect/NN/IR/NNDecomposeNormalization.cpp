//===- NNDecomposeNormalization.cpp - Normalization as simpler ops --------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Statistics over the last dimensions are computed over one, after a reshape:
// they then share a kernel with what is computed from them.
//
//===----------------------------------------------------------------------===//

#include "Normalization.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LastDims::LastDims(Formula &f, Type type, ArrayRef<int64_t> dims)
    : dims(dims), f(f), original(cast<RankedTensorType>(type)),
      joined(original) {
  // Increasing dimensions from the first one on to the last.
  if (dims.size() < 2 || dims.front() == 0 ||
      dims.front() + static_cast<int64_t>(dims.size()) != original.getRank())
    return;
  SmallVector<Extent> extents = getExtents(original);
  Extent length = getProduct(ArrayRef(extents).drop_front(dims.front()));
  extents.truncate(dims.front());
  extents.push_back(length);
  joined = getTensorType(extents, original.getElementType());
  this->dims = {dims.front()};
}

Value nn::getRmsFactor(Formula &f, Value input, ArrayRef<int64_t> dims,
                       double eps) {
  Value square = f.reduce<MeanOp>(f.square(input), dims);
  Value factors = f.rsqrt(f.add(square, f.splat(square, eps)));
  return f.repeat(factors, input, dims);
}

//===----------------------------------------------------------------------===//
// softmax, log_softmax, logsumexp
//===----------------------------------------------------------------------===//

namespace {
/// x - max(x) of rows along `dim` and the sums of its exponentials. A row of
/// -inf only has no maximum to subtract; its sum counts as 1.
struct Exponentials {
  Exponentials(Formula &f, Value input, int64_t dim) {
    Value maximum = f.reduce<ReduceMaxOp>(input, dim);
    Value isEmpty = f.isEqual(maximum, -kInfinity);
    Value shift = f.select(isEmpty, f.splat(maximum, 0.0), maximum);
    shifted = f.sub(input, f.repeat(shift, input, dim));
    exponentials = f.exp(shifted);
    Value total = f.reduce<SumOp>(exponentials, dim);
    sum = f.select(isEmpty, f.splat(total, 1.0), total);
  }

  Value shifted, exponentials, sum;
};
} // namespace

LogicalResult SoftmaxOp::buildDecomposition(OpBuilder &builder,
                                            SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  int64_t dim = getDim();
  Exponentials rows(f, getInput(), dim);
  results.push_back(
      f.div(rows.exponentials, f.repeat(rows.sum, getInput(), dim)));
  return success();
}

LogicalResult
LogSoftmaxOp::buildDecomposition(OpBuilder &builder,
                                 SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  int64_t dim = getDim();
  Exponentials rows(f, getInput(), dim);
  results.push_back(
      f.sub(rows.shifted, f.repeat(f.log(rows.sum), getInput(), dim)));
  return success();
}

LogicalResult LogSumExpOp::buildDecomposition(OpBuilder &builder,
                                              SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  LastDims last(f, getInput().getType(), getDims());
  Value input = last.join(getInput());
  Value maximum = f.reduce<ReduceMaxOp>(input, last.dims);
  // An infinite maximum is the result already: log(0) or log(inf).
  Value isInfinite = f.isEqual(f.unary<AbsOp>(maximum), kInfinity);
  Value shift = f.select(isInfinite, f.splat(maximum, 0.0), maximum);
  Value exponentials = f.exp(f.sub(input, f.repeat(shift, input, last.dims)));
  Value sum = f.reduce<SumOp>(exponentials, last.dims);
  results.push_back(f.add(f.log(sum), shift));
  return success();
}

//===----------------------------------------------------------------------===//
// moments, normalize, normalize_grad, rms_norm
//===----------------------------------------------------------------------===//

namespace {
/// Mean, variance and distances from the mean of rows.
struct Moments {
  Moments(Formula &f, Value input, ArrayRef<int64_t> dims) {
    mean = f.reduce<MeanOp>(input, dims);
    centred = f.sub(input, f.repeat(mean, input, dims));
    variance = f.reduce<MeanOp>(f.square(centred), dims);
  }

  Value mean, centred, variance;
};

/// Normalized rows and the factors 1 / sqrt(var + eps), repeated.
struct Standardized {
  Standardized(Formula &f, Value input, ArrayRef<int64_t> dims, double eps) {
    Moments moments(f, input, dims);
    Value variance = moments.variance;
    Value factors = f.rsqrt(f.add(variance, f.splat(variance, eps)));
    factor = f.repeat(factors, input, dims);
    value = f.mul(moments.centred, factor);
  }

  Value factor, value;
};
} // namespace

LogicalResult MomentsOp::buildDecomposition(OpBuilder &builder,
                                            SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  LastDims last(f, getInput().getType(), getDims());
  Moments rows(f, last.join(getInput()), last.dims);
  results.append({rows.mean, rows.variance});
  return success();
}

LogicalResult NormalizeOp::buildDecomposition(OpBuilder &builder,
                                              SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  LastDims last(f, getInput().getType(), getDims());
  Standardized rows(f, last.join(getInput()), last.dims,
                    getEps().convertToDouble());
  results.push_back(last.split(rows.value));
  return success();
}

LogicalResult
NormalizeGradOp::buildDecomposition(OpBuilder &builder,
                                    SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  LastDims last(f, getInput().getType(), getDims());
  Value cotangent = last.join(getCotangent());
  Standardized rows(f, last.join(getInput()), last.dims,
                    getEps().convertToDouble());
  auto mean = [&](Value value) {
    return f.repeat(f.reduce<MeanOp>(value, last.dims), value, last.dims);
  };
  Value along = f.mul(rows.value, mean(f.mul(cotangent, rows.value)));
  Value rest = f.sub(f.sub(cotangent, mean(cotangent)), along);
  results.push_back(last.split(f.mul(rows.factor, rest)));
  return success();
}

LogicalResult RmsNormOp::buildDecomposition(OpBuilder &builder,
                                            SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  LastDims last(f, getInput().getType(), getDims());
  Value input = last.join(getInput());
  Value factor = getRmsFactor(f, input, last.dims, getEps().convertToDouble());
  results.push_back(last.split(f.mul(input, factor)));
  return success();
}
