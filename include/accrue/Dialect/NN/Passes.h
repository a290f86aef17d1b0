//===- Passes.h - Passes of the nn dialect ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_PASSES_H
#define ACCRUE_DIALECT_NN_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace accrue::nn {

#define GEN_PASS_DECL
#include "accrue/Dialect/NN/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "accrue/Dialect/NN/Passes.h.inc"

} // namespace accrue::nn

#endif // ACCRUE_DIALECT_NN_PASSES_H
