//===- CheckpointsTest.cpp - Tests of the cuts of a forward pass ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/Checkpoints.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace accrue;

namespace {
using Ends = llvm::SmallVector<unsigned>;

/// A chain of `size` layers, each read by the next one and by the backward
/// pass.
llvm::SmallVector<ForwardItem> getChain(unsigned size, int64_t bytes = 1) {
  llvm::SmallVector<ForwardItem> items;
  for (unsigned i = 0; i < size; ++i)
    items.push_back({bytes, true, false, std::min(i + 1, size - 1)});
  return items;
}

/// What a segmentation stores plus the most that it recomputes at a time; the
/// largest number where a border separates a pinned item from a reader.
int64_t getPeak(llvm::ArrayRef<ForwardItem> items,
                llvm::ArrayRef<unsigned> ends) {
  int64_t stored = 0, most = 0;
  unsigned start = 0;
  for (unsigned end : ends) {
    int64_t recomputed = 0;
    for (; start < end; ++start) {
      const ForwardItem &item = items[start];
      if (item.lastUse >= end && item.pinned)
        return std::numeric_limits<int64_t>::max();
      if (item.lastUse >= end)
        stored += item.bytes;
      else if (item.needed)
        recomputed += item.bytes;
    }
    most = std::max(most, recomputed);
  }
  return stored + most;
}
} // namespace

TEST(CheckpointsTest, Empty) { EXPECT_EQ(chooseSegments({}), Ends()); }

TEST(CheckpointsTest, OneLayerIsOneSegment) {
  EXPECT_EQ(chooseSegments(getChain(1)), Ends({1}));
}

// The bound of Chen et al.: 2 sqrt(n) for a chain of n equal layers.
TEST(CheckpointsTest, ChainTakesSquareRoot) {
  for (unsigned root : {3, 5, 10}) {
    auto items = getChain(root * root, 1000);
    Ends ends = chooseSegments(items);
    EXPECT_LE(getPeak(items, ends), 2000 * root);
    EXPECT_GE(ends.size(), root - 1);
    EXPECT_LE(ends.size(), root + 1);
  }
}

// The narrow place of an hourglass is where to cut.
TEST(CheckpointsTest, CutsWhereLittleCrosses) {
  auto items = getChain(7, 100);
  items[3].bytes = 1;
  Ends ends = chooseSegments(items);
  EXPECT_TRUE(llvm::is_contained(ends, 4u));
  EXPECT_EQ(getPeak(items, ends), 301);
}

TEST(CheckpointsTest, NoBorderSeparatesAPinFromItsReader) {
  auto items = getChain(9);
  items[4].pinned = true;
  items[4].lastUse = 7;
  for (unsigned end : chooseSegments(items))
    EXPECT_TRUE(end <= 4 || end > 7) << end;
}

// Against all segmentations of small random programs.
TEST(CheckpointsTest, NoSegmentationIsBetter) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    unsigned size = 1 + random() % 9;
    llvm::SmallVector<ForwardItem> items;
    for (unsigned i = 0; i < size; ++i)
      items.push_back({static_cast<int64_t>(random() % 20), random() % 4 != 0,
                       random() % 8 == 0,
                       i + static_cast<unsigned>(random() % (size - i))});
    int64_t best = std::numeric_limits<int64_t>::max();
    for (unsigned mask = 0; mask < 1u << (size - 1); ++mask) {
      Ends ends;
      for (unsigned i = 0; i + 1 < size; ++i)
        if (mask >> i & 1)
          ends.push_back(i + 1);
      ends.push_back(size);
      best = std::min(best, getPeak(items, ends));
    }
    Ends ends = chooseSegments(items);
    ASSERT_EQ(ends.back(), size);
    EXPECT_EQ(getPeak(items, ends), best) << "round " << round;
  }
}
