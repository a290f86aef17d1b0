//===- NormHistory.h - What gradient norms are ordinary ---------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient norms of the last steps. Their median does not move with a few
// extreme ones, unlike a mean, so a spike stands out while it lasts.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_NORMHISTORY_H
#define ACCRUE_RUNTIME_TRAINING_NORMHISTORY_H

#include <cstddef>
#include <optional>
#include <vector>

namespace accrue {

class NormHistory {
public:
  /// Norms of so many steps are kept.
  static constexpr size_t kLength = 100;
  /// Fewer norms say nothing: they fall fast in the first steps.
  static constexpr size_t kLeast = 20;
  /// A norm of so many times the median is a spike. Norms of ordinary batches
  /// are within about two or three times of each other, what precedes a
  /// divergence is ten and more.
  static constexpr double kSpike = 5;

  NormHistory() = default;
  /// Continues a history, the oldest norm first.
  explicit NormHistory(std::vector<double> norms);

  /// The kept norms, the oldest first.
  const std::vector<double> &getNorms() const { return norms; }

  /// Nothing where there is no norm yet. The mean of the two in the middle of
  /// an even number.
  std::optional<double> getMedian() const;

  /// Whether `norm`, of the step after those of the history, is a spike.
  bool isSpike(double norm) const;

  /// The norm of a step that was not skipped.
  void add(double norm);

private:
  std::vector<double> norms;
};

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_NORMHISTORY_H
