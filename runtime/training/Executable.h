//===- Executable.h - A compiled training step in memory --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the training loop knows of a target. An executable holds the model's
// parameters, optimizer slots and state, and several *programs* over them: the
// step for the logical batch, the step for the smaller last batch of an epoch,
// and evaluations. One run of a program is one logical batch; how it is split
// into micro-batches is the program's own business.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_EXECUTABLE_H
#define ACCRUE_RUNTIME_TRAINING_EXECUTABLE_H

#include "runtime/io/ArrayView.h"
#include "runtime/io/Result.h"
#include "runtime/training/Types.h"

#include <memory>

namespace accrue {

/// Gives a program the samples of the logical batch that it runs.
class InputProvider {
public:
  virtual ~InputProvider() = default;

  /// Writes samples [first, first + count) of the batch to `to`, for input
  /// number `input`, in its type and its shape with `count` as batch extent.
  virtual io::Status fill(unsigned input, int64_t first, int64_t count,
                          void *to) = 0;
};

/// Bytes of one arena, over all programs (which share it).
struct ArenaUsage {
  std::string name;
  /// What the memory plan says.
  int64_t planned = 0;
  /// What was taken from the system for it.
  int64_t allocated = 0;
  /// Its first byte. Stays valid as long as the executable.
  void *data = nullptr;
};

class Executable {
public:
  virtual ~Executable() = default;

  /// In the order of the model file.
  virtual io::ArrayView<StateTensor> getParameters() const = 0;
  /// By parameter, then in the order of the optimizer's slots.
  virtual io::ArrayView<StateTensor> getSlots() const = 0;
  /// State of no parameter: the counter of completed steps, `step`, of type
  /// i64 and rank 0, is always there.
  virtual io::ArrayView<StateTensor> getState() const = 0;
  /// The gradients that the last step left, of the whole batch and not clipped;
  /// empty where the target does not keep them.
  virtual io::ArrayView<StateTensor> getGradients() const { return {}; }
  /// The outputs of program number `program`, as its last run left them; empty
  /// where it computes none, or the target does not keep them.
  virtual io::ArrayView<StateTensor> getOutputs(unsigned program) const {
    return {};
  }
  virtual io::ArrayView<InputInfo> getInputs() const = 0;
  virtual io::ArrayView<std::string> getMetricNames() const = 0;

  /// The programs, in the order in which they were given to the target.
  virtual io::ArrayView<ProgramInfo> getPrograms() const = 0;

  /// Runs program number `program` once. Fails where `inputs` fails; then
  /// parameters, slots and state are as before.
  virtual io::Status run(unsigned program, InputProvider &inputs,
                         RunResults &results) = 0;

  /// A target with memory of its own copies parameters, slots and state from it
  /// to where `StateTensor::data` points, or back; for others that is one
  /// place. To be called before they are read, and after they were written.
  virtual io::Status fetchTensors() { return io::Status::success(); }
  virtual io::Status storeTensors() { return io::Status::success(); }

  /// In the order of the memory plan; empty where the target plans nothing.
  virtual io::ArrayView<ArenaUsage> getArenas() const = 0;
};

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_EXECUTABLE_H
