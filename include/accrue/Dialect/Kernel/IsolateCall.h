//===- IsolateCall.h - One call of a step by itself -------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_ISOLATECALL_H
#define ACCRUE_DIALECT_KERNEL_ISOLATECALL_H

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace accrue::kernel {

/// A program of the planned level that runs `call`, an op of a step function,
/// `repeat` times and nothing else. Its step has the name, the arenas and the
/// plan of the original one. What a loop around the call counts has the value
/// of the second iteration, where there is one: the first one overwrites where
/// the others accumulate.
mlir::OwningOpRef<mlir::ModuleOp> isolateCall(mlir::Operation *call,
                                              int64_t repeat);

} // namespace accrue::kernel

#endif // ACCRUE_DIALECT_KERNEL_ISOLATECALL_H
