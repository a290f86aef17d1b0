//===- Checkpoint.h - Weights and state in files ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A checkpoint is a safetensors file: parameters under their own names, slots
// as `optimizer/PARAMETER/SLOT`, other state as `state/NAME`, and in the
// metadata what a run needs to continue as if it had never stopped.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_CHECKPOINT_H
#define ACCRUE_RUNTIME_TRAINING_CHECKPOINT_H

#include "runtime/training/Executable.h"
#include "runtime/training/NormHistory.h"

namespace accrue {

/// Where a run stands, and what must not change when it is resumed.
struct RunState {
  std::string model;
  /// Logical batches done, skipped ones included; keys the order of data.
  int64_t batchIndex = 0;
  /// Samples per logical batch.
  int64_t batch = 0;
  /// Whether the rest is known: an emitted program that saves itself says
  /// nothing of its data.
  bool hasData = true;
  uint64_t seed = 0;
  /// Samples in the training data.
  int64_t samples = 0;
  /// Whether an epoch's tail is a batch of its own.
  bool keepTail = true;
  /// Hash of all that decides the bits of a step, to notice changes.
  std::string config;
  /// Gradient norms of the last steps.
  NormHistory norms;
  /// How many steps until here were not finite, without one in between.
  int64_t skippedInARow = 0;
};

/// Writes everything that lives across steps, atomically.
io::Status saveCheckpoint(const std::string &path, Executable &executable,
                          const RunState &state);

/// Reads only where the run of a checkpoint stands.
io::Result<RunState> readRunState(const std::string &path);

/// Reads parameters, slots and state of a checkpoint of the same model into
/// `executable`. Fails, and changes nothing, where the file is none or of a
/// model with other names, types or shapes.
io::Result<RunState> loadCheckpoint(const std::string &path,
                                    Executable &executable);

/// Fails where a run with `wanted` would not continue the run of `saved`. The
/// batch index is not compared, and the config only reported by the caller.
io::Status checkResumable(const std::string &path, const RunState &saved,
                          const RunState &wanted);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_CHECKPOINT_H
