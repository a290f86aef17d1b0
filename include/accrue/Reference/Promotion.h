//===- Promotion.h - A model in f64 -----------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_PROMOTION_H
#define ACCRUE_REFERENCE_PROMOTION_H

#include "accrue/Reference/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue::reference {

/// Turns every float type of a model into f64: arguments, results, values and
/// constants. Constants that passes add later, such as the weights of
/// micro-batches, are then exact to f64 too, which running the declared types
/// in double would not give.
void promoteToF64(mlir::func::FuncOp model);

/// The same elements under f64; integers stay.
Tensor promoteToF64(const Tensor &tensor);

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_PROMOTION_H
