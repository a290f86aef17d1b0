//===- NpyTest.cpp - Unit tests of .npy files -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files as numpy writes them are read in place; everything else is refused with
// a message that says what it was.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Npy.h"

#include "TestFiles.h"

#include <cstring>

using namespace accrue::io;

namespace {

class NpyTest : public FileTest {
protected:
  /// Expects that a file with these bytes is refused, saying `message`.
  void expectRefused(const std::string &bytes, const std::string &message) {
    std::string file = put("x.npy", bytes);
    expectMessage(NpyFile::open(file), file + ": " + message);
  }
};

const std::vector<float> six = {1, 2, 3, 4, 5, 6};

TEST_F(NpyTest, ReadsInPlace) {
  for (int major : {1, 2, 3}) {
    std::string header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }";
    Result<NpyFile> file =
        NpyFile::open(put("x.npy", npyFile(header, bytesOf(six), major)));
    ASSERT_TRUE(file.ok()) << file.message();
    EXPECT_EQ(file->dtype(), DType::F32);
    EXPECT_EQ(file->shape(), (std::vector<int64_t>{3, 2}));
    EXPECT_EQ(std::memcmp(file->data(), six.data(), 24), 0);
  }
}

TEST_F(NpyTest, ReadsOtherSpellings) {
  // Another key order, double quotes, no padding, Python 2 extents.
  std::string header = R"({"shape":(6L,),"fortran_order":True,"descr":"<f4"})";
  Result<NpyFile> vector =
      NpyFile::open(put("x.npy", npyFile(header, bytesOf(six))));
  ASSERT_TRUE(vector.ok()) << vector.message();
  EXPECT_EQ(vector->shape(), std::vector<int64_t>{6});
  Result<NpyFile> scalar =
      NpyFile::open(put("y.npy", npyArray<int64_t>("<i8", "()", {42})));
  ASSERT_TRUE(scalar.ok()) << scalar.message();
  EXPECT_TRUE(scalar->shape().empty());
}

TEST_F(NpyTest, ConvertsRows) {
  Result<NpyFile> bytes = NpyFile::open(
      put("x.npy", npyArray<uint8_t>("|u1", "(3, 2)", {1, 2, 3, 4, 5, 255})));
  ASSERT_TRUE(bytes.ok()) << bytes.message();
  float rows[4];
  ASSERT_TRUE(bytes->readRows(1, 2, DType::F32, rows).ok());
  EXPECT_EQ(std::vector<float>(rows, rows + 4),
            (std::vector<float>{3, 4, 5, 255}));
  expectMessage(bytes->readRows(2, 2, DType::F32, rows),
                bytes->path() + ": expected rows within [0, 3), got [2, 4)");
}

TEST_F(NpyTest, RefusesValuesThatDoNotFit) {
  Result<NpyFile> file = NpyFile::open(
      put("x.npy", npyArray<int64_t>("<i8", "(2, 2)", {1, 2, 3, 5000000000})));
  ASSERT_TRUE(file.ok()) << file.message();
  int32_t rows[4];
  EXPECT_TRUE(file->readRows(0, 1, DType::I32, rows).ok());
  expectMessage(file->readRows(1, 1, DType::I32, rows),
                file->path() + ": value 5000000000 at [1, 1] does not fit i32");
}

TEST_F(NpyTest, RefusesRealLabels) {
  Result<NpyFile> file =
      NpyFile::open(put("x.npy", npyArray<double>("<f8", "(2,)", {1, 2})));
  ASSERT_TRUE(file.ok()) << file.message();
  int32_t rows[2];
  expectMessage(file->readRows(0, 2, DType::I32, rows),
                file->path() +
                    ": expected i32 or a type that converts to it, got f64");
}

TEST_F(NpyTest, RefusesForeignFiles) {
  std::string foreign = "expected a .npy file, got other contents";
  expectRefused("", foreign);
  expectRefused("PK\x03\x04 a zip archive", foreign);
  expectRefused(npyFile("{}", "", 4),
                "expected .npy format version 1 to 3, got 4.0");
  expectRefused(npyFile("{'descr': '<f4'}", ""), "malformed .npy header");
  expectRefused(npyFile("{'descr': '<f4', 'descr': '<f4', 'fortran_order': "
                        "False, 'shape': (1,)}",
                        "1234"),
                "malformed .npy header");
  expectRefused(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': "
                        "(99999999999999999999,)}",
                        ""),
                "malformed .npy header");
}

TEST_F(NpyTest, RefusesLayoutsThatCannotBeMapped) {
  expectRefused(npyFile("{'descr': '<f4', 'fortran_order': True, 'shape': "
                        "(3, 2), }",
                        bytesOf(six)),
                "expected C order, got Fortran order (save it with "
                "numpy.ascontiguousarray)");
  expectRefused(npyArray(">f4", "(3, 2)", six),
                "expected little-endian numbers, got big-endian '>f4'");
  expectRefused(npyArray("|O", "(3, 2)", six),
                "expected an array of numbers, got numpy type '|O'");
  expectRefused(npyArray("<U4", "(3, 2)", six),
                "expected an array of numbers, got numpy type '<U4'");
  expectRefused(npyFile("{'descr': [('a', '<f4'), ('b', '<i4')], "
                        "'fortran_order': False, 'shape': (1,), }",
                        "12345678"),
                "expected an array of numbers, got a structured array");
}

TEST_F(NpyTest, RefusesWrongLengths) {
  std::string whole = npyArray("<f4", "(3, 2)", six);
  expectRefused(whole.substr(0, whole.size() - 1),
                "expected 24 bytes of data for [3, 2] of f32, got 23");
  expectRefused(whole + "x",
                "expected 24 bytes of data for [3, 2] of f32, got 25");
  expectRefused(whole.substr(0, 9), "truncated .npy header");
  expectRefused(whole.substr(0, 100),
                "truncated .npy header: expected 128 bytes, got 100");
  expectRefused(npyArray("<f4", "(4611686018427387904, 2)", six),
                "shape [4611686018427387904, 2] is too large");
  expectRefused(npyArray("<f4", "(4611686018427387910,)", six),
                "shape [4611686018427387910] is too large");
}

TEST_F(NpyTest, AnyTruncationIsRefused) {
  std::string whole = npyArray("<f4", "(3, 2)", six);
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(NpyFile::open(put("x.npy", whole.substr(0, length))).ok());
}

TEST_F(NpyTest, RefusesWhatIsNoFile) {
  expectMessage(NpyFile::open(directory),
                directory + ": expected a regular file");
  expectMessage(NpyFile::open(path("none.npy")),
                path("none.npy") +
                    ": cannot open for reading: No such file or directory");
}

} // namespace
