//===- Passes.h - Passes of the cuda dialect --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_PASSES_H
#define ACCRUE_DIALECT_CUDA_PASSES_H

#include "accrue/Dialect/CUDA/CUDADialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace accrue::cuda {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "accrue/Dialect/CUDA/Passes.h.inc"

} // namespace accrue::cuda

#endif // ACCRUE_DIALECT_CUDA_PASSES_H
