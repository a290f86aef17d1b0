//===- Passes.h - From the planned level to the cuda dialect ----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_CONVERSION_KERNELTOCUDA_PASSES_H
#define ACCRUE_CONVERSION_KERNELTOCUDA_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace accrue {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "accrue/Conversion/KernelToCUDA/Passes.h.inc"

} // namespace accrue

#endif // ACCRUE_CONVERSION_KERNELTOCUDA_PASSES_H
