//===- NormHistoryTest.cpp - What gradient norms are ordinary -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/NormHistory.h"
#include "gtest/gtest.h"

using namespace accrue;

TEST(NormHistoryTest, Median) {
  NormHistory history;
  EXPECT_EQ(history.getMedian(), std::nullopt);
  history.add(4);
  EXPECT_EQ(history.getMedian(), 4);
  history.add(1);
  EXPECT_EQ(history.getMedian(), 2.5);
  history.add(100);
  EXPECT_EQ(history.getMedian(), 4);
}

TEST(NormHistoryTest, ForgetsOldNorms) {
  NormHistory history;
  for (int i = 0; i < 100; ++i)
    history.add(1);
  for (int i = 0; i < 50; ++i)
    history.add(3);
  EXPECT_EQ(history.getNorms().size(), 100u);
  EXPECT_EQ(history.getMedian(), 2);
  history.add(3);
  EXPECT_EQ(history.getMedian(), 3);
}

TEST(NormHistoryTest, SpikeNeedsTwentyNorms) {
  NormHistory history;
  for (int i = 0; i < 19; ++i)
    history.add(2);
  EXPECT_FALSE(history.isSpike(1000));
  history.add(2);
  EXPECT_TRUE(history.isSpike(1000));
  // More than five times the median, which is not yet that of the spike.
  EXPECT_FALSE(history.isSpike(10));
  EXPECT_TRUE(history.isSpike(10.001));
}
