//===- ByteSizeTest.cpp - Sizes as people write them ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/ByteSize.h"
#include "gtest/gtest.h"

using namespace accrue;

static int64_t parse(llvm::StringRef text) {
  std::string error;
  llvm::FailureOr<int64_t> bytes = parseByteSize(text, error);
  EXPECT_TRUE(succeeded(bytes)) << error;
  return succeeded(bytes) ? *bytes : -1;
}

static std::string parseError(llvm::StringRef text) {
  std::string error;
  EXPECT_TRUE(failed(parseByteSize(text, error))) << text.str();
  return error;
}

TEST(ByteSizeTest, UnitsAreExact) {
  EXPECT_EQ(parse("0"), 0);
  EXPECT_EQ(parse("4096"), 4096);
  EXPECT_EQ(parse("4096B"), 4096);
  EXPECT_EQ(parse("1KiB"), 1024);
  EXPECT_EQ(parse("8GiB"), int64_t(8) << 30);
  EXPECT_EQ(parse("8 GiB"), int64_t(8) << 30);
  EXPECT_EQ(parse("8GB"), 8000000000);
  EXPECT_EQ(parse("3MB"), 3000000);
  EXPECT_EQ(parse("3MiB"), 3145728);
  EXPECT_EQ(parse("5kB"), 5000);
  EXPECT_EQ(parse("1TiB"), int64_t(1) << 40);
}

TEST(ByteSizeTest, FractionsAreWholeBytes) {
  EXPECT_EQ(parse("1.5GiB"), 1610612736);
  EXPECT_EQ(parse("0.1GB"), 100000000);
  EXPECT_EQ(parse("1_000_000"), 1000000);
  EXPECT_EQ(parseError("0.1B"), "the size '0.1B' is no whole number of bytes");
  EXPECT_EQ(parseError("0.1GiB"),
            "the size '0.1GiB' is no whole number of bytes");
}

TEST(ByteSizeTest, RefusesWhatCouldBeEither) {
  EXPECT_EQ(parseError("8G"),
            "unknown unit 'G': GiB is a power of 1024, GB a power of 1000");
  EXPECT_EQ(parseError("8g"),
            "unknown unit 'g': GiB is a power of 1024, GB a power of 1000");
  EXPECT_EQ(parseError("8KB"),
            "unknown unit 'KB': KiB is a power of 1024, kB a power of 1000");
  EXPECT_EQ(parseError("8gib"),
            "unknown unit 'gib': GiB is a power of 1024, GB a power of 1000");
  EXPECT_EQ(parseError("8Gbit"), "unknown unit 'Gbit' in the size '8Gbit'");
}

TEST(ByteSizeTest, RefusesWhatIsNoSize) {
  EXPECT_EQ(parseError(""), "expected a size such as 8GiB, got ''");
  EXPECT_EQ(parseError("GiB"), "expected a size such as 8GiB, got 'GiB'");
  EXPECT_EQ(parseError("-1"), "expected a size such as 8GiB, got '-1'");
  EXPECT_EQ(parseError("1.2.3"), "expected a size such as 8GiB, got '1.2.3'");
  EXPECT_EQ(parseError("99999999999GiB"),
            "the size '99999999999GiB' is too large");
}

TEST(ByteSizeTest, Formats) {
  EXPECT_EQ(formatByteSize(512), "512 B");
  EXPECT_EQ(formatByteSize(33280), "33,280 B (32.5 KiB)");
  EXPECT_EQ(formatByteSize(int64_t(8) << 30), "8,589,934,592 B (8.0 GiB)");
}
