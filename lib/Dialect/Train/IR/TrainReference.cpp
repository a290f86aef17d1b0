//===- TrainReference.cpp - Meaning of the train ops ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference semantics of steps: loops over micro-batches, recomputation,
// norm, clipping and updates. Optimizer rules are computed in f64; what is
// stored is rounded to the declared type.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/TrainOps.h"
#include "accrue/Reference/EvaluationContext.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::train;
using accrue::reference::EvaluationContext;
using accrue::reference::Precision;
using accrue::reference::Rounding;
using accrue::reference::Tensor;

LogicalResult GradientOp::evaluate(ArrayRef<Tensor>, EvaluationContext &,
                                   SmallVectorImpl<Tensor> &) {
  return emitOpError("has no value before 'train-differentiate' expands it");
}

LogicalResult WeightOp::evaluate(ArrayRef<Tensor>, EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  auto type =
      cast<FloatType>(cast<RankedTensorType>(getType()).getElementType());
  double weight =
      static_cast<double>(getSamples()) / static_cast<double>(getOf());
  results.push_back(Tensor::getScalar(type, context.getRounding(type)(weight)));
  return success();
}

//===----------------------------------------------------------------------===//
// Loops and regions
//===----------------------------------------------------------------------===//

namespace {
/// Where the elements of a slice lie in the whole: `count` runs of `length`
/// contiguous elements, `stride` apart in the whole, the first at `first`.
struct SliceRuns {
  /// The slice of samples [offset, offset + samples) of `batch`, in `mode`, of
  /// a whole of shape `shape`.
  SliceRuns(ArrayRef<int64_t> shape, MappedMode mode, int64_t offset,
            int64_t samples, int64_t batch) {
    int64_t below = 1;
    for (int64_t size : shape.drop_front(mode.dim + 1))
      below *= size;
    for (int64_t size : shape.take_front(mode.dim))
      count *= size;
    count *= mode.outer;
    auto toElements = [&](int64_t n) {
      return n * mode.inner / mode.innerDenominator * below;
    };
    first = toElements(offset);
    length = toElements(samples);
    stride = toElements(batch);
  }

  int64_t count = 1;
  int64_t length, stride, first;
};
} // namespace

template <typename T>
static void copyOut(ArrayRef<T> whole, const SliceRuns &runs,
                    MutableArrayRef<T> slice) {
  for (int64_t run = 0; run < runs.count; ++run)
    llvm::copy(whole.slice(runs.first + run * runs.stride, runs.length),
               slice.begin() + run * runs.length);
}

template <typename T>
static void copyIn(ArrayRef<T> slice, const SliceRuns &runs,
                   MutableArrayRef<T> whole) {
  for (int64_t run = 0; run < runs.count; ++run)
    llvm::copy(slice.slice(run * runs.length, runs.length),
               whole.begin() + runs.first + run * runs.stride);
}

/// Combines a contribution with what was accumulated, by sum or max. `round`
/// is that of the accumulator.
static void combine(Reducer reducer, const Tensor &contribution, Rounding round,
                    Tensor &accumulated) {
  if (!contribution.isFloat()) {
    unsigned width = contribution.getElementType().getIntOrFloatBitWidth();
    for (auto [sum, value] :
         llvm::zip_equal(accumulated.getMutableInts(), contribution.getInts()))
      sum = reducer == Reducer::sum
                ? llvm::SignExtend64(uint64_t(sum) + uint64_t(value), width)
                : std::max(sum, value);
    return;
  }
  for (auto [sum, value] : llvm::zip_equal(accumulated.getMutableFloats(),
                                           contribution.getFloats())) {
    if (reducer == Reducer::sum)
      sum = round(sum + value);
    else if (!(value <= sum) && !std::isnan(sum)) // NaN stays NaN.
      sum = value;
  }
}

/// The rounding of sums over micro-batches: f32 for f16 and bf16.
static Rounding getSumRounding(Type elementType,
                               const EvaluationContext &context) {
  if (elementType.isF16() || elementType.isBF16())
    return context.getRounding(Float32Type::get(elementType.getContext()));
  return context.getRounding(elementType);
}

LogicalResult AccumulateOp::evaluate(ArrayRef<Tensor> operands,
                                     EvaluationContext &context,
                                     SmallVectorImpl<Tensor> &results) {
  ArrayRef<Tensor> inputs = operands.take_front(getInputs().size());
  SmallVector<Tensor> accumulated(operands.drop_front(getInputs().size()));
  bool overwrite = accumulated.empty();
  if (overwrite)
    accumulated.resize(getNumResults());
  Block &body = getBody().front();
  int64_t size = getSize(), batch = getOf();

  for (int64_t k = 0, count = getCount(); k < count; ++k) {
    int64_t first = getOffset() + k * size;
    SmallVector<Tensor> arguments{
        Tensor::getIntScalar(body.getArgument(0).getType(), first)};
    for (auto [i, input] : llvm::enumerate(inputs)) {
      MappedMode mode = getMappedMode(cast<MappedAttr>(getModes()[i]));
      SliceRuns runs(input.getShape(), mode, first, size, batch);
      Tensor slice(cast<RankedTensorType>(body.getArgument(i + 1).getType()));
      if (slice.isFloat())
        copyOut(input.getFloats(), runs, slice.getMutableFloats());
      else
        copyOut(input.getInts(), runs, slice.getMutableInts());
      arguments.push_back(std::move(slice));
    }
    SmallVector<Tensor> contributions;
    if (failed(context.evaluateRegion(getBody(), arguments, contributions)))
      return failure();

    for (auto [i, contribution] : llvm::enumerate(contributions)) {
      auto reducer = cast<ReducerOfAttr>(getReducers()[i]);
      auto type = cast<RankedTensorType>(getResult(i).getType());
      Tensor &whole = accumulated[i];
      if (reducer.getKind() == Reducer::concat) {
        if (overwrite)
          whole = Tensor(type);
        SliceRuns runs(type.getShape(), getMappedMode(reducer.getMode()), first,
                       size, batch);
        if (whole.isFloat())
          copyIn(contribution.getFloats(), runs, whole.getMutableFloats());
        else
          copyIn(contribution.getInts(), runs, whole.getMutableInts());
      } else if (reducer.getKind() == Reducer::stack) {
        if (overwrite)
          whole = Tensor(type);
        int64_t row = (reducer.getRow() + k) * contribution.getNumElements();
        if (whole.isFloat())
          llvm::copy(contribution.getFloats(),
                     whole.getMutableFloats().begin() + row);
        else
          llvm::copy(contribution.getInts(),
                     whole.getMutableInts().begin() + row);
      } else if (overwrite) {
        whole = contribution;
      } else {
        combine(reducer.getKind(), contribution,
                getSumRounding(type.getElementType(), context), whole);
      }
    }
    overwrite = false;
  }

  for (Tensor &result : accumulated) {
    Rounding round = context.getRounding(result.getElementType());
    if (result.isFloat())
      for (double &value : result.getMutableFloats())
        value = round(value);
    results.push_back(std::move(result));
  }
  return success();
}

LogicalResult RecomputeOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  return context.evaluateRegion(
      getBody(), operands.drop_front(getAfter().size()), results);
}

//===----------------------------------------------------------------------===//
// Norm, clipping, schedules
//===----------------------------------------------------------------------===//

LogicalResult ScheduleOp::evaluate(ArrayRef<Tensor> operands,
                                   EvaluationContext &context,
                                   SmallVectorImpl<Tensor> &results) {
  auto type =
      cast<FloatType>(cast<RankedTensorType>(getType()).getElementType());
  double factor = getSchedule().getFactor(operands[0].getInts().front());
  results.push_back(Tensor::getScalar(type, context.getRounding(type)(factor)));
  return success();
}

/// The interpreter is one device.
LogicalResult AllReduceOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &,
                                    SmallVectorImpl<Tensor> &results) {
  llvm::append_range(results, operands);
  return success();
}

LogicalResult GlobalNormOp::evaluate(ArrayRef<Tensor> operands,
                                     EvaluationContext &context,
                                     SmallVectorImpl<Tensor> &results) {
  auto type =
      cast<FloatType>(cast<RankedTensorType>(getType()).getElementType());
  context.withAccumulator(type, [&](auto sum) {
    using T = decltype(sum);
    for (const Tensor &gradient : operands)
      for (double value : gradient.getFloats())
        sum += static_cast<T>(value) * static_cast<T>(value);
    results.push_back(Tensor::getScalar(type, std::sqrt(sum)));
  });
  return success();
}

LogicalResult AllFiniteOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &,
                                    SmallVectorImpl<Tensor> &results) {
  bool finite = llvm::all_of(operands, [](const Tensor &tensor) {
    return llvm::all_of(tensor.getFloats(),
                        [](double value) { return std::isfinite(value); });
  });
  Type type = cast<RankedTensorType>(getType()).getElementType();
  results.push_back(Tensor::getIntScalar(type, finite));
  return success();
}

/// The factor that clips gradients of global norm `norm` to `maximum`: exactly
/// 1 where the norm does not exceed it.
static double getClipFactor(const Tensor &norm, double maximum,
                            const EvaluationContext &context) {
  Rounding round = context.getRounding(norm.getElementType());
  double limit = round(maximum);
  return round(limit / std::max(norm.getFloats().front(), limit));
}

/// `gradient` times `factor`.
static Tensor scale(const Tensor &gradient, double factor,
                    const EvaluationContext &context) {
  Rounding round = context.getRounding(gradient.getElementType());
  Tensor scaled = gradient;
  for (double &value : scaled.getMutableFloats())
    value = round(value * factor);
  return scaled;
}

LogicalResult ClipOp::evaluate(ArrayRef<Tensor> operands,
                               EvaluationContext &context,
                               SmallVectorImpl<Tensor> &results) {
  double factor =
      getClipFactor(operands.back(), getMaxNorm().convertToDouble(), context);
  for (const Tensor &gradient : operands.drop_back())
    results.push_back(scale(gradient, factor, context));
  return success();
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// One step of `rule` on a parameter and its slots, in place.
static void applyRule(OptimizerRule rule, const Tensor &gradient,
                      int64_t completed, double factor,
                      const EvaluationContext &context, Tensor &param,
                      MutableArrayRef<Tensor> slots) {
  Rounding round = context.getRounding(param.getElementType());
  MutableArrayRef<double> values = param.getMutableFloats();
  SmallVector<MutableArrayRef<double>> slotValues;
  for (Tensor &slot : slots)
    slotValues.push_back(slot.getMutableFloats());
  SmallVector<double> state(slots.size());
  auto loadState = [&](size_t i) {
    for (auto [element, slot] : llvm::zip_equal(state, slotValues))
      element = slot[i];
  };
  if (rule.hasScale()) {
    SmallVector<double> sums;
    for (auto [i, value] : llvm::enumerate(gradient.getFloats())) {
      loadState(i);
      SmallVector<double> terms =
          rule.getScaleTerms(values[i], value, state, completed + 1);
      sums.resize(terms.size());
      for (auto [sum, term] : llvm::zip_equal(sums, terms))
        sum += term;
    }
    // Nothing is there to be scaled in an empty parameter.
    if (!sums.empty())
      factor *= rule.getScale(sums);
  }
  for (auto [i, value] : llvm::enumerate(gradient.getFloats())) {
    loadState(i);
    rule.update(values[i], value, state, completed + 1, factor);
    values[i] = round(values[i]);
    for (auto [element, slot] : llvm::zip_equal(state, slotValues))
      slot[i] = round(element);
  }
}

LogicalResult UpdateOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  Tensor param = operands[0];
  SmallVector<Tensor> slots(operands.slice(2, getSlots().size()));
  ArrayRef<Tensor> scalars = operands.take_back(3);
  if (scalars[2].getInts().front())
    applyRule(getRule(), operands[1], scalars[0].getInts().front(),
              scalars[1].getFloats().front(), context, param, slots);
  results.push_back(std::move(param));
  llvm::append_range(results, slots);
  return success();
}

LogicalResult FusedUpdateOp::evaluate(ArrayRef<Tensor> operands,
                                      EvaluationContext &context,
                                      SmallVectorImpl<Tensor> &results) {
  size_t count = getParams().size(), slotCount = getSlots().size();
  SmallVector<Tensor> params(operands.take_front(count));
  ArrayRef<Tensor> gradients = operands.slice(count, count);
  SmallVector<Tensor> slots(operands.slice(2 * count, slotCount));
  ArrayRef<Tensor> scalars = operands.drop_front(2 * count + slotCount);
  int64_t completed = scalars[0].getInts().front();
  double factor = scalars[1].getFloats().front();
  bool finite = scalars[2].getInts().front();

  MutableArrayRef<Tensor> rest = slots;
  for (size_t i = 0; finite && i < count; ++i) {
    auto rule = cast<OptimizerRule>(getRules()[i]);
    size_t own = rule.getSlotNames().size();
    Tensor gradient = gradients[i];
    if (getNorm())
      gradient = scale(
          gradient,
          getClipFactor(scalars[3], getMaxNorm()->convertToDouble(), context),
          context);
    applyRule(rule, gradient, completed, factor, context, params[i],
              rest.take_front(own));
    rest = rest.drop_front(own);
  }
  llvm::append_range(results, params);
  llvm::append_range(results, slots);
  return success();
}
