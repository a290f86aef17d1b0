//===- NNDecomposeWindow.cpp - Convolutions as matrix products ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NNConvolution.h"
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

ConvolutionBuilder::ConvolutionBuilder(OpBuilder &builder, Conv2dOp op)
    : builder(builder), op(op), loc(op.getLoc()),
      images(cast<RankedTensorType>(op.getInput().getType())),
      weight(cast<RankedTensorType>(op.getWeight().getType())),
      result(cast<RankedTensorType>(op.getType())),
      axes(getWindowAxes(images.getDimSize(2), images.getDimSize(3),
                         weight.getShape().drop_front(2), op.getStride(),
                         op.getDilation(), op.getPadding())),
      groups(op.getGroups()), count(getExtents(images)[0]),
      windows(axes[0].getCount() * axes[1].getCount()),
      size(weight.getNumElements() / weight.getDimSize(0)) {}

RankedTensorType ConvolutionBuilder::getType(ArrayRef<Extent> extents) const {
  SmallVector<Extent> all(extents);
  if (groups != 1)
    all.insert(all.begin(), groups);
  return getTensorType(all, images.getElementType());
}

RankedTensorType ConvolutionBuilder::getMatrixType(Extent columns) const {
  return getType({count * Extent(windows), columns});
}

Value ConvolutionBuilder::reshape(Value value, RankedTensorType type) {
  return value.getType() == type
             ? value
             : Value(ReshapeOp::create(builder, loc, type, value));
}

Value ConvolutionBuilder::reshape(Value value, ArrayRef<Extent> extents) {
  return reshape(value, getTensorType(extents, images.getElementType()));
}

Value ConvolutionBuilder::transpose(Value value,
                                    ArrayRef<int64_t> permutation) {
  return TransposeOp::create(builder, loc, value, permutation);
}

Value ConvolutionBuilder::multiply(Value lhs, bool transposeLhs, Value rhs,
                                   bool transposeRhs) {
  return MatmulOp::create(builder, loc, lhs, rhs, transposeLhs, transposeRhs);
}

Value ConvolutionBuilder::createWeight() {
  return reshape(op.getWeight(),
                 getType({weight.getDimSize(0) / groups, size}));
}

Value ConvolutionBuilder::createWindows() {
  Value input = op.getInput();
  if (groups != 1) {
    // Images of a group side by side: [N, G C, H, W] as [G N, C, H, W].
    Extent channels = weight.getDimSize(1), rows = axes[0].image,
           columns = axes[1].image;
    input = reshape(input, {count, groups, channels, rows, columns});
    input = reshape(transpose(input, {1, 0, 2, 3, 4}),
                    {Extent(groups) * count, channels, rows, columns});
  }
  Value all = UnfoldOp::create(
      builder, loc, input, weight.getShape().drop_front(2), op.getStride(),
      op.getDilation(), op.getPadding(), APFloat(0.0), /*channels_last=*/true);
  return reshape(all, getMatrixType(size));
}

Value ConvolutionBuilder::fromWindows(Value matrix) {
  Extent channels = weight.getDimSize(1), rows = axes[0].image,
         columns = axes[1].image;
  RankedTensorType type =
      getTensorType({Extent(groups) * count, channels, rows, columns},
                    images.getElementType());
  Value all =
      reshape(matrix, getWindowsType(type, axes, /*channelsLast=*/true));
  Value sums =
      FoldOp::create(builder, loc, type, all, weight.getShape().drop_front(2),
                     op.getStride(), op.getDilation(), op.getPadding(),
                     /*channels_last=*/true);
  if (groups == 1)
    return sums;
  sums = reshape(sums, {groups, count, channels, rows, columns});
  return reshape(transpose(sums, {1, 0, 2, 3, 4}), images);
}

Value ConvolutionBuilder::toRows(Value value) {
  Extent channels = weight.getDimSize(0) / groups;
  if (groups == 1) {
    value = transpose(value, {0, 2, 3, 1});
  } else {
    value = reshape(value, {count, groups, channels, axes[0].getCount(),
                            axes[1].getCount()});
    value = transpose(value, {1, 0, 3, 4, 2});
  }
  return reshape(value, getMatrixType(channels));
}

Value ConvolutionBuilder::fromRows(Value value) {
  Extent channels = weight.getDimSize(0) / groups;
  value = reshape(value, getType({count, axes[0].getCount(), axes[1].getCount(),
                                  channels}));
  value = groups == 1 ? transpose(value, {0, 3, 1, 2})
                      : transpose(value, {1, 0, 4, 2, 3});
  return reshape(value, result);
}

LogicalResult Conv2dOp::buildDecomposition(OpBuilder &builder,
                                           SmallVectorImpl<Value> &results) {
  ConvolutionBuilder convolution(builder, *this);
  Value windows = convolution.createWindows();
  Value weight = convolution.createWeight();
  results.push_back(
      convolution.fromRows(convolution.multiply(windows, false, weight, true)));
  return success();
}

Value nn::createPoolingWindows(OpBuilder &builder, MaxPool2dOp op) {
  Location loc = op.getLoc();
  Value windows =
      UnfoldOp::create(builder, loc, op.getInput(), op.getKernel(),
                       op.getStride(), op.getDilation(), op.getPadding(),
                       APFloat(-std::numeric_limits<double>::infinity()),
                       /*channels_last=*/false);
  auto type = cast<RankedTensorType>(windows.getType());
  SmallVector<Extent> extents = getExtents(type);
  int64_t size = type.getDimSize(4) * type.getDimSize(5);
  extents.truncate(4);
  extents.push_back(size);
  return ReshapeOp::create(
      builder, loc, getTensorType(extents, type.getElementType()), windows);
}

LogicalResult MaxPool2dOp::buildDecomposition(OpBuilder &builder,
                                              SmallVectorImpl<Value> &results) {
  Value windows = createPoolingWindows(builder, *this);
  results.push_back(ReduceMaxOp::create(builder, getLoc(), getType(), windows,
                                        ArrayRef<int64_t>{4}));
  return success();
}
