//===- Optimizers.h - The optimizers of the model language ------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An optimizer is a table of options with their bounds, and a function that
// makes a rule of their values.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FRONTEND_OPTIMIZERS_H
#define ACCRUE_LIB_FRONTEND_OPTIMIZERS_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <limits>

namespace accrue::frontend {

/// The value of an option of an optimizer: one number, or two for `betas`.
using OptionValue = llvm::SmallVector<double, 2>;
/// One value for each option of an optimizer.
using OptionValues = llvm::SmallVector<OptionValue, 6>;

enum class OptionType { Number, Boolean, Pair };

/// An option of an optimizer; it must be given if there is no fallback.
struct OptionSpec {
  llvm::StringLiteral name;
  OptionType type;
  OptionValue fallback;
  /// Its numbers must be at least 0 and below this.
  double bound = std::numeric_limits<double>::infinity();
};

struct OptimizerKind {
  llvm::StringLiteral name;
  /// The first option is the learning rate.
  llvm::SmallVector<OptionSpec, 6> options;
  mlir::Attribute (*build)(mlir::MLIRContext *context,
                           const OptionValues &values);
};

/// All optimizers, by name.
llvm::ArrayRef<OptimizerKind> getOptimizers();

} // namespace accrue::frontend

#endif // ACCRUE_LIB_FRONTEND_OPTIMIZERS_H
