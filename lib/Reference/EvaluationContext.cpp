//===- EvaluationContext.cpp - What ops may ask while evaluated -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/EvaluationContext.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace accrue;
using namespace accrue::reference;

EvaluationContext::~EvaluationContext() = default;

Rounding::Rounding(mlir::Type elementType) {
  if (elementType.isF32())
    kind = Kind::F32;
  else if (elementType.isF16())
    kind = Kind::F16;
  else if (elementType.isBF16())
    kind = Kind::BF16;
}

double Rounding::roundToDigits(double value, int digits, int minExponent,
                               double maximum) {
  if (value == 0 || !std::isfinite(value))
    return value;
  // One unit in the last place: below the least normal exponent it stays that
  // of the subnormals.
  int exponent = std::max(std::ilogb(value), minExponent);
  double unit = std::ldexp(1.0, exponent - digits + 1);
  double rounded = std::nearbyint(value / unit) * unit;
  if (std::abs(rounded) > maximum)
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return rounded;
}
