//===- Passes.h - Conversions between dialects ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_CONVERSION_PASSES_H
#define ACCRUE_CONVERSION_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace accrue {

#define GEN_PASS_DECL
#include "accrue/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "accrue/Conversion/Passes.h.inc"

} // namespace accrue

#endif // ACCRUE_CONVERSION_PASSES_H
