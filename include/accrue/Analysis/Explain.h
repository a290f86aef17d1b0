//===- Explain.h - Why a step is scaled as it is ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_EXPLAIN_H
#define ACCRUE_ANALYSIS_EXPLAIN_H

#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Analysis/MicroBatches.h"
#include "accrue/Analysis/Phases.h"

namespace accrue {

/// One term of a result: how the samples enter it, and why.
struct ScalingTerm {
  enum class Kind {
    /// Added once, whatever the number of micro-batches: no samples in it.
    Once,
    /// Contributions of micro-batches, as they are.
    Unweighted,
    /// Contributions of micro-batches, times m/B.
    Weighted,
    /// Slices of micro-batches, put side by side.
    Concatenated,
  };
  Kind kind = Kind::Once;
  /// The op that divides by the number of samples (weighted), else the op that
  /// reduces the samples or computes the term.
  mlir::Operation *cause = nullptr;
};

/// How one result of a step follows from its micro-batches.
struct ScalingRow {
  /// `train.name` and the kind of the result ("loss", "gradient", ...).
  std::string name;
  std::string kind;
  llvm::SmallVector<ScalingTerm, 2> terms;
};

/// One row per result that depends on the batch or is a loss, metric or
/// gradient. Results that read several finished sums (a norm) list the terms
/// of all of them.
llvm::SmallVector<ScalingRow> explainScaling(mlir::FunctionOpInterface function,
                                             const BatchPlan &plan);

/// The rows as a table, headed by the micro-batches and their weights.
void printScaling(llvm::ArrayRef<ScalingRow> rows,
                  llvm::ArrayRef<MicroBatchSpan> spans, int64_t batch,
                  llvm::raw_ostream &os);

/// The loops over a batch of `batch` samples with what each combines over the
/// samples and what it stores for later ones; then one line per op of
/// `function` in its order: the states of its results with respect to the
/// batch, the loops that compute it, and the place in the model.
void printBatchStates(mlir::FunctionOpInterface function, const BatchPlan &plan,
                      int64_t batch, llvm::raw_ostream &os);

/// The weights m/B of the micro-batches of `spans` as people write them: "1/4"
/// for equal ones, "0.064, 0.04" for a ragged batch.
std::string formatWeights(llvm::ArrayRef<MicroBatchSpan> spans, int64_t batch);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_EXPLAIN_H
