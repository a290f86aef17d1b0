//===- NNVJPAttention.cpp - Derivative of attention -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

// With P = softmax(S), S = scale Q K^T, Y = P V and the cotangent C of Y:
// dV = P^T C, dP = C V^T, dS = P (dP - sum(dP P)), dQ = scale dS K,
// dK = scale dS^T Q. The probabilities are computed again from the operands, so
// the forward pass need not keep them. Where nothing is seen P and dS are 0.
LogicalResult AttentionOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0] && !wanted[1] && !wanted[2])
    return success();
  AttentionBuilder parts(builder, *this);
  Formula &f = parts.f;
  Value probabilities = parts.buildProbabilities();
  Value cotangent = parts.group(resultCotangents[0]);
  if (wanted[2])
    operandCotangents[2] =
        f.matmul(parts.group(probabilities), true, cotangent, false);
  if (!wanted[0] && !wanted[1])
    return success();
  Value dP = parts.ungroup(f.matmul(cotangent, false, getValue(), true));
  Value along = f.reduce<SumOp>(f.mul(dP, probabilities), 3);
  Value dS = f.mul(probabilities, f.sub(dP, f.repeat(along, dP, 3)));
  Value scaled =
      parts.group(f.mul(dS, f.splat(dS, getScale().convertToDouble())));
  if (wanted[0])
    operandCotangents[0] =
        parts.ungroup(f.matmul(scaled, false, getKey(), false));
  if (wanted[1])
    operandCotangents[1] =
        f.matmul(scaled, true, parts.group(getQuery()), false);
  return success();
}
