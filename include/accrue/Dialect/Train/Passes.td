//===- Passes.td - Passes of the train dialect -------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_PASSES_TD
#define ACCRUE_DIALECT_TRAIN_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // ACCRUE_DIALECT_TRAIN_PASSES_TD
