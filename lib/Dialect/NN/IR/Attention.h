//===- Attention.h - The parts of an attention ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grouped queries without repeated keys: the queries of the heads that read one
// key head lie side by side, so [N, H, T, D] is also [N, G, (H/G) T, D], which
// one product per key head reads.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_ATTENTION_H
#define ACCRUE_LIB_DIALECT_NN_IR_ATTENTION_H

#include "Formula.h"

namespace accrue::nn {

/// Builds what the value and the derivative of `op` have in common.
class AttentionBuilder {
public:
  AttentionBuilder(mlir::OpBuilder &builder, AttentionOp op)
      : f{builder, op.getLoc()}, op(op) {}

  /// [N, H, T, X] as [N, G, (H/G) T, X], and back.
  mlir::Value group(mlir::Value value);
  mlir::Value ungroup(mlir::Value value);

  /// softmax(scale query key^T), [N, H, T, S]; 0 where nothing is seen.
  mlir::Value buildProbabilities();

  Formula f;

private:
  /// Where position t may see s, [N, H, T, S]; null: everywhere.
  mlir::Value buildAllowed(mlir::RankedTensorType scores);

  AttentionOp op;
};

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_ATTENTION_H
