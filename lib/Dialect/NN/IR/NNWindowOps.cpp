//===- NNWindowOps.cpp - Convolutions and pooling -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NNWindow.h"
#include "llvm/Support/InterleavedRange.h"
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// Fails unless `numbers` are `count` numbers, at least `least`, small enough
/// that no geometry overflows.
static LogicalResult checkNumbers(std::optional<Location> loc, StringRef name,
                                  ArrayRef<int64_t> numbers, size_t count,
                                  int64_t least) {
  if (numbers.size() != count)
    return emitOptionalError(loc, "expected '", name, "' of ", count,
                             " numbers, got [", llvm::interleaved(numbers),
                             "]");
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  for (int64_t number : numbers)
    if (number < least || number > most)
      return emitOptionalError(loc, "expected '", name, "' in [", least, ", ",
                               most, "], got [", llvm::interleaved(numbers),
                               "]");
  return success();
}

FailureOr<std::array<WindowAxis, 2>>
nn::inferWindows(std::optional<Location> loc, RankedTensorType images,
                 const WindowAttributes &attributes) {
  if (images.getRank() != 4)
    return emitOptionalError(loc, "expected images [N, C, H, W], got ", images);
  int64_t rows = images.getDimSize(2), columns = images.getDimSize(3);
  if (images.isDynamicDim(2) || images.isDynamicDim(3))
    return emitOptionalError(loc,
                             "expected images [N, C, H, W] of a size that does "
                             "not depend on the batch, got ",
                             images);
  if (rows == 0 || columns == 0)
    return emitOptionalError(loc, "expected images with pixels, got ", images);
  if (failed(checkNumbers(loc, "kernel", attributes.kernel, 2, 1)) ||
      failed(checkNumbers(loc, "stride", attributes.stride, 2, 1)) ||
      failed(checkNumbers(loc, "dilation", attributes.dilation, 2, 1)) ||
      failed(checkNumbers(loc, "padding", attributes.padding, 4, 0)))
    return failure();
  std::array<WindowAxis, 2> axes =
      getWindowAxes(rows, columns, attributes.kernel, attributes.stride,
                    attributes.dilation, attributes.padding);
  for (auto [axis, name] :
       llvm::zip_equal(axes, std::array<StringRef, 2>{"rows", "columns"})) {
    int64_t padded = axis.before + axis.image + axis.after;
    if (axis.getSpan() > padded)
      return emitOptionalError(loc, "expected windows of at most ", padded, " ",
                               name, " (", axis.image, " and padding ",
                               axis.before, " + ", axis.after, "), got ",
                               axis.getSpan());
  }
  return axes;
}

RankedTensorType nn::getWindowsType(RankedTensorType images,
                                    const std::array<WindowAxis, 2> &axes,
                                    bool channelsLast) {
  SmallVector<Extent> extents = getExtents(images);
  SmallVector<Extent> windows = {extents[0], axes[0].getCount(),
                                 axes[1].getCount()};
  windows.insert(windows.begin() + (channelsLast ? 3 : 1), extents[1]);
  windows.append({axes[0].kernel, axes[1].kernel});
  return getTensorType(windows, images.getElementType());
}

RankedTensorType nn::getPixelsType(RankedTensorType images,
                                   const std::array<WindowAxis, 2> &axes,
                                   Extent channels) {
  return getTensorType(
      {getExtents(images)[0], channels, axes[0].getCount(), axes[1].getCount()},
      images.getElementType());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult
UnfoldOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto images = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<std::array<WindowAxis, 2>> axes =
      inferWindows(loc, images,
                   {adaptor.getKernel(), adaptor.getStride(),
                    adaptor.getDilation(), adaptor.getPadding()});
  if (failed(axes))
    return failure();
  inferred.push_back(getWindowsType(images, *axes, adaptor.getChannelsLast()));
  return success();
}

LogicalResult FoldOp::verify() {
  auto images = cast<RankedTensorType>(getType());
  FailureOr<std::array<WindowAxis, 2>> axes =
      inferWindows(getLoc(), images,
                   {getKernel(), getStride(), getDilation(), getPadding()});
  if (failed(axes))
    return failure();
  RankedTensorType expected = getWindowsType(images, *axes, getChannelsLast());
  if (getInput().getType() != expected)
    return emitOpError("expected windows of type ")
           << expected << " for images of type " << images << ", got "
           << getInput().getType();
  return success();
}

LogicalResult
Conv2dOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto images = cast<RankedTensorType>(adaptor.getInput().getType());
  auto weight = cast<RankedTensorType>(adaptor.getWeight().getType());
  if (weight.getRank() != 4 || !weight.hasStaticShape())
    return emitOptionalError(
        loc, "expected weights [O, C / groups, rows, columns], got ", weight);
  if (weight.getElementType() != images.getElementType())
    return emitOptionalError(loc, "expected operands of one element type, got ",
                             images, " and ", weight);
  FailureOr<std::array<WindowAxis, 2>> axes =
      inferWindows(loc, images,
                   {weight.getShape().drop_front(2), adaptor.getStride(),
                    adaptor.getDilation(), adaptor.getPadding()});
  if (failed(axes))
    return failure();
  int64_t groups = adaptor.getGroups();
  int64_t channels = images.getDimSize(1);
  for (auto [count, name] : {std::pair<int64_t, StringRef>{channels, "input"},
                             {weight.getDimSize(0), "output"}})
    if (count == ShapedType::kDynamic || count % groups != 0)
      return emitOptionalError(
          loc, "expected ", name, " channels that 'groups' ", groups,
          " divides, got ", name == "input" ? images : weight);
  if (weight.getDimSize(1) != channels / groups)
    return emitOptionalError(loc, "expected weights of ", channels / groups,
                             " channels (", channels, " / ", groups,
                             " groups), got ", weight);
  inferred.push_back(getPixelsType(images, *axes, weight.getDimSize(0)));
  return success();
}

LogicalResult
MaxPool2dOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto images = cast<RankedTensorType>(adaptor.getInput().getType());
  FailureOr<std::array<WindowAxis, 2>> axes =
      inferWindows(loc, images,
                   {adaptor.getKernel(), adaptor.getStride(),
                    adaptor.getDilation(), adaptor.getPadding()});
  if (failed(axes))
    return failure();
  // A window needs a pixel to have a maximum. It has one if the padding is
  // shorter than it, and a step between two elements does not skip the image.
  for (auto [axis, name] :
       llvm::zip_equal(*axes, std::array<StringRef, 2>{"rows", "columns"}))
    for (int64_t p = 0, e = axis.getCount(); p != e; ++p) {
      // The first element that is not before the image.
      int64_t start = axis.getPixel(p, 0);
      int64_t first =
          start >= 0 ? 0 : (-start + axis.dilation - 1) / axis.dilation;
      if (first >= axis.kernel || axis.isPadding(axis.getPixel(p, first)))
        return emitOptionalError(loc,
                                 "expected windows with a pixel each, got "
                                 "window ",
                                 p, " of the ", name, " in the padding");
    }
  inferred.push_back(getPixelsType(images, *axes, getExtents(images)[1]));
  return success();
}
