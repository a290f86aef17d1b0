//===- SuggestionsTest.cpp - What an unknown word was meant to be ---------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/Suggestions.h"
#include "gtest/gtest.h"

using namespace accrue;

static const llvm::StringRef kOptions[] = {"accumulate", "batch", "micro-batch",
                                           "steps"};

TEST(SuggestionsTest, TranslatesForeignNames) {
  EXPECT_EQ(suggestOption("gradient_accumulation_steps", kOptions),
            "did you mean '--accumulate'?");
  EXPECT_EQ(suggestOption("Batch-Size", kOptions), "did you mean '--batch'?");
  EXPECT_EQ(suggestOption("lr", kOptions),
            "the learning rate is 'optimizer' in the model file's train block");
  // Only options that the command has are suggested.
  EXPECT_EQ(suggestOption("memory-limit", kOptions), "");
}

TEST(SuggestionsTest, FindsSlips) {
  EXPECT_EQ(suggestOption("acumulate", kOptions),
            "did you mean '--accumulate'?");
  EXPECT_EQ(suggestOption("microbatch", kOptions),
            "did you mean '--micro-batch'?");
  EXPECT_EQ(suggestOption("xyzzy", kOptions), "");
  EXPECT_EQ(suggestWord("stepp", {"step", "nn"}), "step");
  EXPECT_EQ(suggestWord("qqqq", {"step", "nn"}), "");
}
