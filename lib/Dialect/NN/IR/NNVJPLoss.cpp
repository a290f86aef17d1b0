//===- NNVJPLoss.cpp - Derivatives of losses ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loss has a gradient op of its own, which computes the softmax again from
// the logits: that is cheaper than keeping it.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult
CrossEntropyOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                         ArrayRef<bool> wanted,
                         SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] = CrossEntropyGradOp::create(
        builder, getLoc(), getLogits().getType(), getLogits(), getLabel(),
        resultCotangents[0]);
  return success();
}
