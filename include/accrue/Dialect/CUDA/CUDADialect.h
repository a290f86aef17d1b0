//===- CUDADialect.h - The exit level of the CUDA target --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_CUDADIALECT_H
#define ACCRUE_DIALECT_CUDA_CUDADIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "accrue/Dialect/CUDA/CUDADialect.h.inc"

#include "accrue/Dialect/CUDA/CUDAEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "accrue/Dialect/CUDA/CUDAAttributes.h.inc"

namespace accrue::cuda::attrs {

/// On an op: the identifiers of its values, see the dialect.
inline constexpr llvm::StringLiteral kNames = "cuda.names";
/// On an argument: its identifier.
inline constexpr llvm::StringLiteral kName = "cuda.name";
/// On a step function: its `#cuda.graphs`.
inline constexpr llvm::StringLiteral kGraphs = "cuda.graphs";
/// On a segment that is measured: its `#cuda.benchmark`.
inline constexpr llvm::StringLiteral kBenchmark = "cuda.benchmark";

} // namespace accrue::cuda::attrs

#endif // ACCRUE_DIALECT_CUDA_CUDADIALECT_H
