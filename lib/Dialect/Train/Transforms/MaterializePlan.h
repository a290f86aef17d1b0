//===- MaterializePlan.h - Build what the batch analysis found --*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_TRAIN_TRANSFORMS_MATERIALIZEPLAN_H
#define ACCRUE_LIB_DIALECT_TRAIN_TRANSFORMS_MATERIALIZEPLAN_H

#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Analysis/MicroBatches.h"
#include "llvm/ADT/BitVector.h"

namespace accrue::train {

struct MaterializeOptions {
  /// Leave the weights m/B out: for contrast.
  bool omitWeights = false;
  /// A wrong rule, for tests.
  AnalysisFault fault = AnalysisFault::None;
};

/// Replaces the body of `function` by the accumulated form of `plan`, for a
/// batch of `batch` samples cut into `spans`. With one micro-batch everything
/// that waits for a sum is computed in its body; with several the accumulators
/// of the plan have their loops (`placeLoops`). Fails, with an error, where an
/// extent is no integer or a micro-batch splits a group.
llvm::LogicalResult materializePlan(mlir::FunctionOpInterface function,
                                    const BatchPlan &plan,
                                    llvm::ArrayRef<MicroBatchSpan> spans,
                                    int64_t batch,
                                    const MaterializeOptions &options);

} // namespace accrue::train

#endif // ACCRUE_LIB_DIALECT_TRAIN_TRANSFORMS_MATERIALIZEPLAN_H
