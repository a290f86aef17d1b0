//===- AtomicFileTest.cpp - Unit tests of atomic writes -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A write either replaces the file whole or leaves it as it was, and nothing
// else stays in the directory.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/AtomicFile.h"

#include "TestFiles.h"

#include <sys/stat.h>
#include <unistd.h>

using namespace accrue::io;

namespace {

class AtomicFileTest : public FileTest {};

using Names = std::vector<std::string>;

TEST_F(AtomicFileTest, Replaces) {
  std::string file = put("a", "old");
  ASSERT_TRUE(writeFileAtomically(file, "new").ok());
  EXPECT_EQ(contents(file), "new");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(AtomicFileTest, UntouchedUntilCommit) {
  std::string file = put("a", "old");
  {
    Result<AtomicFile> writer = AtomicFile::create(file);
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer->write("new").ok());
    EXPECT_EQ(contents(file), "old");
  }
  EXPECT_EQ(contents(file), "old");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(AtomicFileTest, FullDiskKeepsTheOldFile) {
  std::string file = put("a", "old");
  FileSizeLimit limit(1000);
  Status status = writeFileAtomically(file, std::string(5000, 'x'));
  expectMessage(status, file + ": cannot write: File too large");
  EXPECT_EQ(contents(file), "old");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(AtomicFileTest, MissingDirectory) {
  Status status = writeFileAtomically(path("none/a"), "x");
  expectMessage(status,
                path("none/a") + ": cannot write: No such file or directory");
}

TEST_F(AtomicFileTest, NeverReplacesADirectoryOrDevice) {
  expectMessage(writeFileAtomically(directory, "x"),
                directory + ": cannot write: expected a regular file, got a "
                            "directory");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expectMessage(writeFileAtomically(path("pipe"), "x"),
                path("pipe") + ": cannot write: expected a regular file, got "
                               "a special file");
}

TEST_F(AtomicFileTest, FollowsSymbolicLinks) {
  std::string file = put("a", "old");
  ASSERT_EQ(::symlink("a", path("link").c_str()), 0);
  ASSERT_TRUE(writeFileAtomically(path("link"), "new").ok());
  EXPECT_EQ(contents(file), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
}

TEST_F(AtomicFileTest, KeepsPermissions) {
  std::string file = put("a", "old");
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  ASSERT_TRUE(writeFileAtomically(file, "new").ok());
  struct stat status;
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(AtomicFileTest, ReusesWhatAKillLeftBehind) {
  put(".a.accrue-partial", std::string(100, 'x'));
  ASSERT_TRUE(writeFileAtomically(path("a"), "new").ok());
  EXPECT_EQ(contents(path("a")), "new");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(AtomicFileTest, RefusesASecondWriter) {
  Result<AtomicFile> first = AtomicFile::create(path("a"));
  ASSERT_TRUE(first.ok());
  expectMessage(AtomicFile::create(path("a")),
                path("a") + ": cannot write: another process is writing it");
  ASSERT_TRUE(first->write("one").ok());
  ASSERT_TRUE(first->commit().ok());
  EXPECT_EQ(contents(path("a")), "one");
}

} // namespace
