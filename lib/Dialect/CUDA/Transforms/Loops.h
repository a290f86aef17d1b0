//===- Loops.h - Loops over micro-batches -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_CUDA_TRANSFORMS_LOOPS_H
#define ACCRUE_LIB_DIALECT_CUDA_TRANSFORMS_LOOPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace accrue::cuda {

/// Whether `op` tells the first iteration of `loop`, which may be null, from
/// the others.
inline bool isFirst(mlir::Operation *op, mlir::scf::ForOp loop) {
  auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op);
  if (!loop || !compare ||
      compare.getPredicate() != mlir::arith::CmpIPredicate::eq)
    return false;
  mlir::Value iv = loop.getInductionVar();
  bool isLeft = compare.getLhs() == iv;
  if (!isLeft && compare.getRhs() != iv)
    return false;
  return mlir::isEqualConstantIntOrValue(
      isLeft ? compare.getRhs() : compare.getLhs(), loop.getLowerBound());
}

} // namespace accrue::cuda

#endif // ACCRUE_LIB_DIALECT_CUDA_TRANSFORMS_LOOPS_H
