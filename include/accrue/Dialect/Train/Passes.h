//===- Passes.h - Passes of the train dialect -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_PASSES_H
#define ACCRUE_DIALECT_TRAIN_PASSES_H

#include "accrue/Analysis/Phases.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace accrue::train {

/// What the backward pass computes again instead of reading it from memory.
enum class RematPolicy {
  /// Nothing but what the model pins.
  None,
  /// Everything but what crosses the borders of about sqrt(n) segments.
  Full,
};

/// What statistics over samples, as of batch norm, are taken over where the
/// batch is split.
enum class BatchNorm {
  /// The batch: what no loop over micro-batches computes is refused.
  Exact,
  /// Each micro-batch.
  Micro,
  /// None: running statistics, which stay.
  Frozen,
};

/// Levels of IR with guarantees of their own.
enum class VerifyLevel { Step, Accumulated };

#define GEN_PASS_DECL
#include "accrue/Dialect/Train/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "accrue/Dialect/Train/Passes.h.inc"

} // namespace accrue::train

#endif // ACCRUE_DIALECT_TRAIN_PASSES_H
