//===- NumberRange.h - Bounds of the elements of a value --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_NUMBERRANGE_H
#define ACCRUE_INTERFACES_NUMBERRANGE_H

#include <limits>
#include <optional>

namespace accrue {

/// A claim on all elements of a value: if the arguments of the program are
/// finite, indices among them exist, and no operation overflows, they are
/// finite and lie in
/// [`min`, `max`], ends included unless infinite. i1 counts as 0 and 1. A value
/// that may underflow to 0 has 0 in its range.
struct NumberRange {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  /// Every element is one of an input: indices among them exist, which is
  /// checked before a step runs.
  bool isGiven = false;

  bool contains(double number) const { return min <= number && number <= max; }
};

/// No range: the value may be infinite or NaN.
using MaybeNumberRange = std::optional<NumberRange>;

} // namespace accrue

#endif // ACCRUE_INTERFACES_NUMBERRANGE_H
