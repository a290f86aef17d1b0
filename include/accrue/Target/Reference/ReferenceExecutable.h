//===- ReferenceExecutable.h - Steps run by the interpreter -----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slowest and plainest target: every run interprets the program in its
// declared precision. It plans no memory.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TARGET_REFERENCE_REFERENCEEXECUTABLE_H
#define ACCRUE_TARGET_REFERENCE_REFERENCEEXECUTABLE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/training/Executable.h"

namespace accrue {

/// A compiled program: a module with one function, marked `train.step` or
/// `train.model`, whose types are those of `info.batch` samples.
struct ReferenceProgram {
  ProgramInfo info;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Takes programs of one model, the first of them a step or, where nothing is
/// trained, an evaluation: it says what parameters and state there are. Null
/// after an error.
std::unique_ptr<Executable>
createReferenceExecutable(std::vector<ReferenceProgram> programs);

} // namespace accrue

#endif // ACCRUE_TARGET_REFERENCE_REFERENCEEXECUTABLE_H
