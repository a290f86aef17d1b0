//===- Dims.h - Lists of dimensions -----------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_DIMS_H
#define ACCRUE_LIB_DIALECT_NN_IR_DIMS_H

#include "accrue/Dialect/NN/Extent.h"
#include "mlir/IR/Diagnostics.h"

namespace accrue::nn {

/// Fails unless `dims` are strictly increasing dimensions of a tensor of
/// `rank`.
llvm::LogicalResult verifyDims(std::optional<mlir::Location> loc,
                               llvm::ArrayRef<int64_t> dims, int64_t rank);

/// The type of `input` without `dims`.
mlir::RankedTensorType getReducedType(mlir::RankedTensorType input,
                                      llvm::ArrayRef<int64_t> dims,
                                      mlir::Type elementType);

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_DIMS_H
