//===- MicroBatchesTest.cpp - Tests of how a batch is cut -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/MicroBatches.h"
#include "accrue/Analysis/Explain.h"
#include "gtest/gtest.h"

using namespace accrue;

namespace {

using Spans = llvm::SmallVector<MicroBatchSpan, 2>;

Spans cut(int64_t batch, int64_t microBatch, int64_t accumulate) {
  std::string error;
  auto spans = cutBatch(batch, microBatch, accumulate, error);
  EXPECT_TRUE(mlir::succeeded(spans)) << error;
  return mlir::succeeded(spans) ? *spans : Spans();
}

std::string getError(int64_t batch, int64_t microBatch, int64_t accumulate) {
  std::string error;
  EXPECT_TRUE(mlir::failed(cutBatch(batch, microBatch, accumulate, error)));
  return error;
}

TEST(CutBatch, MicroBatchDivides) {
  EXPECT_EQ(cut(512, 128, 0), (Spans{{4, 128, 0}}));
}

TEST(CutBatch, LastMicroBatchIsRagged) {
  EXPECT_EQ(cut(1000, 64, 0), (Spans{{15, 64, 0}, {1, 40, 960}}));
  EXPECT_EQ(cut(40, 16, 0), (Spans{{2, 16, 0}, {1, 8, 32}}));
}

TEST(CutBatch, NumberIsHonoured) {
  EXPECT_EQ(cut(9, 0, 6), (Spans{{3, 2, 0}, {3, 1, 6}}));
  EXPECT_EQ(cut(512, 0, 4), (Spans{{4, 128, 0}}));
  EXPECT_EQ(cut(7, 0, 7), (Spans{{7, 1, 0}}));
}

TEST(CutBatch, OneMicroBatchByDefault) {
  EXPECT_EQ(cut(5, 0, 0), (Spans{{1, 5, 0}}));
  EXPECT_EQ(cut(5, 5, 0), (Spans{{1, 5, 0}}));
}

TEST(CutBatch, EverySampleOnce) {
  for (int64_t batch = 1; batch <= 40; ++batch)
    for (int64_t value = 1; value <= batch; ++value)
      for (bool isSize : {true, false}) {
        int64_t next = 0, number = 0;
        for (const MicroBatchSpan &span :
             cut(batch, isSize ? value : 0, isSize ? 0 : value)) {
          EXPECT_EQ(span.offset, next);
          next += span.count * span.size;
          number += span.count;
        }
        EXPECT_EQ(next, batch);
        EXPECT_EQ(number, isSize ? (batch + value - 1) / value : value);
      }
}

TEST(CutBatch, Refusals) {
  EXPECT_EQ(getError(8, 9, 0), "expected a micro-batch of at most the batch of "
                               "8 samples, got 9");
  EXPECT_EQ(getError(8, 0, 9), "expected at most 8 micro-batches for a batch "
                               "of 8 samples, got 9");
  EXPECT_EQ(getError(8, 2, 4), "expected a micro-batch or a number of "
                               "micro-batches, got both");
  EXPECT_EQ(getError(0, 0, 0), "expected a positive batch, got 0");
  EXPECT_EQ(getError(8, -1, 0),
            "expected a positive micro-batch or number of micro-batches");
}

TEST(FormatWeights, FractionOrNumbers) {
  EXPECT_EQ(formatWeights(cut(512, 128, 0), 512), "1/4");
  EXPECT_EQ(formatWeights(cut(1000, 64, 0), 1000), "0.064, 0.04");
  EXPECT_EQ(formatWeights(cut(40, 16, 0), 40), "0.4, 0.2");
  EXPECT_EQ(formatWeights(cut(5, 5, 0), 5), "1");
}

} // namespace
