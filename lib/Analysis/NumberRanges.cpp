//===- NumberRanges.cpp - Bounds of the values of a function --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/NumberRanges.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/NumberRangeOpInterface.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <cmath>

using namespace mlir;
using namespace accrue;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// `end` as a number of the type with `semantics`, rounded as `mode` says.
static double roundEnd(double end, const llvm::fltSemantics &semantics,
                       llvm::RoundingMode mode) {
  // Not every type has an infinity.
  if (!std::isfinite(end))
    return end;
  llvm::APFloat rounded(end);
  bool losesInfo;
  rounded.convert(semantics, mode, &losesInfo);
  return rounded.convertToDouble();
}

/// `range` for elements of `type`, whose numbers may be coarser: 1 + 1e-9 is 1
/// in f32. An end closer to 0 than its normal numbers may be 0.
static NumberRange roundEnds(NumberRange range, Type type) {
  auto floatType = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!floatType)
    return range;
  const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
  range.min =
      roundEnd(range.min, semantics, llvm::RoundingMode::TowardNegative);
  range.max =
      roundEnd(range.max, semantics, llvm::RoundingMode::TowardPositive);
  double smallest =
      llvm::APFloat::getSmallestNormalized(semantics).convertToDouble();
  if (range.min > 0 && range.min < smallest)
    range.min = 0;
  if (range.max < 0 && range.max > -smallest)
    range.max = 0;
  return range;
}

/// Whether `argument` is data, whose indices are checked; state is not.
static bool isGiven(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  auto role = function ? function.getArgAttrOfType<train::RoleAttr>(
                             argument.getArgNumber(), train::attrs::kRole)
                       : nullptr;
  return !role || role.getValue() == train::Role::batch;
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
      ranges[current] = NumberRange{-kInfinity, kInfinity,
                                    isGiven(cast<BlockArgument>(current))};
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
