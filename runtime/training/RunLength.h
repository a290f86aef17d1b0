//===- RunLength.h - Steps in samples and epochs ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_RUNLENGTH_H
#define ACCRUE_RUNTIME_TRAINING_RUNLENGTH_H

#include "runtime/io/Sampler.h"
#include "runtime/training/Types.h"

namespace accrue {

/// How long a run on given data is.
class RunLength {
public:
  /// Needs at least one batch per epoch.
  RunLength(int64_t samples, const io::SamplerOptions &options);

  /// The samples that the first `steps` steps read.
  int64_t countSamples(int64_t steps) const;
  double countEpochs(int64_t steps) const;

  /// A run of `steps` steps with a schedule, for people: one line of its
  /// length, one of the learning rate.
  std::vector<std::string> describe(int64_t steps,
                                    const ScheduleInfo &schedule) const;

private:
  int64_t batch, batchesPerEpoch, samplesPerEpoch;
};

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_RUNLENGTH_H
