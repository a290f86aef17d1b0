//===- NonFinite.h - Where values stop to be finite -------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks for the origin of infinities and NaNs in a run of the interpreter: the
// first value that is worse than all that it was computed from.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_NONFINITE_H
#define ACCRUE_REFERENCE_NONFINITE_H

#include "accrue/Reference/Interpreter.h"

namespace accrue::reference {

/// An element that is not finite, though what it follows from is.
struct NonFinite {
  /// An argument of the function, or the result of an op.
  mlir::Value value;
  /// The first such element, in C order.
  llvm::SmallVector<int64_t> index;
  double element = 0;
  /// The elements at the same place of the op's operands that have the shape of
  /// the value; nothing for other operands.
  llvm::SmallVector<std::optional<double>> operands;

  bool isNaN() const { return element != element; }
};

/// Runs `function` until a value has a NaN. Returns, in the order of the run,
/// the first infinity that follows from finite values, unless the NaN comes
/// before it, and the first NaN that follows from values without one.
/// Infinities of constants (masks) do not count. Empty where there is neither.
/// Fails, after an error, where the run does.
llvm::FailureOr<llvm::SmallVector<NonFinite, 2>>
findNonFinite(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments,
              InterpreterOptions options);

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_NONFINITE_H
