//===- RunState.h - State that runs have ------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_RUNSTATE_H
#define ACCRUE_DIALECT_TRAIN_RUNSTATE_H

#include "llvm/ADT/StringRef.h"

namespace accrue::train {

/// Names of the state that runs have, whatever the model declares: the counter
/// of completed steps, and the key of random numbers (seed and index of the
/// logical batch), of which only models that draw numbers have one.
inline constexpr llvm::StringLiteral kCounterName = "step";
inline constexpr llvm::StringLiteral kRandomKeyName = "random_key";

inline bool isRunState(llvm::StringRef name) {
  return name == kCounterName || name == kRandomKeyName;
}

} // namespace accrue::train

#endif // ACCRUE_DIALECT_TRAIN_RUNSTATE_H
