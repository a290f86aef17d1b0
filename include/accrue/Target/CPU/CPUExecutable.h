//===- CPUExecutable.h - Programs that run in this process ------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TARGET_CPU_CPUEXECUTABLE_H
#define ACCRUE_TARGET_CPU_CPUEXECUTABLE_H

#include "mlir/IR/BuiltinOps.h"
#include "runtime/training/Executable.h"

namespace accrue::cpu {

/// A program to compile: a module of the planned level with one step function.
struct Program {
  mlir::ModuleOp module;
  ProgramKind kind = ProgramKind::Step;
};

/// Compiles `programs` for this processor and allocates their memory: one
/// allocation per arena, as large as the largest plan for it. The programs
/// work on the same parameters, slots and state, whose buffers must have the
/// same places in all plans; inputs, activations and outputs are overwritten by
/// every run. The modules are left as they are. Fails after an error.
mlir::FailureOr<std::unique_ptr<Executable>>
createExecutable(llvm::ArrayRef<Program> programs);

} // namespace accrue::cpu

#endif // ACCRUE_TARGET_CPU_CPUEXECUTABLE_H
