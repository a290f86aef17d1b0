//===- Passes.h - Passes of the CPU target ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the planned level to the LLVM dialect. Chunks and sequential loops come
// first, so that what runs in parallel, and in which order sums are formed, can
// be read from the IR; the conversion itself is one op after the other.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TARGET_CPU_PASSES_H
#define ACCRUE_TARGET_CPU_PASSES_H

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace accrue::cpu {

#define GEN_PASS_DECL
#include "accrue/Target/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "accrue/Target/CPU/Passes.h.inc"

/// The symbol of the step function `name` in compiled code.
std::string getStepSymbol(llvm::StringRef name);

/// From the planned level to the LLVM dialect.
void buildCPUPipeline(mlir::OpPassManager &pm);

/// Registers the passes, and the whole pipeline as `cpu-pipeline`.
void registerCPUPassesAndPipeline();

} // namespace accrue::cpu

#endif // ACCRUE_TARGET_CPU_PASSES_H
