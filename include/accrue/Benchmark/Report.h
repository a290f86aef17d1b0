//===- Report.h - Times of the kernels of a step ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `accrue bench` prints, as a table or as JSON; the programs of
// `accrue bench --target cuda` print the same JSON. docs/bench.md describes it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_BENCHMARK_REPORT_H
#define ACCRUE_BENCHMARK_REPORT_H

#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace accrue::bench {

/// A kernel or a matrix product, measured by itself.
struct KernelTime {
  std::string name;
  /// "kernel" or "matmul".
  std::string kind;
  std::vector<std::string> sources;
  int64_t callsPerStep = 0;
  /// The median of one call.
  double seconds = 0;
  /// Of one call; see `KernelCost`.
  int64_t bytes = 0;
  int64_t flops = 0;
};

/// Everything that was measured of one step.
struct Report {
  std::string model;
  /// "cpu" or "cuda".
  std::string target;
  std::string device;
  /// Samples per optimizer step, and of the largest micro-batch.
  int64_t batch = 0;
  int64_t microBatch = 0;
  /// The median of a whole step.
  double stepSeconds = 0;
  std::vector<KernelTime> kernels;

  void printJSON(llvm::raw_ostream &os) const;
  /// A line per kernel, those that take most of a step first.
  void printTable(llvm::raw_ostream &os) const;
};

} // namespace accrue::bench

#endif // ACCRUE_BENCHMARK_REPORT_H
