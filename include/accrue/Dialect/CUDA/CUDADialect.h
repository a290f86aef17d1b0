//===- CUDADialect.h - The exit level of the CUDA target --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_CUDADIALECT_H
#define ACCRUE_DIALECT_CUDA_CUDADIALECT_H

#include "mlir/IR/Dialect.h"

#include "accrue/Dialect/CUDA/CUDADialect.h.inc"

namespace accrue::cuda::attrs {

/// On an op: the identifiers of its values, see the dialect.
inline constexpr llvm::StringLiteral kNames = "cuda.names";
/// On an argument: its identifier.
inline constexpr llvm::StringLiteral kName = "cuda.name";

} // namespace accrue::cuda::attrs

#endif // ACCRUE_DIALECT_CUDA_CUDADIALECT_H
