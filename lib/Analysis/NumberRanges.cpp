//===- NumberRanges.cpp - Bounds of the values of a function --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/NumberRanges.h"
#include "accrue/Interfaces/NumberRangeOpInterface.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace accrue;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// `range` for elements of `type`: an end closer to 0 than its normal numbers
/// may be 0.
static NumberRange roundEnds(NumberRange range, Type type) {
  auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!floatType)
    return range;
  double smallest =
      llvm::APFloat::getSmallestNormalized(floatType.getFloatSemantics())
          .convertToDouble();
  if (range.min > 0 && range.min < smallest)
    range.min = 0;
  if (range.max < 0 && range.max > -smallest)
    range.max = 0;
  return range;
}

void NumberRanges::compute(Operation *op) {
  SmallVector<MaybeNumberRange> operands, results(op->getNumResults());
  for (Value operand : op->getOperands())
    operands.push_back(ranges.lookup(operand));
  if (auto rule = dyn_cast<NumberRangeOpInterface>(op))
    rule.inferNumberRanges(operands, results);
  for (auto [result, range] : llvm::zip_equal(op->getResults(), results))
    ranges[result] = range
                         ? MaybeNumberRange(roundEnds(*range, result.getType()))
                         : std::nullopt;
}

MaybeNumberRange NumberRanges::get(Value value) {
  // Operands first, without recursion: chains are as long as the program.
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value current = worklist.back();
    Operation *op = current.getDefiningOp();
    if (ranges.contains(current)) {
      worklist.pop_back();
      continue;
    }
    if (!op) {
      ranges[current] = NumberRange{-kInfinity, kInfinity, /*isGiven=*/true};
      continue;
    }
    size_t before = worklist.size();
    for (Value operand : op->getOperands())
      if (!ranges.contains(operand))
        worklist.push_back(operand);
    if (worklist.size() == before)
      compute(op);
  }
  return ranges.lookup(value);
}
