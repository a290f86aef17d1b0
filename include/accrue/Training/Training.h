//===- Training.h - The training loop ---------------------------*- C++ -*-===//
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

#ifndef ACCRUE_TRAINING_TRAINING_H
#define ACCRUE_TRAINING_TRAINING_H

#include "accrue/Dialect/Train/Signature.h"
#include "accrue/Training/Checkpoint.h"
#include "runtime/io/DataLoader.h"

namespace accrue {

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

/// Gives every parameter its initial values. Fails, naming it, where a
/// parameter has no initializer that can be evaluated.
io::Status initializeParameters(Executable &executable,
                                const train::Signature &signature,
                                uint64_t seed);

/// Opens the files of `files` (input name and path) for `inputs`; fails where
/// an input has no file, or a file no input.
io::Result<io::DataLoader>
openData(llvm::ArrayRef<InputInfo> inputs,
         llvm::ArrayRef<std::pair<std::string, std::string>> files,
         const io::SamplerOptions &options);

/// The same for held-out data: one batch of all samples, in their order.
io::Result<io::DataLoader>
openEvalData(llvm::ArrayRef<InputInfo> inputs,
             llvm::ArrayRef<std::pair<std::string, std::string>> files);

/// Loss and metrics on all samples of `data`, whose batch must be all of them.
io::Result<RunResults> evaluate(Executable &executable, io::DataLoader &data);

/// Trains from `state.batchIndex` to `options.steps`. The executable has a step
/// for every batch size that `data` yields and, where `evalData` is not null,
/// an evaluation of all of its samples. Parameters and state are in place.
io::Result<TrainingSummary>
trainModel(Executable &executable, const train::Signature &signature,
           io::DataLoader &data, io::DataLoader *evalData,
           const TrainingOptions &options, RunState state);

} // namespace accrue

#endif // ACCRUE_TRAINING_TRAINING_H
