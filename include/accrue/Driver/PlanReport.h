//===- PlanReport.h - The plan in words -------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `accrue compile` prints and `accrue train` starts with: how the batch
// is split, the weights that follow and why, and what becomes of the end of an
// epoch.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DRIVER_PLANREPORT_H
#define ACCRUE_DRIVER_PLANREPORT_H

#include "accrue/Analysis/Explain.h"
#include "accrue/Dialect/Train/Signature.h"
#include "runtime/training/Types.h"

namespace accrue {

class ModelInput;

/// The end of an epoch, where the size of the data is known.
struct EpochPlan {
  /// Samples in the data.
  int64_t samples = 0;
  bool keepTail = true;
  /// The micro-batches of the last, smaller batch; empty for none.
  llvm::SmallVector<MicroBatchSpan, 2> tailSpans;
  /// Optimizer steps of the run; 0 where not known.
  int64_t steps = 0;
  ScheduleInfo schedule;
};

struct PlanReport {
  int64_t batch = 0;
  llvm::SmallVector<MicroBatchSpan, 2> spans;
  std::optional<EpochPlan> epoch;
  /// Whether activations are recomputed.
  bool recompute = false;
  /// Of several loops over the batch.
  std::optional<PhasePrice> price;
  /// As `explainScaling` found them.
  llvm::SmallVector<ScalingRow> scaling;

  void print(const ModelInput &input, llvm::raw_ostream &os) const;
};

/// `9,610 parameters`, frozen ones named as such.
std::string describeParameters(const train::Signature &signature);

} // namespace accrue

#endif // ACCRUE_DRIVER_PLANREPORT_H
