//===- NNVJPIndexing.cpp - Derivatives of indexing ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gathering and scattering are adjoint. An update whose index is out of range
// is left out, so its cotangent is zero.
//
//===----------------------------------------------------------------------===//

#include "Positions.h"
#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult GatherOp::buildVJP(OpBuilder &builder,
                                 ValueRange resultCotangents,
                                 ArrayRef<bool> wanted,
                                 SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        ScatterAddOp::create(builder, getLoc(), getInput().getType(),
                             resultCotangents[0], getIndex(), getDim());
  return success();
}

LogicalResult TakeAlongOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        ScatterAddAlongOp::create(builder, getLoc(), getInput().getType(),
                                  resultCotangents[0], getIndex(), getDim());
  return success();
}

/// `gathered` where `index` is in [0, extent), else 0; the dimensions `added`
/// of `gathered` are not of the index.
static Value selectInRange(OpBuilder &builder, Location loc, Value gathered,
                           Value index, Extent extent,
                           ArrayRef<int64_t> added) {
  auto type = cast<RankedTensorType>(gathered.getType());
  auto indexType = cast<RankedTensorType>(index.getType());
  Value zero = createSplat(builder, loc, type, 0);
  auto keepWhere = [&](ComparePredicate predicate, Extent bound) {
    Value isInside =
        CompareOp::create(builder, loc, predicate, index,
                          createExtent(builder, loc, bound, indexType));
    if (!added.empty())
      isInside = BroadcastOp::create(builder, loc,
                                     withElementType(type, builder.getI1Type()),
                                     isInside, added);
    gathered = SelectOp::create(builder, loc, type, isInside, gathered, zero);
  };
  keepWhere(ComparePredicate::ge, Extent(0));
  keepWhere(ComparePredicate::lt, extent);
  return gathered;
}

LogicalResult
ScatterAddOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                       ArrayRef<bool> wanted,
                       SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  int64_t dim = getDim();
  auto updates = cast<RankedTensorType>(getUpdates().getType());
  int64_t indexRank = cast<RankedTensorType>(getIndex().getType()).getRank();
  SmallVector<int64_t> others;
  for (int64_t d = 0; d != updates.getRank(); ++d)
    if (d < dim || d >= dim + indexRank)
      others.push_back(d);
  Value gathered = GatherOp::create(builder, getLoc(), updates,
                                    resultCotangents[0], getIndex(), dim);
  operandCotangents[0] =
      selectInRange(builder, getLoc(), gathered, getIndex(),
                    getExtents(cast<RankedTensorType>(getType()))[dim], others);
  return success();
}

LogicalResult
ScatterAddAlongOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                            ArrayRef<bool> wanted,
                            SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  Value taken = TakeAlongOp::create(builder, getLoc(), getUpdates().getType(),
                                    resultCotangents[0], getIndex(), getDim());
  operandCotangents[0] = selectInRange(
      builder, getLoc(), taken, getIndex(),
      getExtents(cast<RankedTensorType>(getType())) [getDim()], {});
  return success();
}
