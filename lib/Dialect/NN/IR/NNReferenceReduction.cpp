//===- NNReferenceReduction.cpp - Meaning of reductions -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NNReference.h"
#include "accrue/Dialect/NN/NNOps.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using accrue::reference::EvaluationContext;
using accrue::reference::Rounding;
using accrue::reference::Tensor;

/// The sum of `input` over `dims` in row-major order, divided by `divisor`.
static LogicalResult evaluateSum(Operation *op, const Tensor &input,
                                 ArrayRef<int64_t> dims, int64_t divisor,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(op, context);
  if (failed(result))
    return failure();
  Rounding round = context.getRounding(result->getElementType());
  ArrayRef<double> values = input.getFloats();
  MutableArrayRef<double> output = result->getMutableFloats();
  context.withAccumulator(result->getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> sums(output.size());
    forEachRow(
        input.getShape(), getStridesWithout(input.getShape(), dims),
        [&](int64_t position, int64_t offset, int64_t count, int64_t stride) {
          for (int64_t i = 0; i < count; ++i)
            sums[offset + i * stride] += static_cast<T>(values[position + i]);
        });
    for (size_t i = 0, e = sums.size(); i != e; ++i)
      output[i] = round(sums[i] / static_cast<T>(divisor));
  });
  results.push_back(std::move(*result));
  return success();
}

LogicalResult SumOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateSum(*this, operands[0], getDims(), /*divisor=*/1, context,
                     results);
}

LogicalResult MeanOp::evaluate(ArrayRef<Tensor> operands,
                               EvaluationContext &context,
                               SmallVectorImpl<Tensor> &results) {
  int64_t extent = 1;
  for (int64_t dim : getDims())
    extent *= operands[0].getShape()[dim];
  return evaluateSum(*this, operands[0], getDims(), extent, context, results);
}

/// The largest or smallest number of `type`, as held in a tensor.
template <typename T>
static T getLimit(Type type, bool isLargest) {
  if constexpr (std::is_floating_point_v<T>) {
    double infinity = std::numeric_limits<double>::infinity();
    return isLargest ? infinity : -infinity;
  } else {
    unsigned width = type.getIntOrFloatBitWidth();
    return isLargest ? llvm::maxIntN(width) : llvm::minIntN(width);
  }
}

static bool isNaN(double value) { return std::isnan(value); }
static bool isNaN(int64_t) { return false; }

/// The extremum of `input` over `dims`; NaN wins.
static LogicalResult evaluateExtremum(Operation *op, const Tensor &input,
                                      ArrayRef<int64_t> dims, bool isMaximum,
                                      EvaluationContext &context,
                                      SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(op, context);
  if (failed(result))
    return failure();
  withElement(input, [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> values = input.getData<T>();
    MutableArrayRef<T> output = result->getMutableData<T>();
    llvm::fill(output, getLimit<T>(input.getElementType(), !isMaximum));
    forEachRow(
        input.getShape(), getStridesWithout(input.getShape(), dims),
        [&](int64_t position, int64_t offset, int64_t count, int64_t stride) {
          for (int64_t i = 0; i < count; ++i) {
            T value = values[position + i];
            T &best = output[offset + i * stride];
            if ((isMaximum ? value > best : value < best) || isNaN(value))
              best = value;
          }
        });
  });
  results.push_back(std::move(*result));
  return success();
}

LogicalResult ReduceMaxOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  return evaluateExtremum(*this, operands[0], getDims(), /*isMaximum=*/true,
                          context, results);
}

LogicalResult ReduceMinOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  return evaluateExtremum(*this, operands[0], getDims(), /*isMaximum=*/false,
                          context, results);
}

LogicalResult CumsumOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  const Tensor &input = operands[0];
  Tensor result(input.getType());
  Rounding round = context.getRounding(result.getElementType());
  ArrayRef<double> values = input.getFloats();
  MutableArrayRef<double> output = result.getMutableFloats();
  int64_t extent = input.getShape()[getDim()], inner = 1;
  for (int64_t size : input.getShape().drop_front(getDim() + 1))
    inner *= size;
  context.withAccumulator(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    int64_t lines = extent == 0 ? 0 : input.getNumElements() / extent;
    for (int64_t line = 0; line != lines; ++line) {
      int64_t first = line / inner * extent * inner + line % inner;
      T sum = 0;
      for (int64_t k = 0; k != extent; ++k) {
        int64_t at = first + (getReverse() ? extent - 1 - k : k) * inner;
        sum += static_cast<T>(values[at]);
        output[at] = round(sum);
      }
    }
  });
  results.push_back(std::move(result));
  return success();
}

/// True where `value` takes the place of `best` as the largest so far.
static bool isLarger(double value, double best) {
  return value > best || (std::isnan(value) && !std::isnan(best));
}
static bool isLarger(int64_t value, int64_t best) { return value > best; }

LogicalResult ReduceArgmaxOp::evaluate(ArrayRef<Tensor> operands,
                                       EvaluationContext &context,
                                       SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> largest = createResult(*this, context);
  if (failed(largest))
    return failure();
  const Tensor &input = operands[0];
  ArrayRef<int64_t> indices = operands[1].getInts();
  Tensor index(
      RankedTensorType::get(largest->getShape(), operands[1].getElementType()));
  MutableArrayRef<int64_t> first = index.getMutableInts();
  llvm::fill(first, llvm::maxIntN(32));
  withElement(input, [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> values = input.getData<T>();
    MutableArrayRef<T> output = largest->getMutableData<T>();
    llvm::fill(output,
               getLimit<T>(input.getElementType(), /*isLargest=*/false));
    forEachRow(
        input.getShape(), getStridesWithout(input.getShape(), getDims()),
        [&](int64_t position, int64_t offset, int64_t count, int64_t stride) {
          for (int64_t i = 0; i < count; ++i) {
            T value = values[position + i], &best = output[offset + i * stride];
            int64_t at = indices[position + i],
                    &lowest = first[offset + i * stride];
            if (isLarger(value, best)) {
              best = value;
              lowest = at;
            } else if (!isLarger(best, value)) {
              lowest = std::min(lowest, at);
            }
          }
        });
  });
  results.push_back(std::move(*largest));
  results.push_back(std::move(index));
  return success();
}

LogicalResult ArgmaxOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  const Tensor &input = operands[0];
  int64_t extent = input.getShape()[getDim()];
  if (extent == 0)
    return emitOpError("expected elements along dimension ") << getDim();
  int64_t inner = 1;
  for (int64_t size : input.getShape().drop_front(getDim() + 1))
    inner *= size;
  MutableArrayRef<int64_t> output = result->getMutableInts();
  withElement(input, [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> values = input.getData<T>();
    for (int64_t i = 0, e = output.size(); i != e; ++i) {
      int64_t first = i / inner * extent * inner + i % inner;
      int64_t best = 0;
      for (int64_t k = 1; k < extent; ++k)
        if (isLarger(values[first + k * inner], values[first + best * inner]))
          best = k;
      output[i] = best;
    }
  });
  results.push_back(std::move(*result));
  return success();
}
