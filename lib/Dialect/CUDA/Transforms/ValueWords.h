//===- ValueWords.h - Words for values --------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What values are called in emitted text, before identifiers are made of it:
// by those who made them, by the plan, or by what computes them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_CUDA_TRANSFORMS_VALUEWORDS_H
#define ACCRUE_LIB_DIALECT_CUDA_TRANSFORMS_VALUEWORDS_H

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include <string>

namespace accrue::cuda {

/// What the location of `op`, which has results, calls the first of them; empty
/// where it calls that of a user the same, which then is what the name stands
/// for, and for what is named after buffers and loops.
llvm::StringRef getHint(mlir::Operation *op);

/// What a reduction that combines by `op` is called; `op` may be null.
llvm::StringRef getReductionWord(mlir::Operation *op);

/// A buffer's name; that of a gradient or a slot is told from its parameter's,
/// and in a step that of a staged input from the input's.
std::string getBufferName(kernel::BufferOp buffer, bool isLaunched = false);

/// What all launches pass for memref argument `i` of `kernel`: the name of the
/// buffer, or where they differ, as those of layers do, what they have in
/// common behind the last dot. Empty where there is nothing.
std::string getCommonName(KernelOp kernel, unsigned i,
                          llvm::ArrayRef<LaunchOp> launches);

/// A word for what `op` computes.
std::string getWord(mlir::Operation *op);

} // namespace accrue::cuda

#endif // ACCRUE_LIB_DIALECT_CUDA_TRANSFORMS_VALUEWORDS_H
