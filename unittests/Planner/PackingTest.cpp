//===- PackingTest.cpp - Buffers in one arena -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Planner/Packing.h"
#include "gtest/gtest.h"
#include <random>

using namespace accrue;

static PackedBuffer makeBuffer(int64_t bytes, int64_t firstUse,
                               int64_t lastUse) {
  PackedBuffer buffer;
  buffer.bytes = bytes;
  buffer.firstUse = firstUse;
  buffer.lastUse = lastUse;
  return buffer;
}

TEST(PackingTest, SharesBytesOfDisjointLives) {
  PackedBuffer buffers[] = {makeBuffer(100, 0, 1), makeBuffer(80, 2, 3),
                            makeBuffer(40, 1, 2)};
  EXPECT_EQ(packBuffers(buffers, 64), 168);
  EXPECT_EQ(buffers[0].offset, 0);
  EXPECT_EQ(buffers[1].offset, 0);
  EXPECT_EQ(buffers[2].offset, 128);
  EXPECT_EQ(getPeakBytes(buffers), 140);
}

TEST(PackingTest, LivesThatTouchDoNotShare) {
  PackedBuffer buffers[] = {makeBuffer(64, 0, 1), makeBuffer(64, 1, 2)};
  EXPECT_EQ(packBuffers(buffers, 64), 128);
  // Unless one may take the other's place exactly.
  PackedBuffer inPlace[] = {makeBuffer(64, 0, 1), makeBuffer(64, 1, 2)};
  inPlace[1].partners.push_back(0);
  EXPECT_EQ(packBuffers(inPlace, 64), 64);
  EXPECT_EQ(getPeakBytes(inPlace), 64);
}

TEST(PackingTest, PartnersGiveWayToOthers) {
  // Buffer 2 may replace buffer 0, whose bytes buffer 1 needs afterwards.
  PackedBuffer buffers[] = {makeBuffer(64, 0, 1), makeBuffer(128, 2, 3),
                            makeBuffer(64, 1, 3)};
  buffers[2].partners.push_back(0);
  packBuffers(buffers, 64);
  EXPECT_EQ(buffers[1].offset, 0);
  EXPECT_NE(buffers[0].offset, -1);
  EXPECT_GE(buffers[2].offset, 128);
}

TEST(PackingTest, AlignsMoreWhereAsked) {
  PackedBuffer buffers[] = {makeBuffer(200, 0, 3), makeBuffer(100, 0, 3),
                            makeBuffer(64, 0, 3)};
  buffers[1].alignment = 512;
  EXPECT_EQ(packBuffers(buffers, 64), 612);
  EXPECT_EQ(buffers[1].offset, 512);
  // In the gap, which asks for no more than usual.
  EXPECT_EQ(buffers[2].offset, 256);
}

TEST(PackingTest, RandomLivesNeverCollide) {
  std::mt19937 random(7);
  for (int round = 0; round != 50; ++round) {
    std::vector<PackedBuffer> buffers;
    for (int i = 0; i != 40; ++i) {
      int64_t first = random() % 30;
      buffers.push_back(
          makeBuffer(1 + random() % 1000, first, first + random() % 10));
    }
    int64_t end = packBuffers(buffers, 64);
    EXPECT_GE(end, getPeakBytes(buffers));
    for (size_t i = 0; i != buffers.size(); ++i) {
      EXPECT_EQ(buffers[i].offset % 64, 0);
      EXPECT_LE(buffers[i].offset + buffers[i].bytes, end);
      for (size_t j = 0; j != i; ++j) {
        bool meet = buffers[i].firstUse <= buffers[j].lastUse &&
                    buffers[j].firstUse <= buffers[i].lastUse;
        bool overlap =
            buffers[i].offset < buffers[j].offset + buffers[j].bytes &&
            buffers[j].offset < buffers[i].offset + buffers[i].bytes;
        EXPECT_FALSE(meet && overlap);
      }
    }
  }
}
