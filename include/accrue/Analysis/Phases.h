//===- Phases.h - Loops over the batch, and what crosses them ---*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mapped value that reads a finished accumulator belongs to a later loop over
// the batch. These functions decide in which loop every accumulator is computed
// and what later loops read from earlier ones, and say what that costs. The
// method is in docs/accumulation.md, "Phases".
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_PHASES_H
#define ACCRUE_ANALYSIS_PHASES_H

#include "accrue/Analysis/BatchAnalysis.h"
#include "llvm/ADT/BitVector.h"

namespace accrue {

/// How values get from one loop over the batch to later ones.
enum class Coupled {
  /// As recompute or else as store, if that is at most 1.10 x the work of the
  /// full batch; refused otherwise.
  Auto,
  /// What takes many operations is stored for the whole batch.
  Store,
  /// Everything is computed again.
  Recompute,
  /// More than one loop is refused.
  Error,
};

/// Whether a step of several loops is rewritten to need fewer: its factors
/// hoisted (`hoistFactors`), and similarities of samples sliced along their
/// other sample dimension (`BatchAnalysisOptions::swapSampleDims`).
enum class Rewrites {
  /// Where that is cheaper.
  Auto,
  /// Never, for tests.
  Never,
  /// Wherever it is possible, for tests.
  Always,
};

/// What an equal step costs that visits the batch `loops` times.
struct PhasePrice {
  unsigned loops = 0;
  /// Floating point operations, relative to the step of the full batch.
  double work = 1;
  /// The same, as a number.
  double flops = 0;
  /// Bytes of values that are held for the whole batch: stored for later loops,
  /// gathered, or computed from gathered ones. Results of the step do not
  /// count.
  int64_t bytes = 0;
};

/// "3 loops over the batch, 1.06 x the work of one, 9,216 B held for the whole
/// batch".
std::string describePrice(const PhasePrice &price);

/// Gives every accumulator of `plan` a loop after those of the accumulators
/// that it needs, with the fewest loops, so that as little as possible is
/// computed in several of them; `batch` samples, for the work. As late as
/// possible where the work is the same.
void placeLoops(BatchPlan &plan, int64_t batch);

/// Lets loops read what earlier ones gathered, the whole of which is held
/// anyway, instead of computing it again. After `placeLoops`.
void readGathered(BatchPlan &plan, int64_t batch);

/// Stores, for every loop, the fewest bytes that spare it the expensive ops of
/// earlier loops: products, and as long as the work is above what
/// `Coupled::Auto` accepts, cheaper ones too. Others are computed again. After
/// `readGathered`.
void storeCrossings(BatchPlan &plan, int64_t batch);

/// The price of `plan` for `batch` samples, after `placeLoops`.
PhasePrice getPrice(const BatchPlan &plan, int64_t batch);

/// The nodes, by id, that the body of loop `loop` computes: what its
/// accumulators need, down to slices, stored values and values known once.
llvm::BitVector getLoopBody(const BatchPlan &plan, unsigned loop);

/// The stored value that `value` is in loop `loop`, if an earlier loop stored
/// it; else null.
const StoredValue *findStored(const BatchPlan &plan, PlanValue value,
                              unsigned loop);

/// Bytes of one value that an op may read of all samples, by default: more than
/// the embeddings of any batch that is compared with itself (32,768 of 8,192
/// f32), less than what is compared (32,768 x 32,768).
inline constexpr int64_t kGatherLimit = int64_t(1) << 30;

/// How to split a batch.
struct BatchPlanOptions {
  /// Its batch is given.
  BatchAnalysisOptions analysis;
  Coupled coupled = Coupled::Recompute;
  /// The most bytes of one value that is held for all samples because an op
  /// reads it whole. What is stored for later loops does not count.
  int64_t gatherLimit = kGatherLimit;
  Rewrites rewrites = Rewrites::Auto;
};

/// What one of the ways across loops costs.
struct PricedCrossings {
  Coupled coupled;
  PhasePrice price;
};

/// The prices of storing and of computing again, for `function` as it is.
llvm::SmallVector<PricedCrossings>
priceCrossings(mlir::FunctionOpInterface function,
               const BatchPlanOptions &options);

/// Emits the error for a plan of `function` that is refused because samples are
/// coupled: the first op that needs all of them, what it reads, the chain from
/// there to a batch input, and the ways out with their prices. `limit` is the
/// work that was allowed, relative to the full batch, or 0 where one loop was
/// asked for.
void emitCoupled(mlir::FunctionOpInterface function, const BatchPlan &plan,
                 const BatchPlanOptions &options, double limit);

/// Fails, after an error, where `plan` holds a value for all samples that is
/// larger than `options.gatherLimit` because an op reads it whole: gathered,
/// computed from gathered values, or of no sample but of the shape of the
/// batch. The error is at that op, and has the chain to a batch input.
llvm::LogicalResult limitGathered(const BatchPlan &plan,
                                  const BatchPlanOptions &options);

/// The whole decision: analyses `function`, places the loops and stores what
/// `coupled` says. Replaces ops of `function` that mix samples and are formulas
/// of others by these. Fails, after an error, where the analysis does,
/// where `coupled` refuses the plan, and where it gathers more than it may.
mlir::FailureOr<BatchPlan> planBatch(mlir::FunctionOpInterface function,
                                     const BatchPlanOptions &options);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_PHASES_H
