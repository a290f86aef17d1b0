//===- Init.h - Initial parameter values ------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills parameters with their initial values. Each element is a pure function
// of (seed, parameter name, element index): independent of the other
// parameters, of the order, and of the machine.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_INIT_H
#define ACCRUE_RUNTIME_IO_INIT_H

#include <cstdint>
#include <string_view>

namespace accrue::io {

/// The distribution that a parameter starts from.
struct Initializer {
  enum class Kind { Constant, Uniform, Normal };

  static Initializer constant(double value) {
    return {Kind::Constant, value, 0};
  }
  /// Uniform over [-bound, bound).
  static Initializer uniform(double bound) { return {Kind::Uniform, 0, bound}; }
  static Initializer normal(double mean, double deviation) {
    return {Kind::Normal, mean, deviation};
  }

  Kind kind = Kind::Constant;
  /// The value itself, or the mean.
  double center = 0;
  /// The bound, or the standard deviation.
  double spread = 0;
};

/// Fills `data[0 .. count)` with elements [first, first + count) of the
/// parameter called `name`. The values are computed in double and rounded
/// once, so the f32 parameter is the rounded f64 parameter.
void initialize(const Initializer &initializer, uint64_t seed,
                std::string_view name, float *data, int64_t count,
                int64_t first = 0);
void initialize(const Initializer &initializer, uint64_t seed,
                std::string_view name, double *data, int64_t count,
                int64_t first = 0);

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_INIT_H
