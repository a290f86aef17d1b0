//===- RobustnessTest.cpp - Broken model files ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever is done to a model file, it is either compiled or reported.
//
//===----------------------------------------------------------------------===//

#include "FrontendTest.h"
#include "accrue/Frontend/Frontend.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;

namespace {

class RobustnessTest : public frontend::FrontendTest {
protected:
  void SetUp() override {
    auto file = llvm::MemoryBuffer::getFile(ACCRUE_EXAMPLES_DIR "/digits.acr");
    ASSERT_TRUE(static_cast<bool>(file));
    digits = (*file)->getBuffer().str();
  }

  /// Compiles `text`, which must give a module or a report, not both.
  void check(StringRef text, const std::string &what) {
    reported.clear();
    llvm::SourceMgr file;
    file.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "test.acr"), llvm::SMLoc());
    bool compiled = static_cast<bool>(parseModelFile(file, &context));
    EXPECT_EQ(compiled, reported.empty()) << what;
  }

  std::string digits;
};

TEST_F(RobustnessTest, everyPrefix) {
  for (size_t length = 0; length <= digits.size(); ++length)
    check(StringRef(digits).take_front(length), std::to_string(length));
}

TEST_F(RobustnessTest, deepCalls) {
  std::string text = "def f0(x) { return x }\n";
  for (int i = 1; i <= 60; ++i)
    text += llvm::formatv("def f{0}(x) {{ return {1}f{2}(x) }\n", i,
                          std::string(190, '-'), i - 1);
  check(text + "model m(x: f32[batch]) { loss mean(f5(x)) }\n", "5 calls");
  EXPECT_TRUE(reported.empty());
  check(text + "model m(x: f32[batch]) { loss mean(f60(x)) }\n", "60 calls");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_NE(reported[0].find("expected at most 1000 levels of expressions"),
            std::string::npos);
}

TEST_F(RobustnessTest, everyWordMissing) {
  for (size_t begin = 0; begin < digits.size(); ++begin) {
    if (!llvm::isAlnum(digits[begin]) ||
        (begin > 0 && llvm::isAlnum(digits[begin - 1])))
      continue;
    StringRef word = StringRef(digits).drop_front(begin).take_while(
        [](char c) { return llvm::isAlnum(c); });
    std::string text = digits;
    text.erase(begin, word.size());
    check(text, "without " + word.str());
  }
}

TEST_F(RobustnessTest, everyCharacterReplaced) {
  for (size_t index = 0; index < digits.size(); ++index) {
    std::string text = digits;
    text[index] = "(){}[],.=+x0\n\""[index % 14];
    check(text, std::to_string(index));
  }
}

} // namespace
