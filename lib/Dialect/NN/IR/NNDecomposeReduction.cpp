//===- NNDecomposeReduction.cpp - Reductions as simpler ops ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formula.h"
#include "Positions.h"
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult
ReduceArgmaxOp::buildDecomposition(OpBuilder &builder,
                                   SmallVectorImpl<Value> &results) {
  Formula f{builder, getLoc()};
  Value values = getValues(), indices = getIndices();
  Value largest = f.reduce<ReduceMaxOp>(values, getDims());
  Value hit = f.compare(ComparePredicate::eq, values,
                        f.repeat(largest, values, getDims()));
  // NaN, which no maximum equals, is one.
  if (isa<FloatType>(Formula::getType(values).getElementType()))
    hit = f.binary<OrOp>(hit, f.compare(ComparePredicate::ne, values, values));
  Value none =
      createExtent(builder, getLoc(), std::numeric_limits<int32_t>::max(),
                   Formula::getType(indices));
  Value first = f.reduce<ReduceMinOp>(f.select(hit, indices, none), getDims());
  results.append({largest, first});
  return success();
}
