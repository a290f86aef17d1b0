//===- Progress.h - Progress of a long run ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shows where a run stands: a bar that is redrawn in place on a terminal, and
// plain lines every so many steps in a file or pipe. Everything goes to stderr,
// so that artefacts on stdout stay clean.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_PROGRESS_H
#define ACCRUE_RUNTIME_IO_PROGRESS_H

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accrue::io {

struct ProgressOptions {
  /// The first word of the line.
  std::string label = "train";
  /// Steps at which the run is complete.
  int64_t total = 0;
  /// The step that a resumed run starts after.
  int64_t start = 0;
  /// Off a terminal, a line is printed at each multiple of this and at the end.
  int64_t plainEvery = 100;
  std::FILE *stream = stderr;
  /// Whether to draw a bar; by default, whether `stream` is a terminal that
  /// can redraw a line.
  std::optional<bool> bar;
  /// Columns of the terminal; asked of it by default.
  std::optional<int> columns;
  /// Seconds from any fixed point; the monotonic clock by default.
  std::function<double()> clock;
};

/// A number with the name it is shown under: loss, norm, metric.
using ProgressField = std::pair<std::string, double>;

/// `train   400/400 [==========] loss 0.041  |g| 0.18   59,000 samples/s   3.1
/// s`
class Progress {
public:
  explicit Progress(ProgressOptions options);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  /// Ends the line of a bar that was left unfinished.
  ~Progress();

  /// `step` steps are done, `samples` more samples than at the last call.
  /// Redraws at most ten times a second.
  void update(int64_t step, int64_t samples, std::vector<ProgressField> fields);

  /// Prints a line of its own above the bar.
  void note(std::string_view text);

  /// Shows the last state for good. Later calls do nothing.
  void finish();

private:
  std::string format(double now) const;
  void draw(double now);

  ProgressOptions options;
  double started = 0;
  double drawn = 0;
  /// The step of the last plain line.
  int64_t printed = -1;
  int64_t step = 0;
  int64_t samples = 0;
  std::vector<ProgressField> fields;
  bool lineOpen = false;
  bool finished = false;
};

/// 1437 as `1,437`.
std::string groupDigits(int64_t value);

/// Seconds as `3.1 s`, `12 m 05 s` or `3 h 12 m`.
std::string formatDuration(double seconds);

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_PROGRESS_H
