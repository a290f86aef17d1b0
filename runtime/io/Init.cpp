//===- Init.cpp - Initial parameter values --------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One Philox call serves two neighbouring elements. Normal values come from the
// Box-Muller transform with a logarithm, sine and cosine written out below: the
// C library's differ in the last bit between versions, and weights must not.
// Only operations that IEEE 754 rounds correctly are used; the build keeps the
// compiler from contracting them.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Init.h"

#include "runtime/io/Philox.h"

#include <cmath>
#include <utility>

namespace accrue::io {
namespace {

/// The natural logarithm of a positive normal number, within 2 ulp: x = m 2^e
/// with m in [sqrt(1/2), sqrt(2)), and log m = 2 artanh((m - 1) / (m + 1)).
double fixedLog(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent); // exact
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  double s = (mantissa - 1) / (mantissa + 1); // |s| < 0.172
  double square = s * s;
  double sum = 0;
  for (int n = 23; n >= 1; n -= 2) // the next term is below 1e-19
    sum = sum * square + 1.0 / n;
  return exponent * 0.69314718055994531 + 2 * s * sum;
}

/// The cosine and sine of `turns` full turns, `turns` in [0, 1): the Taylor
/// series within an eighth of a turn, and symmetry for the rest.
std::pair<double, double> fixedCosSin(double turns) {
  int quadrant = static_cast<int>(turns * 4 + 0.5);
  double angle = (turns - quadrant * 0.25) * 6.2831853071795865;
  double square = angle * angle; // at most (pi/4)^2
  double cosine = 1, sine = 1;
  for (int n = 18; n >= 2; n -= 2) {
    cosine = 1 - cosine * square / (n * (n - 1));
    sine = 1 - sine * square / (n * (n + 1));
  }
  sine *= angle;
  switch (quadrant & 3) {
  case 0:
    return {cosine, sine};
  case 1:
    return {-sine, cosine};
  case 2:
    return {-cosine, -sine};
  default:
    return {sine, -cosine};
  }
}

/// 53 random bits as a multiple of 2^-53 in [0, 1).
double unitInterval(uint64_t word) { return (word >> 11) * 0x1p-53; }

/// Elements 2 * pair and 2 * pair + 1 of a parameter.
std::pair<double, double> drawPair(const Initializer &initializer,
                                   uint64_t seed, uint64_t stream,
                                   int64_t pair) {
  PhiloxWords words = philoxWords(seed, stream, pair);
  double first = unitInterval(words.first);
  double second = unitInterval(words.second);
  double spread = initializer.spread;
  if (initializer.kind == Initializer::Kind::Uniform)
    return {(2 * first - 1) * spread, (2 * second - 1) * spread};
  // 1 - first lies in (0, 1], where the logarithm is finite.
  double radius = std::sqrt(-2 * fixedLog(1 - first)) * spread;
  auto [cosine, sine] = fixedCosSin(second);
  return {initializer.center + radius * cosine,
          initializer.center + radius * sine};
}

template <typename T>
void fill(const Initializer &initializer, uint64_t seed, std::string_view name,
          T *data, int64_t count, int64_t first) {
  if (initializer.kind == Initializer::Kind::Constant) {
    for (int64_t i = 0; i < count; ++i)
      data[i] = static_cast<T>(initializer.center);
    return;
  }
  uint64_t stream = hashName(name);
  for (int64_t i = 0; i < count;) {
    int64_t element = first + i;
    auto [even, odd] = drawPair(initializer, seed, stream, element / 2);
    if (element % 2 == 0)
      data[i++] = static_cast<T>(even);
    if (i < count)
      data[i++] = static_cast<T>(odd);
  }
}

} // namespace

void initialize(const Initializer &initializer, uint64_t seed,
                std::string_view name, float *data, int64_t count,
                int64_t first) {
  fill(initializer, seed, name, data, count, first);
}

void initialize(const Initializer &initializer, uint64_t seed,
                std::string_view name, double *data, int64_t count,
                int64_t first) {
  fill(initializer, seed, name, data, count, first);
}

} // namespace accrue::io
