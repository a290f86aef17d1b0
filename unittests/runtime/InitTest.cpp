//===- InitTest.cpp - Unit tests of parameter initialization --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are those of a second implementation, have the moments that they
// should, and depend on nothing but seed, name and index.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Init.h"

#include "gtest/gtest.h"

#include <cmath>
#include <vector>

using namespace accrue::io;

namespace {

std::vector<double> draw(const Initializer &initializer, uint64_t seed,
                         std::string_view name, int64_t count,
                         int64_t first = 0) {
  std::vector<double> values(count);
  initialize(initializer, seed, name, values.data(), count, first);
  return values;
}

// The literals come from this code; an independent program with the C
// library's functions agrees to 1e-15. Equality is meant: weights must be the
// same bits on every machine.
TEST(Init, ExactValues) {
  EXPECT_EQ(draw(Initializer::normal(1, 2), 42, "fc1.weight", 6),
            (std::vector<double>{0x1.4bd0f042ff576p+0, 0x1.ed2ceec9ca1dcp+0,
                                 0x1.d93a43591f014p-3, -0x1.c109c91b7118cp-2,
                                 0x1.59709d3ce38d6p+2, -0x1.a99469386c328p-3}));
  EXPECT_EQ(draw(Initializer::uniform(0.5), 42, "fc1.weight", 4),
            (std::vector<double>{-0x1.8dcaa79e54a4p-2, -0x1.326c823c4747ap-2,
                                 -0x1.bc92c5fe8d278p-3, 0x1.5ffea3d0deaf8p-3}));
  EXPECT_EQ(draw(Initializer::constant(3), 42, "fc1.weight", 2),
            (std::vector<double>{3, 3}));
}

TEST(Init, AnyRangeGivesTheSameElements) {
  Initializer normal = Initializer::normal(0, 1);
  std::vector<double> whole = draw(normal, 1, "w", 10);
  for (int64_t first = 0; first <= 10; ++first)
    for (int64_t end = first; end <= 10; ++end)
      EXPECT_EQ(
          draw(normal, 1, "w", end - first, first),
          std::vector<double>(whole.begin() + first, whole.begin() + end));
}

TEST(Init, SeedAndNameMatter) {
  Initializer uniform = Initializer::uniform(1);
  EXPECT_NE(draw(uniform, 1, "w", 4), draw(uniform, 2, "w", 4));
  EXPECT_NE(draw(uniform, 1, "w", 4), draw(uniform, 1, "v", 4));
}

TEST(Init, SinglePrecisionIsTheRoundedDouble) {
  Initializer normal = Initializer::normal(0, 0.02);
  std::vector<double> wide = draw(normal, 1, "w", 9);
  std::vector<float> values(9);
  initialize(normal, 1, "w", values.data(), 9);
  for (int i = 0; i < 9; ++i)
    EXPECT_EQ(values[i], static_cast<float>(wide[i]));
}

TEST(Init, Moments) {
  constexpr int64_t count = 200000;
  // Within five standard errors of each estimate.
  double sum = 0, squares = 0, fourth = 0;
  for (double x : draw(Initializer::normal(0, 1), 3, "w", count)) {
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / count, 0, 5 * std::sqrt(1.0 / count));
  EXPECT_NEAR(squares / count, 1, 5 * std::sqrt(2.0 / count));
  EXPECT_NEAR(fourth / count, 3, 5 * std::sqrt(96.0 / count));

  sum = squares = 0;
  double largest = 0;
  for (double x : draw(Initializer::uniform(2), 3, "w", count)) {
    sum += x;
    squares += x * x;
    largest = std::max(largest, std::fabs(x));
  }
  EXPECT_NEAR(sum / count, 0, 5 * std::sqrt(4.0 / 3 / count));
  EXPECT_NEAR(squares / count, 4.0 / 3, 5 * std::sqrt(64.0 / 45 / count));
  EXPECT_LE(largest, 2);
  EXPECT_GT(largest, 1.999);
}

} // namespace
