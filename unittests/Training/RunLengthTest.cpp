//===- RunLengthTest.cpp - Steps in samples and epochs --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/RunLength.h"
#include "gtest/gtest.h"

using namespace accrue;

static RunLength getLength(int64_t samples, int64_t batch, bool keepTail) {
  io::SamplerOptions options;
  options.batch = batch;
  options.keepTail = keepTail;
  return RunLength(samples, options);
}

// Batches of 4, 4 and 2.
TEST(RunLengthTest, KeptTail) {
  RunLength length = getLength(10, 4, true);
  EXPECT_EQ(length.countSamples(2), 8);
  EXPECT_EQ(length.countSamples(3), 10);
  EXPECT_EQ(length.countSamples(4), 14);
  EXPECT_EQ(length.countEpochs(6), 2);
}

// Batches of 4 and 4.
TEST(RunLengthTest, DroppedTail) {
  RunLength length = getLength(10, 4, false);
  EXPECT_EQ(length.countSamples(3), 12);
  EXPECT_EQ(length.countEpochs(3), 1.5);
}

TEST(RunLengthTest, LessThanABatch) {
  RunLength length = getLength(3, 4, true);
  EXPECT_EQ(length.countSamples(5), 15);
  EXPECT_EQ(length.countEpochs(5), 5);
}

TEST(RunLengthTest, Describe) {
  RunLength length = getLength(1000, 10, true);
  EXPECT_EQ(length.describe(1500, {}),
            (std::vector<std::string>{"1,500 steps = 15,000 samples = 15.0 "
                                      "epochs"}));
  EXPECT_EQ(length.describe(150, {"cosine", 5, 150, 0.1})[1],
            "learning rate 0.1, cosine, warm-up of 5 steps = 50 samples = 0.1 "
            "epochs, ends at step 150");
  EXPECT_EQ(length.describe(150, {"linear", 0, 200, 0.1})[1],
            "learning rate 0.1, linear, ends at step 200 = 2,000 samples = 2.0 "
            "epochs");
  EXPECT_EQ(length.describe(150, {"constant", 0, 0, 0.1})[1],
            "learning rate 0.1, constant");
}
