//===- RangeCheck.cpp - Values against their bounds -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RangeCheck.h"
#include "accrue/Interfaces/ReferenceOpInterface.h"
#include "fmt/format.h"
#include "mlir/IR/Operation.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::fuzz;
using reference::Tensor;

/// Of numbers up to here no op of f64 overflows, exponentials included.
static constexpr double kLargest = 500;
/// Rounding carries values across an end, but never to or from 0.
static constexpr double kRounding = 1e-9;

static bool isInside(NumberRange range, double number) {
  if (!std::isfinite(number) || (number == 0 && !range.contains(0)))
    return false;
  auto getSlack = [](double end) {
    return std::isfinite(end) ? kRounding * std::fmax(1, std::fabs(end)) : 0;
  };
  return number >= range.min - getSlack(range.min) &&
         number <= range.max + getSlack(range.max);
}

static double getNumber(const Tensor &tensor, int64_t place) {
  return tensor.isFloat() ? tensor.getFloats()[place]
                          : static_cast<double>(tensor.getInts()[place]);
}

void RangeCheck::look(Operation &op, ArrayRef<Tensor> operands,
                      ArrayRef<Tensor> results) {
  auto rule = dyn_cast<ReferenceOpInterface>(op);
  for (auto [index, operand] : llvm::enumerate(operands)) {
    std::optional<int64_t> bound;
    if (rule)
      bound = rule.getIndexBound(index);
    for (int64_t i = 0, e = operand.getNumElements(); i != e; ++i) {
      double number = getNumber(operand, i);
      if (!(std::fabs(number) <= kLargest) ||
          (bound && (number < 0 || number >= *bound)))
        isOutside = true;
    }
  }
  if (isOutside)
    return;
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results)) {
    MaybeNumberRange range = ranges.get(value);
    if (!range)
      continue;
    for (int64_t i = 0, e = result.getNumElements(); i != e; ++i)
      if (double number = getNumber(result, i);
          fault.empty() && !isInside(*range, number))
        fault = fmt::format("'{}' gave {}, expected [{}, {}]",
                            op.getName().getStringRef().str(), number,
                            range->min, range->max);
  }
}
