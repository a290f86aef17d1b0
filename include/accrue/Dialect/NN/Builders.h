//===- Builders.h - Small builders of nn values -----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that derivative rules and passes need in several places.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_BUILDERS_H
#define ACCRUE_DIALECT_NN_BUILDERS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace accrue::nn {

/// A tensor of float type `type` with every element `value`: a scalar constant
/// and, unless `type` has rank 0, its broadcast. The shape may depend on the
/// batch.
mlir::Value createSplat(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::RankedTensorType type, double value);

} // namespace accrue::nn

#endif // ACCRUE_DIALECT_NN_BUILDERS_H
