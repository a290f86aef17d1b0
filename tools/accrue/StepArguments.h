//===- StepArguments.h - What a step of a run reads -------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_STEPARGUMENTS_H
#define ACCRUE_TOOLS_ACCRUE_STEPARGUMENTS_H

#include "accrue/Reference/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "runtime/io/DataLoader.h"
#include "runtime/training/Executable.h"

namespace accrue::tool {

/// The arguments of `function`, a step up to its gradients, for samples
/// [first, first + count) of `batch`: parameters and state of `executable`, as
/// they are before the step of that batch, and `inputs`, which are those of the
/// whole batch. `seed` is that of the run.
io::Result<llvm::SmallVector<reference::Tensor>>
readArguments(mlir::func::FuncOp function, Executable &executable,
              InputProvider &inputs, const io::Batch &batch, uint64_t seed,
              int64_t first, int64_t count);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_STEPARGUMENTS_H
