//===- Phases.h - The stations of a compilation -----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_PIPELINES_PHASES_H
#define ACCRUE_PIPELINES_PHASES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace accrue {

/// Where a compilation can stop, in order (`--emit`). The names are those of
/// `getPhases`. What comes after `Planned` is text or code of a target, made
/// from the planned program.
enum class Phase {
  NN,
  Step,
  Accumulated,
  Rematerialized,
  Optimized,
  Linalg,
  Kernels,
  Planned,
  LLVM,
  Object,
  CUDA,
  CUDADriver,
  PTX,
};

struct PhaseInfo {
  Phase phase;
  llvm::StringLiteral name;
  /// What the program is there; one line, for help texts.
  llvm::StringLiteral description;
  /// The target that alone has the phase ("cpu", "cuda"); empty: all have it.
  llvm::StringLiteral target = "";
};

/// All phases, in order.
llvm::ArrayRef<PhaseInfo> getPhases();

const PhaseInfo &getInfo(Phase phase);

} // namespace accrue

#endif // ACCRUE_PIPELINES_PHASES_H
