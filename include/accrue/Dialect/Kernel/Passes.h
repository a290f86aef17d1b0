//===- Passes.h - Passes of the kernel dialect ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_PASSES_H
#define ACCRUE_DIALECT_KERNEL_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace accrue::kernel {

#define GEN_PASS_DECL
#include "accrue/Dialect/Kernel/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "accrue/Dialect/Kernel/Passes.h.inc"

} // namespace accrue::kernel

#endif // ACCRUE_DIALECT_KERNEL_PASSES_H
