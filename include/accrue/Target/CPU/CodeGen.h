//===- CodeGen.h - Native code of planned programs --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the planned level to LLVM IR and machine code for the processor that
// this runs on. All functions take a module of the planned level and leave it
// as it is; they fail after an error.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TARGET_CPU_CODEGEN_H
#define ACCRUE_TARGET_CPU_CODEGEN_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace accrue::cpu {

/// The processor that this runs on, with all its features. Null after an error
/// at `loc`.
std::unique_ptr<llvm::TargetMachine> createHostMachine(mlir::Location loc);

/// LLVM IR for `machine`, not optimized yet. Null after an error.
std::unique_ptr<llvm::Module> translateToLLVMIR(mlir::ModuleOp planned,
                                                llvm::LLVMContext &context,
                                                llvm::TargetMachine &machine);

/// Optimizes `module` for `machine`; floating-point arithmetic keeps its
/// meaning for infinities and NaN.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// Prints optimized LLVM IR.
mlir::LogicalResult emitLLVM(mlir::ModuleOp planned, llvm::raw_ostream &os);

/// Writes a relocatable object. Every step function NAME is a symbol NAME_step
/// of the type `accrue_step_fn` (runtime/cpu/Step.h); `accrue_*` functions of
/// the runtime are undefined.
mlir::LogicalResult emitObject(mlir::ModuleOp planned,
                               llvm::raw_pwrite_stream &os);

} // namespace accrue::cpu

#endif // ACCRUE_TARGET_CPU_CODEGEN_H
