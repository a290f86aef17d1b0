//===- NNWindow.h - How windows lie on images -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The geometry that convolutions, pooling and their windows share, along one
// axis: what holds for rows holds for columns.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_NNWINDOW_H
#define ACCRUE_LIB_DIALECT_NN_IR_NNWINDOW_H

#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/NN/WindowAxis.h"
#include <array>
#include <optional>

namespace accrue::nn {

/// Attributes of an op with windows: two numbers each, of rows and columns;
/// `padding` is top, bottom, left, right.
struct WindowAttributes {
  llvm::ArrayRef<int64_t> kernel, stride, dilation, padding;
};

/// The axes of windows on images of type [N, C, H, W]: rows and columns. Emits
/// an error at `loc`, if there is one, where they do not fit.
llvm::FailureOr<std::array<WindowAxis, 2>>
inferWindows(std::optional<mlir::Location> loc, mlir::RankedTensorType images,
             const WindowAttributes &attributes);

/// The type of all windows of `images`: [N, C, H', W', rows, columns], with
/// `channelsLast` [N, H', W', C, rows, columns].
mlir::RankedTensorType getWindowsType(mlir::RankedTensorType images,
                                      const std::array<WindowAxis, 2> &axes,
                                      bool channelsLast);

/// The type [N, C, H', W'] of one value for each window, with C = `channels`.
mlir::RankedTensorType getPixelsType(mlir::RankedTensorType images,
                                     const std::array<WindowAxis, 2> &axes,
                                     Extent channels);

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_NNWINDOW_H
