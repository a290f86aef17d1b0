//===- Passes.h - Passes of the train dialect -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_PASSES_H
#define ACCRUE_DIALECT_TRAIN_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace accrue::train {

#define GEN_PASS_DECL
#include "accrue/Dialect/Train/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "accrue/Dialect/Train/Passes.h.inc"

} // namespace accrue::train

#endif // ACCRUE_DIALECT_TRAIN_PASSES_H
