//===- MemorySearch.h - The largest micro-batch that fits -------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search behind `--memory`: over micro-batches and policies, on the bytes
// of plans that were really made. Nothing is estimated; the caller makes a plan
// whenever it is asked for one.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_PLANNER_MEMORYSEARCH_H
#define ACCRUE_PLANNER_MEMORYSEARCH_H

#include "accrue/Dialect/Train/Passes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace accrue {

/// A plan: its micro-batch and policy, and what it needs.
struct MemoryCandidate {
  int64_t microBatch = 0;
  train::RematPolicy remat = train::RematPolicy::None;
  int64_t bytes = 0;
};

/// Makes the plan for a micro-batch and a policy and returns its bytes; fails
/// after an error.
using MakePlanFn =
    llvm::function_ref<llvm::FailureOr<int64_t>(int64_t, train::RematPolicy)>;

struct MemorySearchResult {
  /// The plan to use: the largest micro-batch that was found to fit, with the
  /// first of the policies that has one.
  std::optional<MemoryCandidate> best;
  /// The smallest plan that was made; set where nothing fits.
  MemoryCandidate floor;
};

/// Looks for the largest micro-batch of at most `batch` samples whose plan has
/// at most `limit` bytes. Halves the interval first, as if bytes grew with the
/// micro-batch, then tries the next larger sizes, since packing and a ragged
/// last micro-batch can make a plan smaller than its neighbour's.
llvm::FailureOr<MemorySearchResult>
searchMemory(int64_t batch, int64_t limit,
             llvm::ArrayRef<train::RematPolicy> policies, MakePlanFn makePlan);

} // namespace accrue

#endif // ACCRUE_PLANNER_MEMORYSEARCH_H
