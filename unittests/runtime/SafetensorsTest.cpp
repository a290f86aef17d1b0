//===- SafetensorsTest.cpp - Unit tests of safetensors files --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written reads back, is the same bytes every time, and every way of
// being malformed has its message.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Safetensors.h"

#include "TestFiles.h"

#include <cstring>

using namespace accrue::io;

namespace {

/// A safetensors file with this header and data.
std::string withHeader(const std::string &header, const std::string &data) {
  uint64_t length = header.size();
  std::string file(reinterpret_cast<const char *>(&length), 8);
  return file + header + data;
}

class SafetensorsTest : public FileTest {
protected:
  void expectRefused(const std::string &bytes, const std::string &message) {
    std::string file = put("x.safetensors", bytes);
    expectMessage(SafetensorsFile::open(file), file + ": " + message);
  }
};

TEST_F(SafetensorsTest, RoundTrips) {
  std::vector<float> weight = {1, 2, 3, 4, 5, 6};
  std::vector<uint16_t> half = {0x3c00, 0x4000, 0x4200};
  int64_t step = 7;
  std::vector<TensorView> tensors = {
      {"fc1.weight", DType::F32, {2, 3}, weight.data()},
      {"half", DType::BF16, {3}, half.data()},
      {"step", DType::I64, {}, &step},
      {"empty", DType::Bool, {0, 4}, nullptr}};
  std::map<std::string, std::string> metadata = {{"step", "7"},
                                                 {"note", "a \"b\"\n"}};
  std::string file = path("x.safetensors");
  ASSERT_TRUE(writeSafetensors(file, tensors, metadata).ok());

  Result<SafetensorsFile> read = SafetensorsFile::open(file);
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->metadata(), metadata);
  ASSERT_EQ(read->tensors().size(), 4u);
  for (const TensorView &expected : tensors) {
    const TensorView *got = read->find(expected.name);
    ASSERT_NE(got, nullptr);
    EXPECT_EQ(got->dtype, expected.dtype);
    EXPECT_EQ(got->shape, expected.shape);
    ASSERT_EQ(got->bytes(), expected.bytes());
    if (expected.bytes()) {
      EXPECT_EQ(std::memcmp(got->data, expected.data, got->bytes()), 0);
    }
  }
  EXPECT_EQ(read->find("fc2.weight"), nullptr);
  EXPECT_EQ(*read->getMetadata("step"), "7");
  expectMessage(read->getMetadata("key"), file + ": expected metadata 'key'");
}

TEST_F(SafetensorsTest, WritesKnownBytes) {
  std::vector<float> values = {1};
  std::string file = path("x.safetensors");
  ASSERT_TRUE(writeSafetensors(file, {{"b", DType::F32, {1}, values.data()}},
                               {{"z", "1"}, {"a", "2"}})
                  .ok());
  std::string header =
      R"({"__metadata__":{"a":"2","z":"1"},)"
      R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  EXPECT_EQ(contents(file), withHeader(header, bytesOf(values)));
}

TEST_F(SafetensorsTest, ChecksTypeAndShape) {
  std::vector<float> values = {1, 2};
  std::string file = path("x.safetensors");
  ASSERT_TRUE(
      writeSafetensors(file, {{"w", DType::F32, {2}, values.data()}}, {}).ok());
  Result<SafetensorsFile> read = SafetensorsFile::open(file);
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->get("w", DType::F32, {2}).ok());
  expectMessage(read->get("w", DType::F32, {2, 1}),
                file + ": tensor 'w': expected [2, 1] of f32, got [2] of f32");
  expectMessage(read->get("w", DType::F16, {2}),
                file + ": tensor 'w': expected [2] of f16, got [2] of f32");
  expectMessage(read->get("v", DType::F32, {2}),
                file + ": expected a tensor 'v'");
}

TEST_F(SafetensorsTest, RefusesForeignFiles) {
  expectRefused("", "expected a safetensors file, got 0 bytes");
  std::string other = "expected a safetensors file, got other contents";
  expectRefused("PK\x03\x04 a pickled checkpoint of PyTorch", other);
  expectRefused(withHeader("[1, 2, 3]", ""), other);
  expectRefused(withHeader("{\"a\":", ""), "malformed safetensors header");
  expectRefused(withHeader("{" + std::string(99, ' '), "").substr(0, 58),
                "truncated: expected a header of 100 bytes, got 50");
  expectRefused(withHeader("{\"a\":1}", ""),
                "tensor 'a': expected dtype, shape and data_offsets");
  expectRefused(withHeader("{\"__metadata__\":{\"a\":1}}", ""),
                "metadata 'a': expected a string");
}

std::string entry(const std::string &name, const std::string &type,
                  const std::string &shape, const std::string &offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":[" + shape +
         "],\"data_offsets\":[" + offsets + "]}";
}

TEST_F(SafetensorsTest, RefusesBadEntries) {
  auto file = [](const std::string &entries, const std::string &data) {
    return withHeader("{" + entries + "}", data);
  };
  expectRefused(file(entry("a", "F8_E4M3", "4", "0,4"), "1234"),
                "tensor 'a': unsupported dtype \"F8_E4M3\"");
  expectRefused(file(entry("a", "F32", "-1", "0,4"), "1234"),
                "tensor 'a': expected a shape of non-negative integers");
  expectRefused(file(entry("a", "F32", "1", "4,0"), "1234"),
                "tensor 'a': expected data_offsets [begin, end]");
  expectRefused(file(entry("a", "F32", "1", "0,1e3"), "1234"),
                "tensor 'a': expected data_offsets [begin, end]");
  expectRefused(file(entry("a", "F32", "2", "0,4"), "1234"),
                "tensor 'a': expected 8 bytes for [2] of f32, got 4");
  expectRefused(file(entry("a", "F32", "4611686018427387904,4", "0,4"), "1234"),
                "tensor 'a': shape [4611686018427387904, 4] is too large");
  std::string a = entry("a", "F32", "1", "0,4");
  expectRefused(file(a + "," + a, "1234"), "'a' is in the header twice");
  expectRefused(file(a + "," + entry("b", "F32", "1", "2,6"), "123456"),
                "tensor 'b' overlaps 'a'");
  expectRefused(file(a + "," + entry("b", "F32", "1", "6,10"), "1234567890"),
                "2 bytes before tensor 'b' belong to no tensor");
  expectRefused(file(a, "12345"), "expected 4 bytes of data, got 5");
  expectRefused(file(a, "123"),
                "truncated: tensor 'a' ends at byte 4 of the data, got 3");
}

TEST_F(SafetensorsTest, AnyTruncationIsRefused) {
  std::vector<float> values = {1, 2};
  std::string file = path("x.safetensors");
  ASSERT_TRUE(
      writeSafetensors(file, {{"w", DType::F32, {2}, values.data()}}, {}).ok());
  std::string whole = contents(file);
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(SafetensorsFile::open(put("y", whole.substr(0, length))).ok());
}

TEST_F(SafetensorsTest, FullDiskKeepsTheOldFile) {
  std::vector<float> values(1000, 1.0f);
  std::string file = path("x.safetensors");
  std::vector<TensorView> small = {{"w", DType::F32, {2}, values.data()}};
  std::vector<TensorView> large = {{"w", DType::F32, {1000}, values.data()}};
  ASSERT_TRUE(writeSafetensors(file, small, {}).ok());
  std::string before = contents(file);
  {
    FileSizeLimit limit(1000);
    expectMessage(writeSafetensors(file, large, {}),
                  file + ": cannot write: File too large");
  }
  EXPECT_EQ(contents(file), before);
  EXPECT_EQ(listing(), std::vector<std::string>{"x.safetensors"});
}

TEST_F(SafetensorsTest, RefusesToWriteNamesTwice) {
  float one = 1;
  std::vector<TensorView> twice = {{"w", DType::F32, {1}, &one},
                                   {"w", DType::F32, {1}, &one}};
  std::string file = path("x.safetensors");
  expectMessage(writeSafetensors(file, twice, {}),
                file + ": cannot write: two tensors are called 'w'");
  EXPECT_TRUE(listing().empty());
}

} // namespace
