//===- PhiloxTest.cpp - Unit tests of the random generator ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The known answers of the authors' Random123 library (tests/kat_vectors), and
// of FNV-1a.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Philox.h"

#include "gtest/gtest.h"

using namespace accrue::io;

namespace {

TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, WordsUseEveryBitOfTheirArguments) {
  // Computed by a second implementation.
  PhiloxWords words = philoxWords(0x123456789abcdef0, 0xfedcba9876543210, 5);
  EXPECT_EQ(words.first, 0x63baf5d253d97220u);
  EXPECT_EQ(words.second, 0x3a35c5ebf718cd22u);
  EXPECT_NE(philoxWords(1, 2, 3).first,
            philoxWords(1, 2, 3 + (uint64_t(1) << 32)).first);
}

TEST(Philox, HashesNames) {
  EXPECT_EQ(hashName(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hashName("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hashName("foobar"), 0x85944171f73967e8u);
}

} // namespace
