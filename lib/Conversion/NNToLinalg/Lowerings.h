//===- Lowerings.h - nn ops as structured ops -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_CONVERSION_NNTOLINALG_LOWERINGS_H
#define ACCRUE_LIB_CONVERSION_NNTOLINALG_LOWERINGS_H

#include "mlir/IR/Builders.h"

namespace accrue {

/// Builds the value of the only result of `op`, an nn op on tensors of static
/// shape, from linalg and tensor ops. Null after an error.
mlir::Value lowerToLinalg(mlir::OpBuilder &builder, mlir::Operation *op);

} // namespace accrue

#endif // ACCRUE_LIB_CONVERSION_NNTOLINALG_LOWERINGS_H
