//===- NNReferenceIndexing.cpp - Meaning of indexing ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NNReference.h"
#include "accrue/Dialect/NN/NNOps.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using accrue::reference::EvaluationContext;
using accrue::reference::Rounding;
using accrue::reference::Tensor;

namespace {
/// Positions of slices in a table of [outer, positions, inner] elements.
struct Table {
  Table(ArrayRef<int64_t> shape, int64_t dim)
      : outer(ShapedType::getNumElements(shape.take_front(dim))),
        positions(shape[dim]),
        inner(ShapedType::getNumElements(shape.drop_front(dim + 1))) {}

  bool contains(int64_t position) const {
    return position >= 0 && position < positions;
  }
  int64_t at(int64_t a, int64_t position, int64_t b) const {
    return (a * positions + position) * inner + b;
  }

  int64_t outer, positions, inner;
};
} // namespace

//===----------------------------------------------------------------------===//
// gather, take_along
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  Table table(operands[0].getShape(), getDim());
  ArrayRef<double> values = operands[0].getFloats();
  ArrayRef<int64_t> index = operands[1].getInts();
  MutableArrayRef<double> output = result->getMutableFloats();
  int64_t count = index.size();
  for (int64_t a = 0; a < table.outer; ++a)
    for (int64_t i = 0; i < count; ++i)
      for (int64_t b = 0; b < table.inner; ++b)
        output[(a * count + i) * table.inner + b] =
            table.contains(index[i]) ? values[table.at(a, index[i], b)]
                                     : std::nan("");
  results.push_back(std::move(*result));
  return success();
}

LogicalResult TakeAlongOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  Table table(operands[0].getShape(), getDim());
  Table taken(operands[1].getShape(), getDim());
  ArrayRef<double> values = operands[0].getFloats();
  ArrayRef<int64_t> index = operands[1].getInts();
  MutableArrayRef<double> output = result->getMutableFloats();
  for (int64_t a = 0; a < taken.outer; ++a)
    for (int64_t i = 0; i < taken.positions; ++i)
      for (int64_t b = 0; b < taken.inner; ++b) {
        int64_t position = index[taken.at(a, i, b)];
        output[taken.at(a, i, b)] = table.contains(position)
                                        ? values[table.at(a, position, b)]
                                        : std::nan("");
      }
  results.push_back(std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// scatter_add, scatter_add_along
//===----------------------------------------------------------------------===//

/// Adds update [a, i, b] to position `getIndex(a, i, b)` of `result`.
template <typename IndexFn>
static void scatter(const Tensor &updates, int64_t count, int64_t dim,
                    IndexFn &&getIndex, EvaluationContext &context,
                    Tensor &result) {
  Table table(result.getShape(), dim);
  Rounding round = context.getRounding(result.getElementType());
  ArrayRef<double> values = updates.getFloats();
  MutableArrayRef<double> output = result.getMutableFloats();
  context.withAccumulator(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> sums(output.size());
    for (int64_t a = 0; a < table.outer; ++a)
      for (int64_t i = 0; i < count; ++i)
        for (int64_t b = 0; b < table.inner; ++b) {
          int64_t position = getIndex(a, i, b);
          if (table.contains(position))
            sums[table.at(a, position, b)] +=
                static_cast<T>(values[(a * count + i) * table.inner + b]);
        }
    for (auto [element, sum] : llvm::zip_equal(output, sums))
      element = round(sum);
  });
}

LogicalResult ScatterAddOp::evaluate(ArrayRef<Tensor> operands,
                                     EvaluationContext &context,
                                     SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<int64_t> index = operands[1].getInts();
  scatter(
      operands[0], index.size(), getDim(),
      [&](int64_t, int64_t i, int64_t) { return index[i]; }, context, *result);
  results.push_back(std::move(*result));
  return success();
}

LogicalResult ScatterAddAlongOp::evaluate(ArrayRef<Tensor> operands,
                                          EvaluationContext &context,
                                          SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  Table updates(operands[1].getShape(), getDim());
  ArrayRef<int64_t> index = operands[1].getInts();
  scatter(
      operands[0], updates.positions, getDim(),
      [&](int64_t a, int64_t i, int64_t b) {
        return index[updates.at(a, i, b)];
      },
      context, *result);
  results.push_back(std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

static bool isLarger(double a, double b) {
  return a > b || (std::isnan(a) && !std::isnan(b));
}
static bool isLarger(int64_t a, int64_t b) { return a > b; }

LogicalResult TopKOp::evaluate(ArrayRef<Tensor> operands,
                               EvaluationContext &context,
                               SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  int64_t k = getK(), extent = operands[0].getShape().back();
  if (extent < k)
    return emitOpError("expected at least ")
           << k << " elements along the last dimension, got " << extent;
  MutableArrayRef<int64_t> output = result->getMutableInts();
  withElement(operands[0], [&](auto zero) {
    using T = decltype(zero);
    for (int64_t row = 0, e = output.size() / k; row != e; ++row) {
      ArrayRef<T> values = operands[0].getData<T>().slice(row * extent, extent);
      std::vector<int64_t> order(extent);
      std::iota(order.begin(), order.end(), int64_t(0));
      llvm::stable_sort(order, [&](int64_t a, int64_t b) {
        return isLarger(values[a], values[b]);
      });
      std::copy_n(order.begin(), k, output.begin() + row * k);
    }
  });
  results.push_back(std::move(*result));
  return success();
}
