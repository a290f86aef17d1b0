//===- NNNumberRange.cpp - Bounds of the values of the nn dialect ---------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic, as far as it tells where a value is positive, and that
// nothing is divided by 0.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

using Ranges = ArrayRef<MaybeNumberRange>;
using MutableRanges = MutableArrayRef<MaybeNumberRange>;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr NumberRange kAny = {};
static constexpr NumberRange kNonNegative = {0, kInfinity};
static constexpr NumberRange kUnit = {0, 1};

static bool areKnown(Ranges operands) {
  return llvm::all_of(operands, [](const MaybeNumberRange &range) {
    return range.has_value();
  });
}

static MaybeNumberRange keep(MaybeNumberRange range) {
  if (range)
    range->isGiven = false;
  return range;
}

static NumberRange getHull(NumberRange a, NumberRange b) {
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

/// A product of ends, where an infinite one only stands for large numbers.
static double multiplyEnds(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

static NumberRange multiply(NumberRange a, NumberRange b) {
  double ends[] = {multiplyEnds(a.min, b.min), multiplyEnds(a.min, b.max),
                   multiplyEnds(a.max, b.min), multiplyEnds(a.max, b.max)};
  return {*llvm::min_element(ends), *llvm::max_element(ends)};
}

/// 1 / a; unknown where a can be 0.
static MaybeNumberRange invert(NumberRange a) {
  if (a.contains(0))
    return std::nullopt;
  return NumberRange{1 / a.max, 1 / a.min};
}

static NumberRange getMagnitude(NumberRange a) {
  auto [smallest, largest] = std::minmax({std::fabs(a.min), std::fabs(a.max)});
  return {a.contains(0) ? 0 : smallest, largest};
}

static NumberRange square(NumberRange a) {
  NumberRange magnitude = getMagnitude(a);
  return {magnitude.min * magnitude.min, magnitude.max * magnitude.max};
}

/// Of a sum of one or more elements.
static NumberRange sumUp(NumberRange a) {
  return {a.min >= 0 ? a.min : -kInfinity, a.max <= 0 ? a.max : kInfinity};
}

/// `f`, which does not fall, at both ends.
template <typename Function>
static NumberRange mapEnds(NumberRange a, Function f) {
  return {f(a.min), f(a.max)};
}

//===----------------------------------------------------------------------===//
// Ops without a range of their own
//===----------------------------------------------------------------------===//

/// Finite for finite operands.
#define ACCRUE_RANGE_FINITE(OP, RANGE)                                         \
  void OP::inferNumberRanges(Ranges operands, MutableRanges results) {         \
    if (areKnown(operands))                                                    \
      results[0] = RANGE;                                                      \
  }
/// Moves the elements of its one operand.
#define ACCRUE_RANGE_MOVED(OP)                                                 \
  void OP::inferNumberRanges(Ranges operands, MutableRanges results) {         \
    results[0] = operands[0];                                                  \
  }
/// Between the elements of operand 0.
#define ACCRUE_RANGE_KEPT(OP)                                                  \
  void OP::inferNumberRanges(Ranges operands, MutableRanges results) {         \
    results[0] = keep(operands[0]);                                            \
  }
/// Known of any operands.
#define ACCRUE_RANGE_FIXED(OP, RANGE)                                          \
  void OP::inferNumberRanges(Ranges, MutableRanges results) {                  \
    results[0] = RANGE;                                                        \
  }

ACCRUE_RANGE_FINITE(MatmulOp, kAny)
ACCRUE_RANGE_FINITE(AttentionOp, kAny)
ACCRUE_RANGE_FINITE(Conv2dOp, kAny)
ACCRUE_RANGE_FINITE(FoldOp, kAny)
ACCRUE_RANGE_FINITE(ScatterAddOp, kAny)
ACCRUE_RANGE_FINITE(ScatterAddAlongOp, kAny)
ACCRUE_RANGE_FINITE(CumsumOp, kAny)
ACCRUE_RANGE_FINITE(SoftmaxOp, kUnit)
ACCRUE_RANGE_FINITE(LogSoftmaxOp, (NumberRange{-kInfinity, 0}))
ACCRUE_RANGE_FINITE(LogSumExpOp, kAny)
ACCRUE_RANGE_FINITE(ExpOp, kNonNegative)
ACCRUE_RANGE_FINITE(Expm1Op, (NumberRange{-1, kInfinity}))
ACCRUE_RANGE_FINITE(TanhOp, (NumberRange{-1, 1}))
ACCRUE_RANGE_FINITE(ErfOp, (NumberRange{-1, 1}))
ACCRUE_RANGE_FINITE(SignOp, (NumberRange{-1, 1}))
ACCRUE_RANGE_FINITE(SinOp, (NumberRange{-1, 1}))
ACCRUE_RANGE_FINITE(CosOp, (NumberRange{-1, 1}))
ACCRUE_RANGE_FINITE(SigmoidOp, kUnit)
ACCRUE_RANGE_FINITE(SiluOp, kAny)
ACCRUE_RANGE_FINITE(GeluOp, kAny)
ACCRUE_RANGE_FINITE(SoftplusOp, kNonNegative)
ACCRUE_RANGE_FINITE(UniformOp, kAny)
ACCRUE_RANGE_FINITE(NormalOp, kAny)

ACCRUE_RANGE_MOVED(BroadcastOp)
ACCRUE_RANGE_MOVED(ReshapeOp)
ACCRUE_RANGE_MOVED(TransposeOp)
ACCRUE_RANGE_MOVED(SliceOp)
ACCRUE_RANGE_MOVED(FlipOp)
ACCRUE_RANGE_KEPT(MaxPool2dOp)
ACCRUE_RANGE_KEPT(StopGradientOp)
ACCRUE_RANGE_KEPT(MeanOp)
ACCRUE_RANGE_KEPT(ReduceMaxOp)
ACCRUE_RANGE_KEPT(ReduceMinOp)

ACCRUE_RANGE_FIXED(CompareOp, kUnit)
ACCRUE_RANGE_FIXED(AndOp, kUnit)
ACCRUE_RANGE_FIXED(OrOp, kUnit)
ACCRUE_RANGE_FIXED(NotOp, kUnit)
ACCRUE_RANGE_FIXED(IotaOp, kNonNegative)
ACCRUE_RANGE_FIXED(ArgmaxOp, kNonNegative)
ACCRUE_RANGE_FIXED(TopKOp, kNonNegative)
// A number of elements of tensors that are not empty.
ACCRUE_RANGE_FIXED(ExtentOp, (NumberRange{1, kInfinity}))
#undef ACCRUE_RANGE_FINITE
#undef ACCRUE_RANGE_MOVED
#undef ACCRUE_RANGE_KEPT
#undef ACCRUE_RANGE_FIXED

//===----------------------------------------------------------------------===//
// Constants and elementwise ops
//===----------------------------------------------------------------------===//

void ConstantOp::inferNumberRanges(Ranges, MutableRanges results) {
  NumberRange range = {kInfinity, -kInfinity};
  auto include = [&](double number) {
    range = getHull(range, {number, number});
    return std::isfinite(number);
  };
  if (auto floats = dyn_cast<DenseFPElementsAttr>(getValue())) {
    for (const APFloat &value : floats.getValues<APFloat>())
      if (!include(value.convertToDouble()))
        return;
  } else if (auto integers = dyn_cast<DenseIntElementsAttr>(getValue())) {
    bool isBool = integers.getElementType().isInteger(1);
    for (const APInt &value : integers.getValues<APInt>())
      include(isBool ? value.getZExtValue() : value.getSExtValue());
  } else {
    return;
  }
  results[0] = range;
}

void ConvertOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  Type to = getElementTypeOrSelf(getType());
  if (!operands[0])
    return;
  if (to.isInteger(1))
    results[0] = kUnit;
  else if (isa<IntegerType>(to))
    results[0] = mapEnds(*operands[0], [](double x) { return std::trunc(x); });
  else
    results[0] = keep(operands[0]);
}

/// For ops with one operand, `x`, or two, `x` and `y`.
#define ACCRUE_RANGE_UNARY(OP, EXPRESSION)                                     \
  void OP::inferNumberRanges(Ranges operands, MutableRanges results) {         \
    if (!areKnown(operands))                                                   \
      return;                                                                  \
    NumberRange x = *operands[0];                                              \
    results[0] = EXPRESSION;                                                   \
  }
#define ACCRUE_RANGE_BINARY(OP, EXPRESSION)                                    \
  void OP::inferNumberRanges(Ranges operands, MutableRanges results) {         \
    if (!areKnown(operands))                                                   \
      return;                                                                  \
    NumberRange x = *operands[0], y = *operands[1];                            \
    results[0] = EXPRESSION;                                                   \
  }

ACCRUE_RANGE_UNARY(NegOp, (NumberRange{-x.max, -x.min}))
ACCRUE_RANGE_UNARY(SquareOp, square(x))
ACCRUE_RANGE_UNARY(AbsOp, getMagnitude(x))
ACCRUE_RANGE_UNARY(ReluOp,
                   (mapEnds(x, [](double end) { return std::max(end, 0.0); })))
ACCRUE_RANGE_UNARY(FloorOp,
                   (mapEnds(x, [](double end) { return std::floor(end); })))
ACCRUE_RANGE_UNARY(ClampOp, (mapEnds(x, [&](double end) {
                     return std::clamp(end, getMin().convertToDouble(),
                                       getMax().convertToDouble());
                   })))
ACCRUE_RANGE_UNARY(ReciprocalOp, invert(x))
// The shares of an unknown number of elements: as small as one likes.
ACCRUE_RANGE_UNARY(DistributeOp, getHull(x, {0, 0}))
ACCRUE_RANGE_UNARY(SumOp, sumUp(x))
ACCRUE_RANGE_BINARY(AddOp, (NumberRange{x.min + y.min, x.max + y.max}))
ACCRUE_RANGE_BINARY(SubOp, (NumberRange{x.min - y.max, x.max - y.min}))
ACCRUE_RANGE_BINARY(MulOp, multiply(x, y))
ACCRUE_RANGE_BINARY(MaxOp, (NumberRange{std::max(x.min, y.min),
                                        std::max(x.max, y.max)}))
ACCRUE_RANGE_BINARY(MinOp, (NumberRange{std::min(x.min, y.min),
                                        std::min(x.max, y.max)}))
ACCRUE_RANGE_BINARY(WhenTrainingOp, getHull(x, y))
#undef ACCRUE_RANGE_UNARY
#undef ACCRUE_RANGE_BINARY

void DivOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (!areKnown(operands))
    return;
  if (MaybeNumberRange inverse = invert(*operands[1]))
    results[0] = multiply(*operands[0], *inverse);
}

void SqrtOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (operands[0] && operands[0]->min >= 0)
    results[0] = mapEnds(*operands[0], [](double x) { return std::sqrt(x); });
}

void RsqrtOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (operands[0] && operands[0]->min > 0)
    results[0] = NumberRange{1 / std::sqrt(operands[0]->max),
                             1 / std::sqrt(operands[0]->min)};
}

void LogOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (operands[0] && operands[0]->min > 0)
    results[0] = mapEnds(*operands[0], [](double x) { return std::log(x); });
}

void Log1pOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (operands[0] && operands[0]->min > -1)
    results[0] = mapEnds(*operands[0], [](double x) { return std::log1p(x); });
}

void PowOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (!areKnown(operands))
    return;
  NumberRange base = *operands[0], exponent = *operands[1];
  // A negative base has powers by whole numbers only.
  if (base.min > 0 || (base.min >= 0 && exponent.min >= 0))
    results[0] = kNonNegative;
}

void SelectOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (operands[1] && operands[2])
    results[0] = getHull(*operands[1], *operands[2]);
}

//===----------------------------------------------------------------------===//
// Movement, reductions and normalization
//===----------------------------------------------------------------------===//

/// Elements of `range`, and `value`.
static MaybeNumberRange include(const MaybeNumberRange &range, double value) {
  if (!range || !std::isfinite(value))
    return std::nullopt;
  return getHull(*range, {value, value});
}

void PadOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  results[0] = include(operands[0], getValue().convertToDouble());
}

void UnfoldOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  results[0] = include(operands[0], getValue().convertToDouble());
}

/// Whether all of `indices` are positions along dimension `dim` of `table`;
/// other ones give NaN.
static bool areInside(const MaybeNumberRange &indices, Value table,
                      int64_t dim) {
  auto type = cast<RankedTensorType>(table.getType());
  return indices &&
         (indices->isGiven || (!type.isDynamicDim(dim) && indices->min >= 0 &&
                               indices->max <= type.getDimSize(dim) - 1));
}

void GatherOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (areInside(operands[1], getInput(), getDim()))
    results[0] = keep(operands[0]);
}

void TakeAlongOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (areInside(operands[1], getInput(), getDim()))
    results[0] = keep(operands[0]);
}

/// Of `logits` with the range `operands[0]` for labels with `operands[1]`.
static bool isCrossEntropyFinite(Ranges operands, Value logits) {
  int64_t classes = cast<RankedTensorType>(logits.getType()).getRank() - 1;
  return areKnown(operands) && areInside(operands[1], logits, classes);
}

void CrossEntropyOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (isCrossEntropyFinite(operands, getLogits()))
    results[0] = kNonNegative;
}

void CrossEntropyGradOp::inferNumberRanges(Ranges operands,
                                           MutableRanges results) {
  if (isCrossEntropyFinite(operands, getLogits()))
    results[0] = kAny;
}

void ConcatOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  if (!areKnown(operands))
    return;
  NumberRange range = *operands[0];
  for (const MaybeNumberRange &operand : operands.drop_front())
    range = getHull(range, *operand);
  results[0] = range;
}

void ReduceArgmaxOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  results[0] = keep(operands[0]);
  results[1] = kNonNegative;
}

void MomentsOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  results[0] = keep(operands[0]);
  if (operands[0])
    results[1] = kNonNegative;
}

/// Of what is divided by sqrt(x + eps), x not negative; in f32 at least, where
/// eps may underflow.
static MaybeNumberRange getNormalized(Ranges operands, double eps) {
  bool isPositive = eps >= std::numeric_limits<float>::min();
  return areKnown(operands) && isPositive ? MaybeNumberRange(kAny)
                                          : std::nullopt;
}

void NormalizeOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  results[0] = getNormalized(operands, getEps().convertToDouble());
}

void NormalizeGradOp::inferNumberRanges(Ranges operands,
                                        MutableRanges results) {
  results[0] = getNormalized(operands, getEps().convertToDouble());
}

void RmsNormOp::inferNumberRanges(Ranges operands, MutableRanges results) {
  results[0] = getNormalized(operands, getEps().convertToDouble());
}
