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

namespace accrue {

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
};

/// Analyses `function`, which has one block and a role on every argument
/// (`train.role`; `train.batch_dim` on those that enumerate samples). Emits an
/// error and fails where the batch is split and an op has no exact batch rule.
/// A plan of several loops is no failure here: see `emitCoupled`.
mlir::FailureOr<BatchPlan>
analyzeBatch(mlir::FunctionOpInterface function,
             const BatchAnalysisOptions &options = {});

/// Whether a step that is split may take statistics of micro-batches in
/// `function` where the batch itself has others.
bool hasMicroStatistics(mlir::FunctionOpInterface function);

/// Emits the error for a plan of `function` of more than one loop: the first op
/// that needs all samples, what it reads, the chain from there to a batch
/// input, and the ways out. `batch` is the number of samples, for the text.
void emitCoupled(mlir::FunctionOpInterface function, const BatchPlan &plan,
                 int64_t batch);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_BATCHANALYSIS_H
