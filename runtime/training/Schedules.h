//===- Schedules.h - Learning rates over the steps --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The factors that schedules put on the learning rate of the step after
// `completed` ones, for who reports it; steps compute it where they run. The
// first `warmup` steps have (completed + 1) / warmup.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_SCHEDULES_H
#define ACCRUE_RUNTIME_TRAINING_SCHEDULES_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace accrue {

/// What a schedule that is `factor` behind its warm-up is now.
inline double warmUp(int64_t completed, int64_t warmup, double factor) {
  return completed < warmup ? static_cast<double>(completed + 1) / warmup
                            : factor;
}

/// The part of the way from step `warmup` to step `steps`, at most 1.
inline double getProgress(int64_t completed, int64_t warmup, int64_t steps) {
  return std::min(1.0, static_cast<double>(completed - warmup) /
                           static_cast<double>(steps - warmup));
}

/// Stays at 1.
inline double constantFactor(int64_t completed, int64_t warmup) {
  return warmUp(completed, warmup, 1);
}

/// Falls straight to `floor` at step `steps`.
inline double linearFactor(int64_t completed, int64_t warmup, int64_t steps,
                           double floor) {
  double progress = getProgress(completed, warmup, steps);
  return warmUp(completed, warmup, floor + (1 - floor) * (1 - progress));
}

/// Falls along half a cosine to `floor` at step `steps`.
inline double cosineFactor(int64_t completed, int64_t warmup, int64_t steps,
                           double floor) {
  constexpr double pi = 3.141592653589793;
  double cosine = std::cos(pi * getProgress(completed, warmup, steps));
  return warmUp(completed, warmup, floor + (1 - floor) * (1 + cosine) / 2);
}

/// Falls as one over the root of the number of the step.
inline double inverseSqrtFactor(int64_t completed, int64_t warmup) {
  double ratio =
      static_cast<double>(warmup) / static_cast<double>(completed + 1);
  return warmUp(completed, warmup, std::sqrt(ratio));
}

/// Is multiplied by `gamma` every `every` steps.
inline double stepFactor(int64_t completed, int64_t warmup, int64_t every,
                         double gamma) {
  return warmUp(completed, warmup,
                std::pow(gamma, static_cast<double>(completed / every)));
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_SCHEDULES_H
