//===- Statistics.cpp - Random functions of sums over samples -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over samples that meet each other and values that are known once:
// linear functions of them stay sums of contributions, others must not.
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using namespace accrue::fuzz;

/// A sum or mean over the samples of a value of the pool, without other
/// dimensions or with them.
static Value drawSum(ProgramBuilder &p, bool isScalar) {
  Value x = p.pick();
  if (p.getMagnitude(x) > 2)
    x = p.bound(x);
  SmallVector<int64_t> dims = isScalar ? ProgramBuilder::getAllDims(x)
                                       : ProgramBuilder::getBatchedDims(x);
  if (dims.empty())
    return x;
  if (p.random.chance(40))
    return SumOp::create(p.b, x, dims);
  return MeanOp::create(p.b, x, dims);
}

/// A value of this shape that depends on no sample.
static Value drawOnce(ProgramBuilder &p, ArrayRef<Extent> shape) {
  if (p.random.chance(50))
    return p.splat(p.random.choose({-0.7, 0.4, 1.0, 1.9}), shape);
  return p.getParam(shape);
}

/// Of `sum`, alone or with `other`, both of one shape.
static Value apply(ProgramBuilder &p, Value sum, Value other) {
  Shape shape = ProgramBuilder::getShape(sum);
  switch (p.random.below(16)) {
  case 0:
    return NegOp::create(p.b, sum);
  case 1:
  case 2:
    return SubOp::create(p.b, other, sum);
  case 3:
    return AddOp::create(p.b, sum, other);
  case 4: {
    Value once = drawOnce(p, shape);
    return AddOp::create(p.b, sum, once);
  }
  case 5:
  case 6: {
    Value once = drawOnce(p, shape);
    return SubOp::create(p.b, once, sum);
  }
  case 7: {
    Value once = drawOnce(p, shape);
    return MulOp::create(p.b, once, sum);
  }
  case 8: {
    Value divisor = p.makePositive(drawOnce(p, shape));
    return DivOp::create(p.b, sum, divisor);
  }
  case 9:
  case 10: {
    // The condition is known once.
    Value left = drawOnce(p, shape);
    Value right = p.splat(0.2, shape);
    Value condition = CompareOp::create(p.b, ComparePredicate::gt, left, right);
    Value branch = p.random.chance(50) ? other : drawOnce(p, shape);
    if (p.random.chance(50))
      return SelectOp::create(p.b, condition, sum, branch);
    return SelectOp::create(p.b, condition, branch, sum);
  }
  case 11: {
    Value least = p.splat(p.random.choose({0.0, 0.5, 1.0}), shape);
    return MaxOp::create(p.b, sum, least);
  }
  case 12:
    return MulOp::create(p.b, sum, other);
  case 13: {
    Value bounded = p.bound(other);
    return AddOp::create(p.b, sum, bounded);
  }
  case 14: {
    Value mask = CompareOp::create(p.b, ComparePredicate::lt, sum, other);
    return SelectOp::create(p.b, mask, sum, other);
  }
  default: {
    Value kept = p.random.chance(50) ? Value(StopGradientOp::create(p.b, sum))
                                     : p.scale(sum, 0.3);
    return SubOp::create(p.b, kept, other);
  }
  }
}

Value fuzz::buildStatistic(ProgramBuilder &p) {
  bool isScalar = p.random.chance(70);
  SmallVector<Value> sums = {drawSum(p, isScalar)};
  Shape shape = ProgramBuilder::getShape(sums[0]);
  // Others of its shape; scalars fit anywhere.
  int64_t others = p.random.range(1, 2);
  for (int64_t i = 0; i < others; ++i) {
    Value sum = drawSum(p, isScalar);
    if (ProgramBuilder::getShape(sum) != shape)
      sum = p.broadcastTo(drawSum(p, /*isScalar=*/true), shape);
    sums.push_back(sum);
  }
  int64_t steps = p.random.range(2, 6);
  for (int64_t i = 0; i < steps; ++i) {
    Value sum = sums[p.random.below(sums.size())];
    Value other = sums[p.random.below(sums.size())];
    sums.push_back(apply(p, sum, other));
    sums.erase(sums.begin() + p.random.below(sums.size() - 1));
  }
  // A sum of what cancels has no accurate digits.
  Value shift = p.splat(0.8, shape);
  return AddOp::create(p.b, sums.back(), shift);
}
