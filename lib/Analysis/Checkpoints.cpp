//===- Checkpoints.cpp - Where to cut a forward pass ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a bound on what one segment recomputes, dynamic programming over the
// place of the last border finds the least bytes stored. The best bound is
// found by trying those that occur.
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Checkpoints.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

using namespace accrue;

namespace {
/// Bytes of a segment by what happens to them.
struct SegmentBytes {
  /// Read by a later segment.
  int64_t stored = 0;
  /// Read by the backward pass only.
  int64_t recomputed = 0;
  /// A later segment reads what must not be stored.
  bool isInvalid = false;

  /// Extends the segment that ends at `end` by `item` at its front.
  void add(const ForwardItem &item, unsigned end) {
    if (item.lastUse >= end) {
      stored += item.bytes;
      isInvalid |= item.pinned;
    } else if (item.needed) {
      recomputed += item.bytes;
    }
  }
};

/// The best segmentation of a prefix.
struct Prefix {
  int64_t stored = std::numeric_limits<int64_t>::max();
  unsigned segments = 0;
  /// Where its last segment starts.
  unsigned start = 0;

  bool isReachable() const {
    return stored != std::numeric_limits<int64_t>::max();
  }
};
} // namespace

/// More bounds than this are thinned out: neighbours hardly differ.
static constexpr size_t kMaxBounds = 64;

/// The amounts that a segment may recompute, ascending.
static llvm::SmallVector<int64_t>
collectBounds(llvm::ArrayRef<ForwardItem> items) {
  llvm::SmallVector<int64_t> bounds;
  for (unsigned end = 1; end <= items.size(); ++end) {
    SegmentBytes bytes;
    for (unsigned start = end; start-- > 0;) {
      bytes.add(items[start], end);
      bounds.push_back(bytes.recomputed);
    }
  }
  llvm::sort(bounds);
  bounds.erase(llvm::unique(bounds), bounds.end());
  if (bounds.size() <= kMaxBounds)
    return bounds;
  llvm::SmallVector<int64_t> thinned;
  for (size_t i = 0; i < kMaxBounds; ++i)
    thinned.push_back(bounds[i * (bounds.size() - 1) / (kMaxBounds - 1)]);
  return thinned;
}

llvm::SmallVector<unsigned>
accrue::chooseSegments(llvm::ArrayRef<ForwardItem> items) {
  unsigned size = items.size();
  using Cost = std::tuple<int64_t, int64_t, unsigned>;
  std::optional<Cost> best;
  llvm::SmallVector<unsigned> bestEnds;
  for (int64_t bound : collectBounds(items)) {
    llvm::SmallVector<Prefix> prefixes(size + 1);
    prefixes[0].stored = 0;
    for (unsigned end = 1; end < size; ++end) {
      SegmentBytes bytes;
      Prefix &prefix = prefixes[end];
      for (unsigned start = end; start-- > 0;) {
        bytes.add(items[start], end);
        if (bytes.isInvalid || bytes.recomputed > bound)
          break;
        const Prefix &before = prefixes[start];
        if (!before.isReachable())
          continue;
        Prefix candidate{before.stored + bytes.stored, before.segments + 1,
                         start};
        if (std::tie(candidate.stored, candidate.segments) <
            std::tie(prefix.stored, prefix.segments))
          prefix = candidate;
      }
    }
    // The last segment stores what it would recompute.
    SegmentBytes bytes;
    for (unsigned start = size; start-- > 0;) {
      bytes.add(items[start], size);
      if (bytes.recomputed > bound)
        break;
      const Prefix &before = prefixes[start];
      if (!before.isReachable())
        continue;
      Cost cost(before.stored + bound, before.stored + bytes.recomputed,
                before.segments);
      if (best && *best <= cost)
        continue;
      best = cost;
      bestEnds = {size};
      for (unsigned end = start; end > 0; end = prefixes[end].start)
        bestEnds.push_back(end);
    }
  }
  std::reverse(bestEnds.begin(), bestEnds.end());
  return bestEnds;
}
