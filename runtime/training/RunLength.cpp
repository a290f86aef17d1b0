//===- RunLength.cpp - Steps in samples and epochs ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/RunLength.h"

#include "runtime/io/Progress.h"

#include <fmt/format.h>

using namespace accrue;

RunLength::RunLength(int64_t samples, const io::SamplerOptions &options)
    : batch(options.batch) {
  io::Sampler sampler(samples, options);
  batchesPerEpoch = sampler.batchesPerEpoch();
  // Without a tail an epoch is whole batches.
  samplesPerEpoch = sampler.tailSize() > 0 ? samples : batchesPerEpoch * batch;
}

int64_t RunLength::countSamples(int64_t steps) const {
  // The tail is the last batch of an epoch.
  return steps / batchesPerEpoch * samplesPerEpoch +
         steps % batchesPerEpoch * batch;
}

double RunLength::countEpochs(int64_t steps) const {
  return static_cast<double>(steps) / static_cast<double>(batchesPerEpoch);
}

std::vector<std::string>
RunLength::describe(int64_t steps, const ScheduleInfo &schedule) const {
  auto measure = [&](int64_t steps) {
    return fmt::format("{} samples = {:.1f} epochs",
                       io::groupDigits(countSamples(steps)),
                       countEpochs(steps));
  };
  std::vector<std::string> lines = {
      fmt::format("{} steps = {}", io::groupDigits(steps), measure(steps))};
  if (schedule.name.empty())
    return lines;
  std::string text =
      fmt::format("learning rate {}, {}", schedule.rate, schedule.name);
  if (schedule.warmup > 0)
    text +=
        fmt::format(", warm-up of {} steps = {}",
                    io::groupDigits(schedule.warmup), measure(schedule.warmup));
  if (schedule.last > 0) {
    text += fmt::format(", ends at step {}", io::groupDigits(schedule.last));
    if (schedule.last != steps)
      text += " = " + measure(schedule.last);
  }
  lines.push_back(std::move(text));
  return lines;
}
