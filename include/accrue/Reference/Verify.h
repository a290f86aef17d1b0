//===- Verify.h - Full batch against micro-batches --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine of `accrue verify`: runs the passes on copies of a model and
// compares, by the reference interpreter, loss, gradients, norm and metrics of
// the full batch with those of the step split into micro-batches, with and
// without recomputation; and the gradients with finite differences.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_VERIFY_H
#define ACCRUE_REFERENCE_VERIFY_H

#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Reference/GradientCheck.h"
#include "accrue/Reference/Tolerance.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace accrue::reference {

struct VerifyOptions {
  /// Samples in the logical batch; 0 takes the model's.
  int64_t batch = 0;
  /// Samples per micro-batch, each at most the batch. Empty: the batch, a half
  /// and a quarter of it, and a size that leaves a ragged tail.
  llvm::SmallVector<int64_t> microBatches;
  /// Also compare the steps that recompute all activations.
  bool recompute = true;
  /// Also compare the gradients with finite differences.
  bool differences = true;
  /// Draws the arguments that are not in `inputs`; see `drawArguments`.
  uint64_t seed = 0;
  llvm::StringMap<Tensor> inputs;
  /// Statistics over samples are those of each micro-batch
  /// (`batch-norm=micro`).
  bool microStatistics = false;
  /// Running statistics take their place (`batch-norm=frozen`).
  bool frozenStatistics = false;
  /// What later loops over the batch read of earlier ones.
  Coupled coupled = Coupled::Recompute;
  /// Bytes of a value that an op may read of all samples.
  int64_t gatherLimit = kGatherLimit;
  /// A wrong rule to analyse with, for tests: see `AnalysisFault`.
  std::string plantFault;
};

/// One way to run the step.
struct VerifyVariant {
  int64_t microBatch;
  bool recompute;
  /// Normalizes by statistics of its micro-batches, so it is another step than
  /// that of the full batch. What it is compared with is itself, stored and in
  /// f64.
  bool ownStatistics = false;
};

/// A result of the step: the errors of each variant against the full batch, by
/// the measure of `getError`. None where a variant would be compared with the
/// same run.
struct VerifyRow {
  std::string name;
  /// The declared element type.
  mlir::Type elementType;
  ResultTolerance tolerance;
  llvm::SmallVector<std::optional<double>> f64Errors;
  llvm::SmallVector<double> declaredErrors;

  bool passed(size_t variant) const;
  bool passed() const;
};

/// A batch in micro-batches.
struct VerifySplit {
  int64_t batch = 0;
  int64_t microBatch = 0;
};

/// What the same step gives when the weights of the micro-batches are left
/// out: the size of its gradients over that of the right ones.
struct VerifyContrast {
  int64_t microBatch;
  double factor;
};

struct VerifyReport {
  std::string model;
  int64_t batch;
  llvm::SmallVector<VerifyVariant> variants;
  /// Gradients, then loss, norm, metrics and outputs.
  llvm::SmallVector<VerifyRow> rows;
  llvm::SmallVector<GradientCheckResult> gradients;
  /// Where not, there are no differences to compare with.
  bool hasFiniteLoss = true;
  /// Of a split step with own statistics, against differences of its own loss;
  /// and its split.
  llvm::SmallVector<GradientCheckResult> splitGradients;
  VerifySplit split;
  std::optional<VerifyContrast> contrast;

  bool passed() const;
  /// A table for people, one row per result and a column per variant.
  void print(llvm::raw_ostream &os) const;
};

/// The micro-batch sizes to compare where none are given, multiples of `group`,
/// which divides the batch.
llvm::SmallVector<int64_t> getDefaultMicroBatches(int64_t batch,
                                                  int64_t group = 1);

/// Compares `model`, a function with `train.model`. Fails, after an error,
/// where a pass refuses the model or an option does not fit it.
llvm::FailureOr<VerifyReport> verify(mlir::func::FuncOp model,
                                     const VerifyOptions &options = {});

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_VERIFY_H
