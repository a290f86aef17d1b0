//===- JsonlTest.cpp - Unit tests of the training log ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines have fixed bytes, are written whole, and are cut exactly at the batch
// to resume after.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Jsonl.h"

#include "TestFiles.h"

#include <limits>

using namespace accrue::io;

namespace {

class JsonlTest : public FileTest {};

TEST_F(JsonlTest, FixedBytes) {
  JsonLine line;
  line.add("batch", 3)
      .add("loss", 0.1f)
      .add("norm", 0.1)
      .add("skipped", false)
      .add("large", 1e300)
      .add("infinite", std::numeric_limits<double>::infinity())
      .add("note", "a \"b\"\n")
      .add("eval", JsonLine().add("accuracy", 0.975));
  EXPECT_EQ(line.text(),
            R"({"batch": 3, "loss": 0.1, "norm": 0.1, "skipped": false, )"
            R"("large": 1e+300, "infinite": null, "note": "a \"b\"\n", )"
            R"("eval": {"accuracy": 0.975}})");
}

TEST_F(JsonlTest, AppendsAcrossRuns) {
  for (int batch : {0, 1}) {
    Result<JsonlWriter> log = JsonlWriter::open(path("log"));
    ASSERT_TRUE(log.ok());
    ASSERT_TRUE(log->write(JsonLine().add("batch", batch)).ok());
    ASSERT_TRUE(log->sync().ok());
    // Visible at once, not when the file is closed.
    EXPECT_EQ(contents(path("log")),
              batch ? "{\"batch\": 0}\n{\"batch\": 1}\n" : "{\"batch\": 0}\n");
  }
}

TEST_F(JsonlTest, FullDiskKeepsWholeLines) {
  Result<JsonlWriter> log = JsonlWriter::open(path("log"));
  ASSERT_TRUE(log.ok());
  FileSizeLimit limit(30);
  ASSERT_TRUE(log->write(JsonLine().add("batch", 0)).ok());
  ASSERT_TRUE(log->write(JsonLine().add("batch", 1)).ok());
  expectMessage(log->write(JsonLine().add("batch", 2)),
                path("log") + ": cannot write: No space left on device");
  EXPECT_EQ(contents(path("log")), "{\"batch\": 0}\n{\"batch\": 1}\n");
}

TEST_F(JsonlTest, CutsPastTheBatch) {
  std::string head = "{\"batch\": 0}\n{\"batch\": 1, \"loss\": 0.5}\n";
  std::string log = put("log", head + "{\"batch\": 2}\n{\"batch\": 3}\n");
  ASSERT_TRUE(truncateAfter(log, 1).ok());
  EXPECT_EQ(contents(log), head);
  ASSERT_TRUE(truncateAfter(log, 7).ok());
  EXPECT_EQ(contents(log), head);
  ASSERT_TRUE(truncateAfter(log, -1).ok());
  EXPECT_EQ(contents(log), "");
}

TEST_F(JsonlTest, CutsATornLine) {
  std::string log = put("log", "{\"batch\": 0}\n{\"batch\": 1, \"lo");
  ASSERT_TRUE(truncateAfter(log, 5).ok());
  EXPECT_EQ(contents(log), "{\"batch\": 0}\n");
  put("log", "{\"ba");
  ASSERT_TRUE(truncateAfter(log, 5).ok());
  EXPECT_EQ(contents(log), "");
}

TEST_F(JsonlTest, MissingAndForeignLogs) {
  EXPECT_TRUE(truncateAfter(path("none"), 5).ok());
  EXPECT_TRUE(listing().empty());
  std::string log = put("log", "{\"batch\": 0}\nhello\n");
  expectMessage(truncateAfter(log, 0),
                log + ":2: expected a log line with an integer 'batch'");
  EXPECT_EQ(contents(log), "{\"batch\": 0}\nhello\n");
}

} // namespace
