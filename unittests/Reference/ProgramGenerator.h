//===- ProgramGenerator.h - Random models -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_UNITTESTS_REFERENCE_PROGRAMGENERATOR_H
#define ACCRUE_UNITTESTS_REFERENCE_PROGRAMGENERATOR_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace accrue::reference {

/// A module with one random model of about `size` ops in f64, a function of
/// `seed` only: parameters, batch inputs and labels, elementwise ops, products,
/// reductions (now and then over the batch), changes of shape that move the
/// batch around, and a loss of several terms. Values stay of moderate size.
mlir::OwningOpRef<mlir::ModuleOp> generateProgram(mlir::MLIRContext &context,
                                                  uint64_t seed, unsigned size,
                                                  int64_t batch);

} // namespace accrue::reference

#endif // ACCRUE_UNITTESTS_REFERENCE_PROGRAMGENERATOR_H
