//===- NNVJPContraction.cpp - Derivatives of matrix products --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With Y = op(A) op(B) and the cotangent G of Y, that of op(A) is G op(B)^T and
// that of op(B) is op(A)^T G. The cotangent of a transposed operand is computed
// in its stored layout directly, so no rule builds a transpose.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult MatmulOp::buildVJP(OpBuilder &builder,
                                 ValueRange resultCotangents,
                                 ArrayRef<bool> wanted,
                                 SmallVectorImpl<Value> &operandCotangents) {
  Value cotangent = resultCotangents[0];
  auto matmul = [&](Value lhs, bool transposeLhs, Value rhs, bool transposeRhs,
                    Type type) -> Value {
    return MatmulOp::create(builder, getLoc(), type, lhs, rhs, transposeLhs,
                            transposeRhs);
  };
  bool transposeLhs = getTransposeLhs(), transposeRhs = getTransposeRhs();
  if (wanted[0])
    operandCotangents[0] = transposeLhs
                               ? matmul(getRhs(), transposeRhs, cotangent, true,
                                        getLhs().getType())
                               : matmul(cotangent, false, getRhs(),
                                        !transposeRhs, getLhs().getType());
  if (wanted[1])
    operandCotangents[1] = transposeRhs
                               ? matmul(cotangent, true, getLhs(), transposeLhs,
                                        getRhs().getType())
                               : matmul(getLhs(), !transposeLhs, cotangent,
                                        false, getRhs().getType());
  return success();
}
