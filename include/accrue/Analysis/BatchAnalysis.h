//===- BatchAnalysis.h - Proof that a step splits along the batch *- C++
//-*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides how every value of a step depends on the samples of the batch, and
// builds from that the plan of an equal step that visits the batch in
// micro-batches. The rules and their proof are in docs/accumulation.md.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_BATCHANALYSIS_H
#define ACCRUE_ANALYSIS_BATCHANALYSIS_H

#include "accrue/Analysis/PlanGraph.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <functional>

namespace accrue {

/// Wrong rules, planted by tests to see that something notices.
enum class AnalysisFault {
  None,
  /// A mean divides by the extent of the micro-batch.
  LocalDivisor,
  /// Micro-batches of a mean have equal weights 1/K.
  MeanOfMeans,
  /// Merged moments leave out the distances of the means.
  MomentsWithoutMeans,
  /// Contributions are merged with equal shares.
  EqualShares,
  /// What is added once is added by every micro-batch.
  OffsetPerMicroBatch,
  /// Modes are equal when their dimensions are.
  ModeByDimension,
  /// Indices along the samples count within the micro-batch.
  LocalIndices,
  /// Merged contributions take the last one for the whole.
  LastContribution,
  /// Of equal maxima the last one wins.
  LastMaximum,
  /// Every function of one partial sum is linear.
  EverythingLinear,
  /// A linear function keeps its other terms in every contribution.
  TermInContribution,
  /// Contributions of a maximum are added.
  MaxAsSum,
  /// a - p has the contribution of p.
  KeepSign,
  /// After a change of shape, outer factors count as inner ones.
  OuterAsInner,
  /// The last, smaller micro-batch is not visited.
  DropTail,
};

/// The fault of this name ("offset-per-micro-batch", ...), if there is one.
std::optional<AnalysisFault> parseAnalysisFault(llvm::StringRef name);

/// What to analyse for, and switches for tests.
struct BatchAnalysisOptions {
  /// There is more than one micro-batch. A single one is the whole batch: ops
  /// that mix samples or have no batch rule are then computed as they are.
  bool isSplit = true;
  /// Keep linear functions of partial sums partial.
  bool fold = true;
  /// Apply a linear function after the loop where that makes no accumulator
  /// larger.
  bool sink = true;
  /// Statistics over samples may be those of each micro-batch, where an op has
  /// such a reading (`inferMicroBatchRule`): another step than that of the full
  /// batch.
  bool microStatistics = false;
  /// Of a value with two sample dimensions (similarities of samples), reduce
  /// over one by slicing it along the other: fewer loops, at the price of
  /// computing it twice.
  bool swapSampleDims = false;
  /// Samples of the logical batch; 0 where any number is meant.
  int64_t batch = 0;
  /// Whether micro-batches can be multiples of so many samples; null: of any
  /// number. Runs of samples that need other ones are not tried.
  std::function<bool(int64_t)> acceptsGroup;
  AnalysisFault fault = AnalysisFault::None;
};

/// Analyses `function`, which has one block and a role on every argument
/// (`train.role`; `train.batch_dim` on those that enumerate samples). Emits an
/// error and fails where the batch is split and an op has no exact batch rule.
/// See `planBatch` for the whole decision.
mlir::FailureOr<BatchPlan>
analyzeBatch(mlir::FunctionOpInterface function,
             const BatchAnalysisOptions &options = {});

/// Whether a step that is split may take statistics of micro-batches in
/// `function` where the batch itself has others.
bool hasMicroStatistics(mlir::FunctionOpInterface function);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_BATCHANALYSIS_H
