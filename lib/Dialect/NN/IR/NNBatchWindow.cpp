//===- NNBatchWindow.cpp - Batch rules of convolutions and pooling --------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images are independent, and so are channels but in a convolution.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// The dimension of channels in windows.
static int64_t getWindowChannels(bool channelsLast) {
  return channelsLast ? 3 : 1;
}

/// From a dimension of images to that of their windows: images, or channels.
static MappedMode toWindows(MappedMode mode, bool channelsLast) {
  return mode.dim == 0 ? mode : mode.atDim(getWindowChannels(channelsLast));
}

/// The opposite; none where the dimension is within an image.
static std::optional<MappedMode> toImages(MappedMode mode, bool channelsLast) {
  if (mode.dim == 0)
    return mode;
  if (mode.dim == getWindowChannels(channelsLast))
    return mode.atDim(1);
  return std::nullopt;
}

FailureOr<BatchRule> UnfoldOp::inferBatchRule(ArrayRef<BatchState> operands,
                                              std::string &) {
  return BatchRule{
      {operands[0]},
      {BatchState::mapped(toWindows(operands[0].mode, getChannelsLast()))}};
}
std::optional<SmallVector<BatchState>> UnfoldOp::operandModes(unsigned,
                                                              MappedMode mode) {
  std::optional<MappedMode> images = toImages(mode, getChannelsLast());
  if (!images)
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::mapped(*images)};
}
bool UnfoldOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all() && getValue().isZero();
}

FailureOr<BatchRule> FoldOp::inferBatchRule(ArrayRef<BatchState> operands,
                                            std::string &) {
  std::optional<MappedMode> images =
      toImages(operands[0].mode, getChannelsLast());
  // Windows of several samples add up in one image.
  if (!images)
    return BatchRule{{BatchState::once()}, {BatchState::once()}};
  return BatchRule{{operands[0]}, {BatchState::mapped(*images)}};
}
std::optional<SmallVector<BatchState>> FoldOp::operandModes(unsigned,
                                                            MappedMode mode) {
  if (mode.dim > 1)
    return std::nullopt;
  return SmallVector<BatchState>{
      BatchState::mapped(toWindows(mode, getChannelsLast()))};
}
bool FoldOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.all();
}

FailureOr<BatchRule> Conv2dOp::inferBatchRule(ArrayRef<BatchState> operands,
                                              std::string &) {
  // Channels, of images and weights, do not depend on the batch.
  assert(operands[0].isMapped() && operands[0].mode.dim == 0 &&
         "expected images of samples");
  return BatchRule{{operands[0], BatchState::once()}, {operands[0]}};
}
std::optional<SmallVector<BatchState>> Conv2dOp::operandModes(unsigned,
                                                              MappedMode mode) {
  if (mode.dim != 0)
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::mapped(mode), BatchState::once()};
}
bool Conv2dOp::isLinearIn(const llvm::SmallBitVector &operands) {
  return operands.count() == 1;
}

FailureOr<BatchRule> MaxPool2dOp::inferBatchRule(ArrayRef<BatchState> operands,
                                                 std::string &) {
  return BatchRule{{operands[0]}, {operands[0]}};
}
std::optional<SmallVector<BatchState>>
MaxPool2dOp::operandModes(unsigned, MappedMode mode) {
  if (mode.dim > 1)
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::mapped(mode)};
}
