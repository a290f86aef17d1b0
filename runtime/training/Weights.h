//===- Weights.h - Weights from files -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts a model from a safetensors file, of Accrue or from elsewhere. Files
// from elsewhere call some tensors otherwise, store some weights transposed or
// in another type, and hold tensors that are no parameters.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_WEIGHTS_H
#define ACCRUE_RUNTIME_TRAINING_WEIGHTS_H

#include "runtime/training/Executable.h"

#include <string_view>

namespace accrue {

/// The slot with the difference of a parameter's average from the parameter.
inline constexpr std::string_view kAverageSlot = "ema_difference";

/// How the tensors of a file become those of a model. Patterns match whole
/// names, without the prefix, as those of the model language do: `*` is any
/// text, `?` any character, `[ab]` one of these.
struct WeightOptions {
  /// Taken off the names that start with it.
  std::string prefix;
  /// Tensors that are left aside.
  std::vector<std::string> ignore;
  /// Matrices that the file stores as [in, out], the model as [out, in].
  std::vector<std::string> transpose;
  /// Whether declared state (running statistics) has to be in the file too; it
  /// otherwise stays as it is where the file has none.
  bool needsState = false;
  /// Whether parameters that the file has averages of get those instead of
  /// their values; it has to have one.
  bool useAverages = false;

  bool empty() const {
    return prefix.empty() && ignore.empty() && transpose.empty();
  }
};

/// Reads the parameters of `executable`, and its declared state, from the file
/// `path`. Optimizer state and step counter of a checkpoint are left aside.
/// Types convert (see io::findConversion). Fails where a tensor is missing, of
/// another shape, or one that the model does not have, naming all of them.
io::Status loadWeights(const std::string &path, const WeightOptions &options,
                       Executable &executable);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_WEIGHTS_H
