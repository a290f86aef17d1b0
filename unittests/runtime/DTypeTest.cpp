//===- DTypeTest.cpp - Unit tests of element conversions ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element types convert, to what values, and where a value is refused.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/DType.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace accrue::io;

namespace {

template <typename From, typename To>
int64_t convertOne(DType from, DType to, From value, To &result) {
  return findConversion(from, to)(&value, &result, 1);
}

TEST(DType, NamesRoundTrip) {
  for (int i = 0; i <= static_cast<int>(DType::F64); ++i) {
    DType parsed;
    ASSERT_TRUE(parseDType(dtypeName(static_cast<DType>(i)), parsed));
    EXPECT_EQ(static_cast<int>(parsed), i);
  }
  DType parsed;
  EXPECT_FALSE(parseDType("f12", parsed));
}

TEST(DType, RealNeverBecomesInteger) {
  EXPECT_EQ(findConversion(DType::F64, DType::I32), nullptr);
  EXPECT_EQ(findConversion(DType::F16, DType::Bool), nullptr);
}

TEST(DType, IntegersMustFit) {
  int32_t narrow;
  EXPECT_EQ(convertOne(DType::I64, DType::I32, int64_t(-7), narrow), -1);
  EXPECT_EQ(narrow, -7);
  EXPECT_EQ(convertOne(DType::I64, DType::I32, int64_t(1) << 31, narrow), 0);
  uint64_t large = ~uint64_t(0);
  int64_t wide;
  EXPECT_EQ(convertOne(DType::U64, DType::I64, large, wide), 0);
  uint8_t flag;
  EXPECT_EQ(convertOne(DType::I32, DType::Bool, int32_t(2), flag), 0);
  EXPECT_EQ(convertOne(DType::I32, DType::Bool, int32_t(1), flag), -1);
}

TEST(DType, IntegersBecomeRealsExactly) {
  float real;
  EXPECT_EQ(convertOne(DType::U8, DType::F32, uint8_t(255), real), -1);
  EXPECT_EQ(real, 255.0f);
  EXPECT_EQ(convertOne(DType::I32, DType::F32, int32_t(1 << 24), real), -1);
  EXPECT_EQ(convertOne(DType::I32, DType::F32, (int32_t(1) << 24) + 1, real),
            0);
  double wide;
  int64_t largest = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(convertOne(DType::I64, DType::F64, largest, wide), 0);
  int64_t smallest = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(convertOne(DType::I64, DType::F64, smallest, wide), -1);
}

TEST(DType, RealsRoundButStayFinite) {
  float real;
  EXPECT_EQ(convertOne(DType::F64, DType::F32, 0.1, real), -1);
  EXPECT_EQ(real, 0.1f);
  EXPECT_EQ(convertOne(DType::F64, DType::F32, 1e300, real), 0);
  double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(convertOne(DType::F64, DType::F32, infinity, real), -1);
  EXPECT_TRUE(std::isinf(real));
}

TEST(DType, ReportsTheFirstBadElement) {
  int64_t values[] = {1, 2, int64_t(1) << 40, int64_t(1) << 41};
  int32_t results[4];
  EXPECT_EQ(findConversion(DType::I64, DType::I32)(values, results, 4), 2);
}

TEST(DType, HalfRoundsToNearestEven) {
  struct Case {
    double value;
    uint16_t bits;
  };
  for (Case c : {Case{0.0, 0x0000},
                 {-0.0, 0x8000},
                 {1.0, 0x3c00},
                 {65504.0, 0x7bff},
                 {std::ldexp(1, -24), 0x0001},
                 {std::ldexp(1, -25), 0x0000}, // tie to even zero
                 {std::ldexp(3, -25), 0x0002}, // tie to even two
                 {1.0 + std::ldexp(1, -11), 0x3c00},
                 {1.0 + std::ldexp(3, -11), 0x3c02},
                 {std::ldexp(2047, -25), 0x0400}}) { // carries to normal
    uint16_t bits;
    EXPECT_EQ(convertOne(DType::F64, DType::F16, c.value, bits), -1);
    EXPECT_EQ(bits, c.bits) << c.value;
  }
  uint16_t bits;
  for (double tooLarge : {65520.0, 65536.0, 1e6, 1e300})
    EXPECT_EQ(convertOne(DType::F64, DType::F16, tooLarge, bits), 0);
  EXPECT_EQ(convertOne(DType::F32, DType::BF16, 3.14159265f, bits), -1);
  EXPECT_EQ(bits, 0x4049);
}

TEST(DType, SixteenBitFloatsRoundTrip) {
  for (DType small : {DType::F16, DType::BF16}) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      auto stored = static_cast<uint16_t>(bits);
      double wide;
      ASSERT_EQ(convertOne(small, DType::F64, stored, wide), -1);
      if (std::isnan(wide))
        continue;
      uint16_t back;
      ASSERT_EQ(convertOne(DType::F64, small, wide, back), -1);
      ASSERT_EQ(back, stored);
    }
  }
}

TEST(DType, FormatsShapes) {
  EXPECT_EQ(formatShape({}), "[]");
  EXPECT_EQ(formatShape({-1, 64}), "[?, 64]");
  EXPECT_EQ(elementCount({3, 0, 5}), 0);
  EXPECT_EQ(elementCount({int64_t(1) << 40, int64_t(1) << 40}), -1);
}

} // namespace
