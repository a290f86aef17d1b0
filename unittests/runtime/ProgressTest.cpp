//===- ProgressTest.cpp - Unit tests of the progress display --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines that people see, with a clock that the test sets.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Progress.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace accrue::io;

namespace {

/// Collects what a Progress prints, at times that the test chooses.
class ProgressTest : public ::testing::Test {
protected:
  ProgressTest() : stream(std::tmpfile()) {}
  ~ProgressTest() override { std::fclose(stream); }

  ProgressOptions options(bool bar) {
    ProgressOptions result;
    result.total = 400;
    result.stream = stream;
    result.bar = bar;
    result.columns = 100;
    result.clock = [this] { return now; };
    return result;
  }

  std::string output() {
    std::string text(std::ftell(stream), '\0');
    std::rewind(stream);
    text.resize(std::fread(text.data(), 1, text.size(), stream));
    return text;
  }

  std::FILE *stream;
  double now = 1000;
};

TEST_F(ProgressTest, PlainLines) {
  {
    Progress progress(options(/*bar=*/false));
    for (int64_t step = 1; step <= 250; ++step) {
      now = 1000 + step * 0.01;
      progress.update(step, 512, {{"loss", 1.0 / step}, {"|g|", 0.18}});
    }
    progress.finish();
    progress.finish();
  }
  EXPECT_EQ(
      output(),
      "train   100/400 loss 0.01  |g| 0.18   51,200 samples/s   1.0 s\n"
      "train   200/400 loss 0.005  |g| 0.18   51,200 samples/s   2.0 s\n"
      "train   250/400 loss 0.004  |g| 0.18   51,200 samples/s   2.5 s\n");
}

TEST_F(ProgressTest, LastPlainLineIsNotRepeated) {
  Progress progress(options(/*bar=*/false));
  progress.update(100, 0, {});
  progress.finish();
  EXPECT_EQ(output(), "train   100/400   0.0 s\n");
}

TEST_F(ProgressTest, RedrawsInPlaceButNotTooOften) {
  {
    Progress progress(options(/*bar=*/true));
    progress.update(100, 0, {{"loss", NAN}});
    now += 0.05; // too soon
    progress.update(101, 0, {{"loss", 2}});
    now += 0.06;
    progress.update(200, 0, {{"loss", 1}});
    progress.note("saved");
    progress.update(400, 0, {{"loss", 0.5}});
    progress.finish();
  }
  EXPECT_EQ(output(), "\rtrain   100/400 [==        ] loss nan   0.0 s\x1b[K"
                      "\rtrain   200/400 [=====     ] loss 1   0.1 s\x1b[K"
                      "\r\x1b[Ksaved\n"
                      "\rtrain   200/400 [=====     ] loss 1   0.1 s\x1b[K"
                      "\rtrain   400/400 [==========] loss 0.5   0.1 s\x1b[K"
                      "\n");
}

TEST_F(ProgressTest, NeverWraps) {
  {
    ProgressOptions narrow = options(/*bar=*/true);
    narrow.columns = 20;
    Progress progress(narrow);
    progress.update(1, 0, {{"loss", 1}});
  }
  // Ends its line even when the run was abandoned.
  EXPECT_EQ(output(), "\rtrain     1/400 [  \x1b[K\n");
}

TEST_F(ProgressTest, RateCountsOnlyThisRun) {
  ProgressOptions resumed = options(/*bar=*/false);
  resumed.start = 300;
  Progress progress(resumed);
  now += 2;
  progress.update(400, 51200, {});
  EXPECT_EQ(output(), "train   400/400   25,600 samples/s   2.0 s\n");
}

TEST(ProgressText, NumbersAndTimes) {
  EXPECT_EQ(groupDigits(7), "7");
  EXPECT_EQ(groupDigits(1437), "1,437");
  EXPECT_EQ(groupDigits(-123456), "-123,456");
  EXPECT_EQ(groupDigits(1000000), "1,000,000");
  EXPECT_EQ(formatDuration(99.94), "99.9 s");
  EXPECT_EQ(formatDuration(99.96), "1 m 40 s");
  EXPECT_EQ(formatDuration(725), "12 m 05 s");
  EXPECT_EQ(formatDuration(11525), "3 h 12 m");
}

} // namespace
