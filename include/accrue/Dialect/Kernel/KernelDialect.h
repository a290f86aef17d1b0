//===- KernelDialect.h - The kernel dialect ---------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_KERNELDIALECT_H
#define ACCRUE_DIALECT_KERNEL_KERNELDIALECT_H

#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "accrue/Dialect/Kernel/KernelDialect.h.inc"

#include "accrue/Dialect/Kernel/KernelEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "accrue/Dialect/Kernel/KernelAttributes.h.inc"

namespace accrue::kernel {

/// Names of the discardable attributes of the planned level.
namespace attrs {
/// On a step function: its `#kernel.plan`.
inline constexpr llvm::StringLiteral kPlan = "kernel.plan";
/// On a function argument: the `#kernel.arena` that it points to.
inline constexpr llvm::StringLiteral kArena = "kernel.arena";
/// On an argument of a kernel: a readable name.
inline constexpr llvm::StringLiteral kName = "kernel.name";
/// On a step function before planning: its batch inputs, a list of
/// `#kernel.input`.
inline constexpr llvm::StringLiteral kInputs = "kernel.inputs";
/// On ops of the backward pass, and those that do both.
inline constexpr llvm::StringLiteral kBackward = "kernel.backward";
/// On ops that compute something again for the backward pass: the id of the
/// `train.recompute`.
inline constexpr llvm::StringLiteral kRecompute = "kernel.recompute";
/// In the attributes of a planned buffer: it is the workspace of the matrix
/// products.
inline constexpr llvm::StringLiteral kWorkspace = "kernel.workspace";
} // namespace attrs

/// Every buffer starts at a multiple of this many bytes.
inline constexpr int64_t kBufferAlignment = 64;
/// A workspace and every one of several staging parts start at a multiple of
/// this many bytes: what cuBLASLt asks of a workspace.
inline constexpr int64_t kDeviceAlignment = 256;

/// Bytes of a row-major tensor or memref of static shape; i1 takes a byte.
int64_t getByteSize(mlir::ShapedType type);

} // namespace accrue::kernel

#endif // ACCRUE_DIALECT_KERNEL_KERNELDIALECT_H
