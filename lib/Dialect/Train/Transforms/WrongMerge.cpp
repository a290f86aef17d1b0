//===- WrongMerge.cpp - Planted faults of merges --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrongMerge.h"
#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;

/// The last row of `stacked`, in every row.
static Value repeatLastRow(OpBuilder &builder, Location loc, Value stacked) {
  auto type = cast<RankedTensorType>(stacked.getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t rows = shape.front();
  shape.front() = 1;
  auto rowType = RankedTensorType::get(shape, type.getElementType());
  auto flatType = RankedTensorType::get(ArrayRef(shape).drop_front(),
                                        type.getElementType());
  Value last = nn::SliceOp::create(builder, loc, rowType, stacked, /*dim=*/0,
                                   /*start=*/rows - 1, /*stop=*/rows,
                                   /*step=*/1);
  Value flat = nn::ReshapeOp::create(builder, loc, flatType, last);
  return nn::BroadcastOp::create(builder, loc, type, flat,
                                 ArrayRef<int64_t>{0});
}

static Value negate(OpBuilder &builder, Location loc, Value integers) {
  auto type = cast<RankedTensorType>(integers.getType());
  Value zero = nn::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
  return nn::SubOp::create(builder, loc, type, zero, integers);
}

FailureOr<SmallVector<Value>>
train::buildWrongMerge(AnalysisFault fault, BatchOpInterface op,
                       OpBuilder &builder, ValueRange stacked, Value weights) {
  Location loc = op->getLoc();
  SmallVector<Value> wrong(stacked);
  auto negateIntegers = [&](SmallVectorImpl<Value> &values) {
    for (Value &value : values)
      if (isa<IntegerType>(getElementTypeOrSelf(value)))
        value = negate(builder, loc, value);
  };
  switch (fault) {
  case AnalysisFault::EqualShares: {
    auto type = cast<RankedTensorType>(weights.getType());
    weights = nn::createSplat(builder, loc, type, 1.0 / type.getDimSize(0));
    break;
  }
  case AnalysisFault::MomentsWithoutMeans: {
    // Every micro-batch has the mean of all.
    FailureOr<SmallVector<Value>> merged =
        op.buildMerge(builder, stacked, weights);
    if (failed(merged))
      return failure();
    wrong[0] = nn::BroadcastOp::create(builder, loc, stacked[0].getType(),
                                       merged->front(), ArrayRef<int64_t>{0});
    break;
  }
  case AnalysisFault::LastMaximum: {
    negateIntegers(wrong);
    FailureOr<SmallVector<Value>> merged =
        op.buildMerge(builder, wrong, weights);
    if (succeeded(merged))
      negateIntegers(*merged);
    return merged;
  }
  case AnalysisFault::LastContribution:
    for (Value &value : wrong)
      value = repeatLastRow(builder, loc, value);
    break;
  default:
    break;
  }
  return op.buildMerge(builder, wrong, weights);
}
