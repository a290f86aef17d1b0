//===- Schedules.h - Learning rates over the steps --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The factors that schedules put on the learning rate of the step after
// `completed` ones, for who reports it; steps compute it where they run.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_SCHEDULES_H
#define ACCRUE_RUNTIME_TRAINING_SCHEDULES_H

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace accrue {

/// Rises linearly to 1 at step `warmup`, then falls along half a cosine to
/// `floor` at step `steps`.
inline double warmupCosine(int64_t completed, int64_t warmup, int64_t steps,
                           double floor) {
  constexpr double pi = 3.141592653589793;
  if (completed < warmup)
    return static_cast<double>(completed + 1) / warmup;
  double progress = std::min(1.0, static_cast<double>(completed - warmup) /
                                      static_cast<double>(steps - warmup));
  return floor + (1 - floor) * (1 + std::cos(pi * progress)) / 2;
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_SCHEDULES_H
