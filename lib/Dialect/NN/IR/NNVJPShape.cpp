//===- NNVJPShape.cpp - Derivatives of changes of shape -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of these ops are linear, and their adjoints are ops of the dialect with
// the same dimensions and the types of the operands: no rule asks for an
// extent.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult BroadcastOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        SumOp::create(builder, getLoc(), getInput().getType(),
                      resultCotangents[0], getDims());
  return success();
}

LogicalResult
DistributeOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                       ArrayRef<bool> wanted,
                       SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        MeanOp::create(builder, getLoc(), getInput().getType(),
                       resultCotangents[0], getDims());
  return success();
}

LogicalResult ReshapeOp::buildVJP(OpBuilder &builder,
                                  ValueRange resultCotangents,
                                  ArrayRef<bool> wanted,
                                  SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] = ReshapeOp::create(
        builder, getLoc(), getInput().getType(), resultCotangents[0]);
  return success();
}

LogicalResult TransposeOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] = TransposeOp::create(
        builder, getLoc(), getInput().getType(), resultCotangents[0],
        invertPermutationVector(getPermutation()));
  return success();
}
