//===- EmitWindows.cpp - Convolutions and pooling -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of images [samples, channels, rows, columns]. A number for a
// stride, padding, dilation or kernel stands for rows and columns alike.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

static constexpr StringLiteral imageForm = "[samples, channels, rows, columns]";

namespace {

/// How windows lie on an image: rows, then columns.
struct Windows {
  SmallVector<int64_t> kernel, stride, dilation;
  /// Top, bottom, left, right.
  SmallVector<int64_t> padding;
};

} // namespace

/// Padding of rows and columns, or of each of the four sides.
static std::optional<SmallVector<int64_t>> getPadding(BuiltinCall &call,
                                                      unsigned index) {
  if (call.has(index)) {
    std::optional<Term::List> elements = call[index].term.getElements();
    if (elements && elements->size() == 4)
      return call.getIntegers(index, 4, 0, 0);
  }
  std::optional<SmallVector<int64_t>> pair = call.getIntegers(index, 2, 0, 0);
  if (!pair)
    return std::nullopt;
  return SmallVector<int64_t>{(*pair)[0], (*pair)[0], (*pair)[1], (*pair)[1]};
}

/// Whether at least one window fits the padded image.
static bool checkFit(BuiltinCall &call, Value image, const Windows &windows) {
  RankedTensorType type = getTensorType(image);
  for (unsigned axis : {0, 1}) {
    int64_t covered = windows.dilation[axis] * (windows.kernel[axis] - 1) + 1;
    int64_t padding = windows.padding[2 * axis] + windows.padding[2 * axis + 1];
    if (!type.isDynamicDim(2 + axis) &&
        type.getDimSize(2 + axis) + padding >= covered)
      continue;
    InFlightDiagnostic diag = call.emitError();
    diag << "expected an image of at least " << covered - padding
         << (axis == 0 ? " rows" : " columns") << ", got " << formatType(type);
    call.getEmitter().noteOperands(diag, call[0]);
    return false;
  }
  return true;
}

static Term emitConv2d(BuiltinCall &call) {
  Value x = call.getFloatTensorOfRank(0, 4, imageForm);
  Value weight = call.getFloatTensorOfRank(
      1, 4, "[channels out, channels in / groups, rows, columns]");
  if (!x || !weight ||
      !call.getEmitter().unifyElementTypes(call.getRange(),
                                           call.getArguments().take_front(2)))
    return {};
  auto stride = call.getIntegers(3, 2, 1, 1);
  auto padding = getPadding(call, 4);
  auto dilation = call.getIntegers(5, 2, 1, 1);
  std::optional<int64_t> groups = call.getInteger(6, 1, 1);
  if (!stride || !padding || !dilation || !groups)
    return {};
  RankedTensorType xType = getTensorType(x), weightType = getTensorType(weight);
  if (!weightType.hasStaticShape()) {
    call.reportUnexpected(1, "a weight that does not depend on the batch");
    return {};
  }
  int64_t channels = xType.getDimSize(1);
  if (channels % *groups != 0 || weightType.getDimSize(0) % *groups != 0 ||
      channels != weightType.getDimSize(1) * *groups) {
    InFlightDiagnostic diag = call.emitError();
    diag << "expected channels that " << *groups
         << " groups divide and a weight [channels out, channels in / groups, "
            "rows, columns], got "
         << formatType(xType) << " and " << formatType(weightType);
    call.getEmitter().noteOperands(diag, call.getArguments().take_front(2));
    return {};
  }
  Windows windows{{weightType.getDimSize(2), weightType.getDimSize(3)},
                  *stride,
                  *dilation,
                  *padding};
  if (!checkFit(call, x, windows))
    return {};
  Value result = call.create<nn::Conv2dOp>(
      x, weight, windows.stride, windows.padding, windows.dilation, *groups);
  if (!call.has(2))
    return result;

  Value bias = call.getFloatTensorOfRank(2, 1, "[channels out]");
  if (!bias)
    return {};
  if (getTensorType(bias) !=
      RankedTensorType::get({weightType.getDimSize(0)},
                            weightType.getElementType())) {
    InFlightDiagnostic diag = call.emitError(2);
    diag << "expected a bias for each of " << weightType.getDimSize(0)
         << " channels, of type " << weightType.getElementType() << ", got "
         << formatType(getTensorType(bias));
    call.getEmitter().noteOperands(diag, call[1]);
    return {};
  }
  SmallVector<nn::Extent> extents = nn::getExtents(getTensorType(result));
  Value column = call.getBuilder().createReshape(
      call.getLoc(), bias, {weightType.getDimSize(0), 1, 1});
  return call.create<nn::AddOp>(result, call.getBuilder().createBroadcast(
                                            call.getLoc(), column, extents));
}

/// The windows of a pooling function: x, kernel, stride, padding, dilation.
static std::optional<Windows> getPooling(BuiltinCall &call, Value x) {
  auto kernel = call.getIntegers(1, 2, 1, 1);
  auto stride = call.has(2) ? call.getIntegers(2, 2, 1, 1) : kernel;
  auto padding = getPadding(call, 3);
  auto dilation = call.getArguments().size() > 4 ? call.getIntegers(4, 2, 1, 1)
                                                 : SmallVector<int64_t>{1, 1};
  if (!kernel || !stride || !padding || !dilation)
    return std::nullopt;
  Windows windows{*kernel, *stride, *dilation, *padding};
  if (!checkFit(call, x, windows))
    return std::nullopt;
  for (unsigned side = 0; side < 4; ++side) {
    if (2 * windows.padding[side] <= windows.kernel[side / 2])
      continue;
    call.emitError(3) << "expected a padding of at most half the kernel, so "
                         "that every window has pixels, got "
                      << call[3].term.describe();
    return std::nullopt;
  }
  return windows;
}

static Term emitMaxPool2d(BuiltinCall &call) {
  Value x = call.getFloatTensorOfRank(0, 4, imageForm);
  std::optional<Windows> windows = x ? getPooling(call, x) : std::nullopt;
  if (!windows)
    return {};
  return call.create<nn::MaxPool2dOp>(x, windows->kernel, windows->stride,
                                      windows->padding, windows->dilation);
}

/// Means of windows, in which padding counts as zeros.
static Term emitAvgPool2d(BuiltinCall &call) {
  Value x = call.getFloatTensorOfRank(0, 4, imageForm);
  std::optional<Windows> windows = x ? getPooling(call, x) : std::nullopt;
  if (!windows)
    return {};
  Value unfolded = call.create<nn::UnfoldOp>(
      x, windows->kernel, windows->stride, windows->dilation, windows->padding,
      llvm::APFloat(0.0), /*channels_last=*/false);
  return call.create<nn::MeanOp>(unfolded, ArrayRef<int64_t>{4, 5});
}

ArrayRef<Builtin> getWindowBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"avg_pool2d",
       {{"x"}, {"kernel"}, {"stride", false}, {"padding", false}},
       emitAvgPool2d},
      {"conv2d",
       {{"x"},
        {"weight"},
        {"bias", false},
        {"stride", false},
        {"padding", false},
        {"dilation", false},
        {"groups", false}},
       emitConv2d},
      {"max_pool2d",
       {{"x"},
        {"kernel"},
        {"stride", false},
        {"padding", false},
        {"dilation", false}},
       emitMaxPool2d},
  };
  return builtins;
}

} // namespace accrue::frontend
