//===- JIT.h - Planned programs as functions to call ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_TARGET_CPU_JIT_H
#define ACCRUE_LIB_TARGET_CPU_JIT_H

#include "mlir/IR/BuiltinOps.h"
#include "runtime/cpu/Step.h"

#include <memory>

namespace llvm {
class TargetMachine;
namespace orc {
class LLJIT;
} // namespace orc
} // namespace llvm

namespace accrue::cpu {

/// Owns the machine code of programs.
class JIT {
public:
  /// Null after an error at `loc`.
  static std::unique_ptr<JIT> create(mlir::Location loc);
  ~JIT();

  /// Compiles a module of the planned level and returns the address of its
  /// step function `name`, valid as long as this object. Symbols of programs do
  /// not clash. Null after an error.
  accrue_step_fn compile(mlir::ModuleOp planned, llvm::StringRef name);

private:
  JIT();

  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> session;
  unsigned programs = 0;
};

} // namespace accrue::cpu

#endif // ACCRUE_LIB_TARGET_CPU_JIT_H
