//===- TrainingLoop.h - The training loop -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Drives an executable over data: one run per logical batch, evaluation, log,
// checkpoints, an orderly stop on a signal. Everything that a run does follows
// from the seed and the batch index, so a resumed run repeats, byte for byte,
// what the run that was not stopped would have done.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_TRAININGLOOP_H
#define ACCRUE_RUNTIME_TRAINING_TRAININGLOOP_H

#include "runtime/io/DataLoader.h"
#include "runtime/training/Checkpoint.h"

namespace accrue {

/// So many steps in a row that are not finite end a run: with weights that do
/// not change, only other data could make the next one finite.
inline constexpr int64_t kMaxSkippedInARow = 10;

/// Looks at the step of `batch` and says on stderr what it sees. `inputs` are
/// those of the step; parameters and state are as before it.
using InspectStep =
    std::function<io::Status(Executable &executable, InputProvider &inputs,
                             const io::Batch &batch, uint64_t seed)>;

struct TrainingOptions {
  /// Logical batches in all, those of earlier runs included.
  int64_t steps = 0;
  /// Evaluate after every so many batches; 0: only at the end.
  int64_t evalEvery = 0;
  /// Save after every so many batches; 0: only at the end.
  int64_t saveEvery = 0;
  /// Off a terminal, print a line every so many batches.
  int64_t logEvery = 100;
  /// The checkpoint, the log; empty for none.
  std::string save;
  std::string log;
  /// Where it is given, sees the first batch of the run, before its step.
  InspectStep begin;
  /// Where it is given, a step that is not finite is explained and ends the
  /// run.
  InspectStep explain;
};

/// How a run ended.
struct TrainingSummary {
  /// Logical batches done, in all runs.
  int64_t batches = 0;
  /// Batches of this run that changed nothing because they were not finite.
  int64_t skipped = 0;
  /// The signal that stopped it, or 0.
  int signal = 0;
  /// Whether the state was saved at the end.
  bool saved = false;
};

/// Trains from `state.batchIndex` to `options.steps`. The executable has a step
/// for every batch size that `data` yields and, where `evalData` is not null,
/// an evaluation of all of its samples. Parameters and state are in place.
io::Result<TrainingSummary>
trainModel(Executable &executable, const RunModel &model, io::DataLoader &data,
           io::DataLoader *evalData, const TrainingOptions &options,
           RunState state);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_TRAININGLOOP_H
