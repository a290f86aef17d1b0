//===- Checkpoints.h - Where to cut a forward pass --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Segments of a forward pass for recomputation after Chen, Xu, Zhang and
// Guestrin, "Training Deep Nets with Sublinear Memory Cost" (arXiv 1604.06174):
// values that cross a border are stored, the others are computed again, one
// segment at a time. On a chain of n equal layers the best cut is into about
// sqrt(n) segments; here the borders are chosen by the actual sizes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_CHECKPOINTS_H
#define ACCRUE_ANALYSIS_CHECKPOINTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace accrue {

/// One op of the forward pass, in the order of execution.
struct ForwardItem {
  /// Bytes of its results; 0 where they cost nothing to compute again.
  int64_t bytes = 0;
  /// The backward pass reads a result.
  bool needed = false;
  /// Never stored, so that no border may come between it and a reader.
  bool pinned = false;
  /// The last item of the forward pass that reads a result; its own number
  /// where there is none.
  unsigned lastUse = 0;
};

/// Cuts `items` into segments and returns the end (exclusive) of each, in
/// order; the last one is `items.size()`. The last segment is not recomputed:
/// the backward pass starts with it. Minimizes the bytes stored plus the
/// largest bytes recomputed at a time, then the bytes stored, then the number
/// of segments.
llvm::SmallVector<unsigned> chooseSegments(llvm::ArrayRef<ForwardItem> items);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_CHECKPOINTS_H
