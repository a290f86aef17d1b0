//===- NNVJPReduction.cpp - Derivatives of reductions ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and means are linear; their adjoints repeat the cotangent along the
// reduced dimensions. The divisor of a mean stays inside nn.distribute, so the
// batch never becomes a number.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

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
