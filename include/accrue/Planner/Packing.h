//===- Packing.h - Buffers in one arena -------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Offsets for buffers with known sizes and lives. The largest buffer goes
// first, each to the lowest offset that is free during its life.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_PLANNER_PACKING_H
#define ACCRUE_PLANNER_PACKING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace accrue {

/// A buffer to be placed. `firstUse` and `lastUse` are positions in the order
/// of execution; the buffer is occupied at both.
struct PackedBuffer {
  int64_t bytes = 0;
  int64_t firstUse = 0;
  int64_t lastUse = 0;
  /// Of its offset, where it needs more than all buffers have.
  int64_t alignment = 1;
  /// Buffers whose place this one may take over exactly, although their lives
  /// touch at one position.
  llvm::SmallVector<unsigned, 1> partners;
  /// The result.
  int64_t offset = -1;
};

/// Sets all offsets, multiples of `alignment` and of the buffer's own (each
/// divides the other). Returns the end of the last
/// byte.
int64_t packBuffers(llvm::MutableArrayRef<PackedBuffer> buffers,
                    int64_t alignment);

/// The largest number of bytes that are occupied at one position.
int64_t getPeakBytes(llvm::ArrayRef<PackedBuffer> buffers);

} // namespace accrue

#endif // ACCRUE_PLANNER_PACKING_H
