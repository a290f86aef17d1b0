//===- GradientCheck.h - Gradients against differences ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the gradients of a step with central differences of the loss of its
// model, in f64. Each probe moves one parameter tensor along a direction (a
// random one, or one element) by two step sizes. Where the two differences
// disagree, the loss has a kink nearby and says nothing about the gradient.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_GRADIENTCHECK_H
#define ACCRUE_REFERENCE_GRADIENTCHECK_H

#include "accrue/Reference/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue::reference {

struct GradientCheckOptions {
  /// Samples in the batch.
  int64_t batch = 8;
  /// Draws directions and elements.
  uint64_t seed = 0;
  /// Probes per parameter tensor.
  unsigned directions = 4;
  unsigned elements = 16;
  /// The larger step, along directions of length 1; the other is half of it.
  double step = 2e-5;
  /// Largest accepted error, and largest disagreement of the two differences
  /// that is no kink, both relative as in `getError`.
  double tolerance = 1e-5;
};

/// What was found for one parameter tensor.
struct GradientCheckResult {
  std::string name;
  unsigned probes = 0;
  /// Probes near a kink, which were left out.
  unsigned kinks = 0;
  /// max |difference - gradient| / max(1e-6, max |gradient|) over the other
  /// probes, the gradient along each. Where gradients are so small beside the
  /// loss that rounding hides them, the noise over the tolerance divides.
  double error = 0;
  bool passed = true;
};

/// One result for every gradient that `step` returns. `model` has one result
/// marked as loss; `step` has the same arguments and returns gradients by name.
/// What derivatives take for a constant (`nn.stop_gradient`) is not moved in
/// the differences. Fails, after an error, where a function cannot be
/// interpreted.
llvm::FailureOr<llvm::SmallVector<GradientCheckResult>>
checkGradients(mlir::func::FuncOp model, mlir::func::FuncOp step,
               llvm::ArrayRef<Tensor> arguments,
               const GradientCheckOptions &options = {});

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_GRADIENTCHECK_H
