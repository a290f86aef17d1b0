//===- WindowAxis.h - Windows along one axis of images ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the elements of windows are, along the rows or the columns of images:
// for the reference semantics and for kernels.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_WINDOWAXIS_H
#define ACCRUE_DIALECT_NN_WINDOWAXIS_H

#include "mlir/Support/LLVM.h"
#include <array>
#include <cstdint>

namespace accrue::nn {

struct WindowAxis {
  /// Pixels of the image, and of padding before and after them.
  int64_t image, before, after;
  /// Elements of a window, and pixels from one to the next.
  int64_t kernel, dilation;
  /// Pixels from one window to the next.
  int64_t stride;

  /// Pixels from the first to the last element of a window, both counted.
  int64_t getSpan() const { return dilation * (kernel - 1) + 1; }

  /// The number of windows.
  int64_t getCount() const {
    return (before + image + after - getSpan()) / stride + 1;
  }

  /// The pixel that is element `i` of window `p`; outside of [0, image) it is
  /// padding.
  int64_t getPixel(int64_t p, int64_t i) const {
    return p * stride + i * dilation - before;
  }

  bool isPadding(int64_t pixel) const { return pixel < 0 || pixel >= image; }

  /// Whether any window has elements before, or after, the image.
  bool hasBefore() const { return before > 0; }
  bool hasAfter() const {
    return getPixel(getCount() - 1, kernel - 1) >= image;
  }
};

/// The axes, rows and columns, of windows on images of `rows` x `columns`.
/// `padding` is top, bottom, left, right.
inline std::array<WindowAxis, 2>
getWindowAxes(int64_t rows, int64_t columns, llvm::ArrayRef<int64_t> kernel,
              llvm::ArrayRef<int64_t> stride, llvm::ArrayRef<int64_t> dilation,
              llvm::ArrayRef<int64_t> padding) {
  return {WindowAxis{rows, padding[0], padding[1], kernel[0], dilation[0],
                     stride[0]},
          WindowAxis{columns, padding[2], padding[3], kernel[1], dilation[1],
                     stride[1]}};
}

} // namespace accrue::nn

#endif // ACCRUE_DIALECT_NN_WINDOWAXIS_H
