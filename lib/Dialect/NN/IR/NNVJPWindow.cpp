//===- NNVJPWindow.cpp - Derivatives of convolutions and pooling ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution is a matrix product of windows and weights; its derivatives are
// the two others. Windows are formed again from the images, which are all that
// is kept.
//
//===----------------------------------------------------------------------===//

#include "NNConvolution.h"
#include "accrue/Dialect/NN/Builders.h"
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult UnfoldOp::buildVJP(OpBuilder &builder,
                                 ValueRange resultCotangents,
                                 ArrayRef<bool> wanted,
                                 SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        FoldOp::create(builder, getLoc(), getInput().getType(),
                       resultCotangents[0], getKernel(), getStride(),
                       getDilation(), getPadding(), getChannelsLast());
  return success();
}

LogicalResult FoldOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                               ArrayRef<bool> wanted,
                               SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] = UnfoldOp::create(
        builder, getLoc(), getInput().getType(), resultCotangents[0],
        getKernel(), getStride(), getDilation(), getPadding(), APFloat(0.0),
        getChannelsLast());
  return success();
}

LogicalResult Conv2dOp::buildVJP(OpBuilder &builder,
                                 ValueRange resultCotangents,
                                 ArrayRef<bool> wanted,
                                 SmallVectorImpl<Value> &operandCotangents) {
  ConvolutionBuilder convolution(builder, *this);
  Value rows = convolution.toRows(resultCotangents[0]);
  if (wanted[0])
    operandCotangents[0] = convolution.fromWindows(
        convolution.multiply(rows, false, convolution.createWeight(), false));
  if (wanted[1])
    operandCotangents[1] = convolution.reshape(
        convolution.multiply(rows, true, convolution.createWindows(), false),
        cast<RankedTensorType>(getWeight().getType()));
  return success();
}

/// The place in the window of the element that is the maximum, then a mask.
LogicalResult MaxPool2dOp::buildVJP(OpBuilder &builder,
                                    ValueRange resultCotangents,
                                    ArrayRef<bool> wanted,
                                    SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  Location loc = getLoc();
  Value windows = createPoolingWindows(builder, *this);
  auto type = cast<RankedTensorType>(windows.getType());
  int64_t last = type.getRank() - 1;
  auto places =
      RankedTensorType::get({type.getDimSize(last)}, builder.getI32Type());
  Value largest = ArgmaxOp::create(builder, loc, windows, last);
  auto repeat = [&](Value value, ArrayRef<int64_t> dims) -> Value {
    auto element = cast<RankedTensorType>(value.getType()).getElementType();
    return BroadcastOp::create(builder, loc, withElementType(type, element),
                               value, dims);
  };
  Value place = repeat(IotaOp::create(builder, loc, places, 0),
                       llvm::to_vector(llvm::seq<int64_t>(0, last)));
  Value isLargest = CompareOp::create(builder, loc, ComparePredicate::eq, place,
                                      repeat(largest, last));
  Value cotangents = SelectOp::create(builder, loc, type, isLargest,
                                      repeat(resultCotangents[0], last),
                                      createSplat(builder, loc, type, 0));
  auto images = cast<RankedTensorType>(getInput().getType());
  RankedTensorType windowsType = getWindowsType(
      images,
      getWindowAxes(images.getDimSize(2), images.getDimSize(3), getKernel(),
                    getStride(), getDilation(), getPadding()),
      /*channelsLast=*/false);
  Value unfolded = ReshapeOp::create(builder, loc, windowsType, cotangents);
  operandCotangents[0] =
      FoldOp::create(builder, loc, images, unfolded, getKernel(), getStride(),
                     getDilation(), getPadding(), /*channels_last=*/false);
  return success();
}
