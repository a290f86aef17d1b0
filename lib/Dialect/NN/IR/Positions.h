//===- Positions.h - Indices along dimensions -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_POSITIONS_H
#define ACCRUE_LIB_DIALECT_NN_IR_POSITIONS_H

#include "accrue/Dialect/NN/Extent.h"
#include "mlir/IR/Builders.h"

namespace accrue::nn {

/// A tensor of integer type `type` with every element `value`, which may depend
/// on the batch.
mlir::Value createExtent(mlir::OpBuilder &builder, mlir::Location loc,
                         Extent value, mlir::RankedTensorType type);

/// The index of each element along dimension `dim`, in integer type `type`.
/// Only a vector of them is stored where it enumerates samples.
mlir::Value createIndices(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::RankedTensorType type, int64_t dim);

/// The row-major index of each element among those that differ along `dims`
/// only, in integer type `type`; modulo its range.
mlir::Value createPositions(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::RankedTensorType type,
                            llvm::ArrayRef<int64_t> dims);

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_POSITIONS_H
