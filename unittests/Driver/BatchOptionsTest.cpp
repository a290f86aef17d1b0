//===- BatchOptionsTest.cpp - What was asked of the batch -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/BatchOptions.h"
#include "gtest/gtest.h"

using namespace accrue;

static std::string resolveError(BatchOptions options, int64_t modelBatch) {
  std::string error;
  EXPECT_TRUE(failed(resolveBatch(options, modelBatch, error)));
  return error;
}

TEST(BatchOptionsTest, TheCommandLineReplacesTheModel) {
  std::string error;
  BatchOptions options;
  ASSERT_TRUE(succeeded(resolveBatch(options, 512, error)));
  EXPECT_EQ(options.batch, 512);
  options.batch = 64;
  ASSERT_TRUE(succeeded(resolveBatch(options, 512, error)));
  EXPECT_EQ(options.batch, 64);
}

TEST(BatchOptionsTest, AtMostOneSplit) {
  BatchOptions options;
  options.microBatch = 4;
  options.accumulate = 4;
  EXPECT_EQ(resolveError(options, 512),
            "expected at most one of --micro-batch, --accumulate and --memory, "
            "got --micro-batch and --accumulate");
  options.memoryLimit = 1 << 20;
  EXPECT_EQ(resolveError(options, 512),
            "expected at most one of --micro-batch, --accumulate and --memory, "
            "got --micro-batch and --accumulate and --memory");
}

TEST(BatchOptionsTest, NoSplitBeyondTheBatch) {
  BatchOptions options;
  options.accumulate = 9;
  EXPECT_NE(resolveError(options, 8), "");
  options.accumulate.reset();
  options.microBatch = 9;
  EXPECT_NE(resolveError(options, 8), "");
  options.microBatch = -1;
  EXPECT_EQ(resolveError(options, 8),
            "expected --micro-batch to be positive, got -1");
  EXPECT_EQ(resolveError({}, 0),
            "expected --batch: the model has none of its own");
}

TEST(BatchOptionsTest, Formats) {
  std::string error;
  auto equal = *cutBatch(512, 128, 0, error);
  EXPECT_EQ(formatSpans(equal), "4 x 128");
  EXPECT_EQ(formatWeights(equal), "1/4");
  auto tail = *cutBatch(413, 128, 0, error);
  EXPECT_EQ(formatSpans(tail), "3 x 128 + 29");
  EXPECT_EQ(formatWeights(tail), "128/413, 29/413");
  auto whole = *cutBatch(7, 0, 0, error);
  EXPECT_EQ(formatSpans(whole), "1 x 7");
  EXPECT_EQ(formatWeights(whole), "1");
  auto uneven = *cutBatch(9, 0, 6, error);
  EXPECT_EQ(formatSpans(uneven), "3 x 2 + 3 x 1");
  EXPECT_EQ(formatWeights(uneven), "2/9, 1/9");
}
