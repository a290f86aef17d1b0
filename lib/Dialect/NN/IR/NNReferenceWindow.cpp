//===- NNReferenceWindow.cpp - Meaning of convolutions and pooling --------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Direct loops over images, windows and their elements.
//
//===----------------------------------------------------------------------===//

#include "NNReference.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/NN/WindowAxis.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using accrue::reference::EvaluationContext;
using accrue::reference::Rounding;
using accrue::reference::Tensor;

using Axes = std::array<WindowAxis, 2>;

/// The axes of the windows of `op` on images of `shape`.
template <typename OpTy>
static Axes getAxes(OpTy op, ArrayRef<int64_t> kernel,
                    ArrayRef<int64_t> shape) {
  return getWindowAxes(shape[2], shape[3], kernel, op.getStride(),
                       op.getDilation(), op.getPadding());
}

/// Calls fn(i, j, pixel) for the elements of window (p, q) in row-major order;
/// `pixel` is the position in the image, or -1 in the padding.
template <typename Fn>
static void forEachElement(const Axes &axes, int64_t p, int64_t q, Fn &&fn) {
  for (int64_t i = 0; i < axes[0].kernel; ++i)
    for (int64_t j = 0; j < axes[1].kernel; ++j) {
      int64_t row = axes[0].getPixel(p, i), column = axes[1].getPixel(q, j);
      bool isPadding = axes[0].isPadding(row) || axes[1].isPadding(column);
      fn(i, j, isPadding ? -1 : row * axes[1].image + column);
    }
}

/// Calls fn(p, q) for all windows.
template <typename Fn>
static void forEachWindow(const Axes &axes, Fn &&fn) {
  for (int64_t p = 0; p < axes[0].getCount(); ++p)
    for (int64_t q = 0; q < axes[1].getCount(); ++q)
      fn(p, q);
}

/// Calls fn(window, image) for every element of every window of images of
/// `shape`: positions in the tensor of windows and in that of the images, -1 in
/// the padding. The places in a window, which belong to at most one window for
/// each pixel, come in row-major order.
template <typename Fn>
static void forEachPlace(const Axes &axes, ArrayRef<int64_t> shape,
                         bool channelsLast, Fn &&fn) {
  int64_t images = shape[0], channels = shape[1];
  int64_t rows = axes[0].getCount(), columns = axes[1].getCount();
  for (int64_t n = 0; n < images; ++n)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t i = 0; i < axes[0].kernel; ++i)
        for (int64_t j = 0; j < axes[1].kernel; ++j)
          forEachWindow(axes, [&](int64_t p, int64_t q) {
            int64_t window =
                channelsLast ? ((n * rows + p) * columns + q) * channels + c
                             : ((n * channels + c) * rows + p) * columns + q;
            int64_t row = axes[0].getPixel(p, i),
                    column = axes[1].getPixel(q, j);
            bool isPadding =
                axes[0].isPadding(row) || axes[1].isPadding(column);
            int64_t image =
                ((n * channels + c) * axes[0].image + row) * axes[1].image +
                column;
            fn((window * axes[0].kernel + i) * axes[1].kernel + j,
               isPadding ? -1 : image);
          });
}

LogicalResult UnfoldOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<int64_t> shape = operands[0].getShape();
  ArrayRef<double> input = operands[0].getFloats();
  MutableArrayRef<double> output = result->getMutableFloats();
  double value = context.getRounding(result->getElementType())(
      getValue().convertToDouble());
  forEachPlace(getAxes(*this, getKernel(), shape), shape, getChannelsLast(),
               [&](int64_t window, int64_t image) {
                 output[window] = image < 0 ? value : input[image];
               });
  results.push_back(std::move(*result));
  return success();
}

LogicalResult FoldOp::evaluate(ArrayRef<Tensor> operands,
                               EvaluationContext &context,
                               SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<int64_t> shape = result->getShape();
  ArrayRef<double> input = operands[0].getFloats();
  MutableArrayRef<double> output = result->getMutableFloats();
  Axes axes = getAxes(*this, getKernel(), shape);
  Type type = result->getElementType();
  Rounding round = context.getRounding(type);
  context.withAccumulator(type, [&](auto zero) {
    std::vector<decltype(zero)> sums(output.size(), zero);
    forEachPlace(axes, shape, getChannelsLast(),
                 [&](int64_t window, int64_t image) {
                   if (image >= 0)
                     sums[image] += input[window];
                 });
    llvm::transform(sums, output.begin(), round);
  });
  results.push_back(std::move(*result));
  return success();
}

LogicalResult Conv2dOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<int64_t> shape = operands[0].getShape(),
                    weights = operands[1].getShape();
  ArrayRef<double> input = operands[0].getFloats(),
                   weight = operands[1].getFloats();
  MutableArrayRef<double> output = result->getMutableFloats();
  Axes axes = getAxes(*this, weights.drop_front(2), shape);
  int64_t channels = shape[1], pixels = shape[2] * shape[3];
  int64_t outputs = weights[0], summed = weights[1];
  int64_t outputsPerGroup = outputs / static_cast<int64_t>(getGroups());
  int64_t columns = axes[1].getCount();
  int64_t size = axes[0].kernel * axes[1].kernel;
  Type type = result->getElementType();
  Rounding round = context.getRounding(type);
  context.withAccumulator(type, [&](auto zero) {
    using T = decltype(zero);
    for (int64_t n = 0; n < shape[0]; ++n)
      for (int64_t o = 0; o < outputs; ++o)
        forEachWindow(axes, [&](int64_t p, int64_t q) {
          T sum = zero;
          for (int64_t c = 0; c < summed; ++c) {
            int64_t channel = o / outputsPerGroup * summed + c;
            const double *image =
                input.data() + (n * channels + channel) * pixels;
            const double *filter = weight.data() + (o * summed + c) * size;
            forEachElement(
                axes, p, q, [&](int64_t i, int64_t j, int64_t pixel) {
                  if (pixel >= 0)
                    sum += static_cast<T>(image[pixel]) *
                           static_cast<T>(filter[i * axes[1].kernel + j]);
                });
          }
          int64_t row = (n * outputs + o) * axes[0].getCount() + p;
          output[row * columns + q] = round(sum);
        });
  });
  results.push_back(std::move(*result));
  return success();
}

LogicalResult MaxPool2dOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<int64_t> shape = operands[0].getShape();
  ArrayRef<double> input = operands[0].getFloats();
  MutableArrayRef<double> output = result->getMutableFloats();
  Axes axes = getAxes(*this, getKernel(), shape);
  int64_t pixels = shape[2] * shape[3];
  int64_t windows = axes[0].getCount() * axes[1].getCount();
  for (int64_t image = 0; image < shape[0] * shape[1]; ++image)
    forEachWindow(axes, [&](int64_t p, int64_t q) {
      double largest = -std::numeric_limits<double>::infinity();
      forEachElement(axes, p, q, [&](int64_t, int64_t, int64_t pixel) {
        if (pixel < 0)
          return;
        double value = input[image * pixels + pixel];
        // NaN is kept: no comparison with it is true.
        if (std::isnan(value) || value > largest)
          largest = value;
      });
      output[image * windows + p * axes[1].getCount() + q] = largest;
    });
  results.push_back(std::move(*result));
  return success();
}
