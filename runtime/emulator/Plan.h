//===- Plan.h - The plan of an emitted program ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The head of an emitted program lists every buffer of every arena. With
// ACCRUE_EMULATOR_PLAN=model.cu the emulator reads it there, and knows which
// bytes of an allocation nobody may touch, unless the program clears all of it,
// and where there are f64.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_PLAN_H
#define ACCRUE_RUNTIME_EMULATOR_PLAN_H

#include <cstddef>
#include <vector>

namespace accrue::emulator {

struct Range {
  size_t begin;
  size_t end;
};

/// An arena of the plan.
struct Arena {
  size_t bytes = 0;
  std::vector<Range> buffers;
  /// Those of f64.
  std::vector<Range> doubles;

  /// The bytes that belong to no buffer.
  std::vector<Range> getGaps() const;
};

/// The arena that an allocation is: the next one of its size, in the order of
/// the plan, which starts again after the last. Null without a plan.
const Arena *findArena(size_t bytes);

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_PLAN_H
