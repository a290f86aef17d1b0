//===- Report.cpp - Times of the kernels of a step ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One report, as a table for people and as JSON for programs. Times are given
// with four digits: what comes behind them is noise.
//
//===----------------------------------------------------------------------===//

#include "accrue/Benchmark/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <fmt/format.h>

using namespace accrue;
using namespace accrue::bench;

/// Writes a measured number.
static void printMeasured(llvm::json::OStream &json, llvm::StringRef key,
                          double value) {
  json.attributeBegin(key);
  json.rawValue(fmt::format("{:.4g}", value));
  json.attributeEnd();
}

/// `amount` per second, in units of 10^9; 0 where no time was measured.
static double getGigaPerSecond(int64_t amount, double seconds) {
  return seconds > 0 ? static_cast<double>(amount) / seconds * 1e-9 : 0;
}

static double getShare(const KernelTime &kernel, double stepSeconds) {
  double seconds = static_cast<double>(kernel.callsPerStep) * kernel.seconds;
  return stepSeconds > 0 ? seconds / stepSeconds : 0;
}

void Report::printJSON(llvm::raw_ostream &os) const {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attribute("model", model);
    json.attribute("target", target);
    json.attribute("device", device);
    json.attribute("batch", batch);
    json.attribute("micro_batch", microBatch);
    printMeasured(json, "step_seconds", stepSeconds);
    json.attributeArray("kernels", [&] {
      for (const KernelTime &kernel : kernels)
        json.object([&] {
          json.attribute("name", kernel.name);
          json.attribute("kind", kernel.kind);
          json.attributeArray("sources", [&] {
            for (const std::string &source : kernel.sources)
              json.value(source);
          });
          json.attribute("calls_per_step", kernel.callsPerStep);
          printMeasured(json, "seconds", kernel.seconds);
          json.attribute("bytes", kernel.bytes);
          json.attribute("flops", kernel.flops);
          printMeasured(json, "gb_per_s",
                        getGigaPerSecond(kernel.bytes, kernel.seconds));
          printMeasured(json, "gflop_per_s",
                        getGigaPerSecond(kernel.flops, kernel.seconds));
          printMeasured(json, "share", getShare(kernel, stepSeconds));
        });
    });
  });
  os << '\n';
}

/// "12.3 us"
static std::string formatTime(double seconds) {
  if (seconds < 1e-6)
    return fmt::format("{:.1f} ns", seconds * 1e9);
  if (seconds < 1e-3)
    return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds < 1)
    return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s ", seconds);
}

void Report::printTable(llvm::raw_ostream &os) const {
  std::vector<const KernelTime *> sorted;
  size_t width = 8;
  double total = 0;
  for (const KernelTime &kernel : kernels) {
    sorted.push_back(&kernel);
    width = std::max(width, kernel.name.size());
    total += getShare(kernel, stepSeconds);
  }
  llvm::stable_sort(sorted, [&](const KernelTime *a, const KernelTime *b) {
    return getShare(*a, stepSeconds) > getShare(*b, stepSeconds);
  });

  os << fmt::format("{}: {} samples per step, at most {} at a time, {} ({})\n",
                    model, batch, microBatch, target, device);
  os << fmt::format("{:<{}} {:>6} {:>10} {:>7} {:>8} {:>8}  from\n", "", width,
                    "calls", "one call", "share", "GB/s", "GFLOP/s");
  for (const KernelTime *kernel : sorted)
    os << fmt::format("{:<{}} {:>6} {:>10} {:>5.1f} % {:>8.1f} {:>8.1f}  {}\n",
                      kernel->name, width, kernel->callsPerStep,
                      formatTime(kernel->seconds),
                      100 * getShare(*kernel, stepSeconds),
                      getGigaPerSecond(kernel->bytes, kernel->seconds),
                      getGigaPerSecond(kernel->flops, kernel->seconds),
                      llvm::join(kernel->sources, ", "));
  os << fmt::format("{:<{}} {:>6} {:>10} {:>5.1f} %\n", "all of them", width,
                    "", formatTime(total * stepSeconds), 100 * total);
  os << fmt::format("{:<{}} {:>6} {:>10}\n", "the step", width, 1,
                    formatTime(stepSeconds));
}
