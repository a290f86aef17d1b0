//===- TestFiles.h - Scratch files for the runtime tests --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A directory per test that disappears with it, and the few lines that write
// byte-exact input files into it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_UNITTESTS_RUNTIME_TESTFILES_H
#define ACCRUE_UNITTESTS_RUNTIME_TESTFILES_H

#include "gtest/gtest.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

namespace accrue::io {

/// A test with a directory of its own.
class FileTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "accrue-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  std::string path(std::string_view name) const {
    return directory + "/" + std::string(name);
  }

  /// Writes `bytes` to the file `name` and returns its path.
  std::string put(std::string_view name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  static std::string contents(const std::string &path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// The names in the directory, sorted.
  std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string directory;
};

/// The bytes of `values`, little endian as in memory.
template <typename T>
std::string bytesOf(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

/// A .npy file of version `major` with this header and data.
inline std::string npyFile(const std::string &header, const std::string &data,
                           int major = 1) {
  std::string padded = header;
  size_t prefix = major == 1 ? 10 : 12;
  padded.append(63 - (prefix + header.size()) % 64, ' ');
  padded += '\n';
  std::string file = std::string("\x93NUMPY") + char(major) + '\0';
  uint32_t length = padded.size();
  file.append(reinterpret_cast<const char *>(&length), major == 1 ? 2 : 4);
  return file + padded + data;
}

/// A version 1 file of `values` with the given numpy type and shape.
template <typename T>
std::string npyArray(const std::string &descr, const std::string &shape,
                     const std::vector<T> &values) {
  return npyFile("{'descr': '" + descr +
                     "', 'fortran_order': False, 'shape': " + shape + ", }",
                 bytesOf(values));
}

/// While it lives, files of this process cannot grow past `bytes`: writing
/// more fails as on a full disk.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) {
    handler = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &saved);
    rlimit limited = {bytes, saved.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &saved);
    std::signal(SIGXFSZ, handler);
  }

private:
  rlimit saved = {};
  void (*handler)(int) = nullptr;
};

/// Expects a failed status or result with exactly this message.
template <typename T>
void expectMessage(const T &result, const std::string &message) {
  ASSERT_FALSE(result.ok()) << "expected: " << message;
  EXPECT_EQ(result.message(), message);
}

} // namespace accrue::io

#endif // ACCRUE_UNITTESTS_RUNTIME_TESTFILES_H
