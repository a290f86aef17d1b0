//===- TokenFileTest.cpp - Unit tests of token files ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Headers are recognized, files that are cut are refused, and windows follow
// from seed and batch index.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/TokenFile.h"

#include "TestFiles.h"
#include "runtime/io/DataLoader.h"

#include <numeric>

using namespace accrue::io;

namespace {

/// A header of llm.c.
std::string header(int32_t magic, int32_t version, int32_t tokens) {
  std::vector<int32_t> words(256);
  words[0] = magic;
  words[1] = version;
  words[2] = tokens;
  return bytesOf(words);
}

/// The tokens 0, 1, ... of which each is its place in the file.
template <typename T>
std::string places(int64_t count) {
  std::vector<T> tokens(count);
  std::iota(tokens.begin(), tokens.end(), 0);
  return bytesOf(tokens);
}

class TokenFileTest : public FileTest {
protected:
  /// The first tokens of the samples of a batch, whose windows must be intact.
  std::vector<int64_t> starts(DataLoader &loader, int64_t index, int64_t window,
                              size_t input = 0) {
    Batch batch = loader.batchAt(index);
    std::vector<int32_t> values(batch.size() * window);
    Status status = loader.gather(input, batch, 0, batch.size(), values.data());
    EXPECT_TRUE(status) << status.message();
    std::vector<int64_t> firsts;
    for (int64_t i = 0; i < batch.size(); ++i) {
      firsts.push_back(values[i * window]);
      for (int64_t j = 0; j < window; ++j)
        EXPECT_EQ(values[i * window + j], firsts.back() + j);
    }
    return firsts;
  }
};

TEST(TokenFileName, IsABinWithAType) {
  EXPECT_TRUE(isTokenFile("train.bin"));
  EXPECT_TRUE(isTokenFile("a/train.bin:u32"));
  EXPECT_TRUE(isTokenFile("train.bin:u8"));
  EXPECT_FALSE(isTokenFile("train.npy"));
  EXPECT_FALSE(isTokenFile(".bin"));
  EXPECT_FALSE(isTokenFile("c:bin"));
}

TEST_F(TokenFileTest, WithoutHeader) {
  std::string narrow = put("a.bin", bytesOf<uint16_t>({7, 65535, 3}));
  Result<TokenFile> file = TokenFile::open(narrow);
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(file->dtype(), DType::U16);
  EXPECT_EQ(file->size(), 3);
  EXPECT_EQ(formatElement(file->dtype(), file->data() + 2), "65535");

  std::string wide = put("b.bin", bytesOf<uint32_t>({7, 128255}));
  file = TokenFile::open(wide + ":u32");
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(file->path(), wide);
  EXPECT_EQ(file->dtype(), DType::U32);
  EXPECT_EQ(file->size(), 2);
  EXPECT_EQ(formatElement(file->dtype(), file->data() + 4), "128255");
}

TEST_F(TokenFileTest, WithHeader) {
  std::string narrow =
      put("a.bin", header(20240520, 1, 3) + bytesOf<uint16_t>({7, 8, 50256}));
  for (const char *type : {"", ":u16"}) {
    Result<TokenFile> file = TokenFile::open(narrow + type);
    ASSERT_TRUE(file) << file.message();
    EXPECT_EQ(file->dtype(), DType::U16);
    EXPECT_EQ(file->size(), 3);
    EXPECT_EQ(formatElement(file->dtype(), file->data() + 4), "50256");
  }
  std::string wide =
      put("b.bin", header(20240801, 7, 2) + bytesOf<uint32_t>({7, 128255}));
  Result<TokenFile> file = TokenFile::open(wide);
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(file->dtype(), DType::U32);
  EXPECT_EQ(file->size(), 2);
}

TEST_F(TokenFileTest, RefusesOtherFiles) {
  std::string file = put("a.bin", "abc");
  expectMessage(TokenFile::open(file),
                file + ": expected u16 tokens of 2 bytes each, got 3 bytes");
  file = put("a.bin", "abcdef");
  expectMessage(TokenFile::open(file + ":u32"),
                file + ": expected u32 tokens of 4 bytes each, got 6 bytes");
  expectMessage(TokenFile::open(file + ":i32"),
                file + ": expected 'u16' or 'u32' as the type of tokens, got "
                       "'i32'");
  file = put("a.bin", header(20240520, 2, 0));
  expectMessage(TokenFile::open(file),
                file + ": expected version 1 in the header of a token file, "
                       "got 2");
  file = put("a.bin", header(20240520, 1, 0).substr(0, 100));
  expectMessage(TokenFile::open(file),
                file + ": truncated header of a token file: expected 1024 "
                       "bytes, got 100");
  file = put("a.bin", header(20240520, 1, 4) + places<uint16_t>(3));
  expectMessage(TokenFile::open(file),
                file + ": expected 8 bytes for the 4 u16 tokens of its header, "
                       "got 6");
  file = put("a.bin", header(20240520, 1, -1));
  EXPECT_FALSE(TokenFile::open(file));
  file = put("a.bin", header(20240520, 1, 3) + places<uint16_t>(3));
  expectMessage(TokenFile::open(file + ":u32"),
                file + ": expected u32 tokens, got a file whose header says "
                       "u16");
}

TEST_F(TokenFileTest, EpochsCutAtOtherPlaces) {
  // Computed by a second implementation.
  InputSpec input = {
      "tokens", put("t.bin", places<uint16_t>(23)), DType::I32, {-1, 4}, 0};
  Result<DataLoader> loader =
      DataLoader::open({input}, {/*batch=*/5, true, true, /*seed=*/7});
  ASSERT_TRUE(loader) << loader.message();
  EXPECT_EQ(loader->samples(), 5);
  EXPECT_EQ(loader->sampleBytes(0), 16);
  using Starts = std::vector<int64_t>;
  EXPECT_EQ(starts(*loader, 0, 4), (Starts{2, 6, 14, 18, 10}));
  EXPECT_EQ(starts(*loader, 1, 4), (Starts{19, 11, 3, 7, 15}));
  EXPECT_EQ(starts(*loader, 2, 4), (Starts{5, 9, 13, 1, 17}));
  // Of the index alone.
  EXPECT_EQ(starts(*loader, 1, 4), (Starts{19, 11, 3, 7, 15}));
}

TEST_F(TokenFileTest, EveryPlaceIsWithinTheFile) {
  for (int64_t tokens = 4; tokens < 24; ++tokens) {
    InputSpec input = {"tokens",
                       put("t.bin", places<uint16_t>(tokens)),
                       DType::I32,
                       {-1, 4},
                       0};
    Result<DataLoader> loader =
        DataLoader::open({input}, {/*batch=*/100, true, true, /*seed=*/1});
    ASSERT_TRUE(loader) << loader.message();
    std::vector<bool> shifts(4);
    for (int64_t epoch = 0; epoch < 40; ++epoch)
      for (int64_t start : starts(*loader, epoch, 4)) {
        EXPECT_GE(start, 0);
        EXPECT_LE(start, tokens - 4);
        shifts[start % 4] = true;
      }
    // Each token comes to stand at every place, if there are enough.
    for (int64_t shift = 0; shift < 4; ++shift)
      EXPECT_EQ(shifts[shift], shift <= tokens - 4) << tokens;
  }
}

TEST_F(TokenFileTest, HeldOutWindowsAreInOrder) {
  InputSpec input = {
      "tokens", put("t.bin", places<uint16_t>(11)), DType::I64, {-1, 4}, 0};
  Result<DataLoader> loader =
      DataLoader::open({input}, {/*batch=*/2, true, /*shuffle=*/false, 7});
  ASSERT_TRUE(loader) << loader.message();
  ASSERT_EQ(loader->samples(), 2);
  std::vector<int64_t> values(8), expected(8);
  std::iota(expected.begin(), expected.end(), 0);
  ASSERT_TRUE(loader->gather(0, loader->batchAt(0), 0, 2, values.data()));
  EXPECT_EQ(values, expected);
}

TEST_F(TokenFileTest, SeveralFilesCorrespond) {
  // Token windows beside an array whose row s is the first token of window s.
  InputSpec tokens = {
      "tokens", put("t.bin", places<uint16_t>(23)), DType::I32, {-1, 4}, 0};
  InputSpec first = {
      "first",
      put("f.npy", npyArray<int32_t>("<i4", "(5,)", {0, 4, 8, 12, 16})),
      DType::I32,
      {-1},
      0};
  Result<DataLoader> loader = DataLoader::open({tokens, first}, {5});
  ASSERT_TRUE(loader) << loader.message();
  for (int64_t index : {0, 1, 2})
    EXPECT_EQ(starts(*loader, index, 4), starts(*loader, index, 1, 1));
}

TEST_F(TokenFileTest, AnyBatchDimension) {
  InputSpec input = {
      "tokens", put("t.bin", places<uint16_t>(8)), DType::I32, {2, -1, 2}, 1};
  Result<DataLoader> loader =
      DataLoader::open({input}, {2, true, /*shuffle=*/false, 0});
  ASSERT_TRUE(loader) << loader.message();
  std::vector<int32_t> values(8);
  ASSERT_TRUE(loader->gather(0, loader->batchAt(0), 0, 2, values.data()));
  EXPECT_EQ(values, (std::vector<int32_t>{0, 1, 4, 5, 2, 3, 6, 7}));
}

TEST_F(TokenFileTest, RefusesFilesThatDoNotFit) {
  std::string file = put("t.bin", places<uint16_t>(3));
  expectMessage(
      DataLoader::open({{"tokens", file, DType::I32, {-1, 4}, 0}}, {1}),
      file + ": input 'tokens': expected at least the 4 tokens of one sample, "
             "got 3");
  expectMessage(DataLoader::open({{"x", file, DType::F32, {-1, 2}, 0}}, {1}),
                file + ": input 'x': tokens are read as i32 or i64, got f32");
  file = put("w.bin", bytesOf<uint32_t>({1, 2, uint32_t(3) << 30}));
  Result<DataLoader> loader = DataLoader::open(
      {{"tokens", file + ":u32", DType::I32, {-1, 3}, 0}}, {1});
  ASSERT_TRUE(loader) << loader.message();
  int32_t values[3];
  expectMessage(loader->gather(0, loader->batchAt(0), 0, 1, values),
                file + ": token 2 is 3221225472, which does not fit i32");
}

} // namespace
