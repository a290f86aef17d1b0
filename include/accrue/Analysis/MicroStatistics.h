//===- MicroStatistics.h - Statistics of micro-batches ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that take the mean and variance of each micro-batch for those of the
// batch, and how far these lie apart: expected here, measured by
// `accrue/Reference/StatisticsSpread.h`.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_MICROSTATISTICS_H
#define ACCRUE_ANALYSIS_MICROSTATISTICS_H

#include "accrue/Analysis/BatchAnalysis.h"
#include "mlir/IR/OwningOpRef.h"

namespace accrue {

/// How far the statistics of micro-batches lie from those of the batch, as a
/// root mean square, both in units of the deviation (the root of the variance)
/// of the batch.
struct StatisticsSpread {
  double mean = 0;
  double deviation = 0;

  double getLarger() const { return std::max(mean, deviation); }
};

/// The mean and variance that an op takes.
struct MicroStatistics {
  /// The op of the step.
  mlir::Operation *op = nullptr;
  /// What the statistics are taken of, and one of them.
  mlir::RankedTensorType input, statistic;

  /// Values that go into one statistic of so many samples.
  double countValues(int64_t samples) const;
};

/// The statistics of the ops of a step that take them of micro-batches.
struct MicroStatisticsOfStep {
  /// In program order; ops that take the same statistics are one.
  llvm::SmallVector<MicroStatistics> ops;
  /// Computes mean and variance of each of `ops`, in this order, from the
  /// arguments of the step.
  mlir::OwningOpRef<mlir::FunctionOpInterface> function;

  /// Floating point operations of `function` for so many samples.
  double getFlops(int64_t samples) const;
};

/// The statistics of `plan.microStatistics`, as far as the ops are formulas of
/// mean and variance; `plan` is that of `step`, analysed with `options`, which
/// stay as they are.
MicroStatisticsOfStep
collectMicroStatistics(mlir::FunctionOpInterface step, const BatchPlan &plan,
                       const BatchAnalysisOptions &options);

/// What to expect of statistics of `values` of the `all` values of the batch,
/// where they are independent: the mean of n of N values varies by
/// sqrt(1/n - 1/N) deviations, the deviation, of normal values, by
/// sqrt((1/(n-1) - 1/(N-1)) / 2). A single value has none, which is 1 away.
StatisticsSpread expectSpread(double values, double all);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_MICROSTATISTICS_H
