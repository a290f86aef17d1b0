//===- LexerTest.cpp - Tests of the tokens --------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each case is a text and the kinds and spellings it falls into.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/Lexer.h"
#include "FrontendTest.h"

using namespace mlir;
using namespace accrue::frontend;

namespace {

class LexerTest : public FrontendTest {
protected:
  /// The spellings of the tokens of `text` up to the end of the file.
  std::vector<std::string> lex(StringRef text) {
    tokens.clear();
    succeeded = tokenize(setText(text), locations, tokens);
    std::vector<std::string> spellings;
    for (const Token &token : llvm::drop_end(tokens))
      spellings.push_back(token.spelling.str());
    return spellings;
  }

  SmallVector<Token> tokens;
  bool succeeded = false;
};

using Words = std::vector<std::string>;

TEST_F(LexerTest, wordsAndKeywords) {
  EXPECT_EQ(lex("def f_1 model_ model"),
            (Words{"def", "f_1", "model_", "model"}));
  EXPECT_TRUE(tokens[0].is(Token::Kind::Def));
  EXPECT_TRUE(tokens[1].is(Token::Kind::Identifier));
  EXPECT_TRUE(tokens[2].is(Token::Kind::Identifier));
  EXPECT_TRUE(tokens[3].is(Token::Kind::Model));
  EXPECT_TRUE(tokens[4].is(Token::Kind::EndOfFile));
  EXPECT_TRUE(succeeded);
}

TEST_F(LexerTest, numbers) {
  EXPECT_EQ(lex("0 12 0.5 1e-3 2.5E+10 3e2"),
            (Words{"0", "12", "0.5", "1e-3", "2.5E+10", "3e2"}));
  for (const Token &token : llvm::drop_end(tokens))
    EXPECT_TRUE(token.is(Token::Kind::Number));
}

TEST_F(LexerTest, dotsOfNamesAreNoFractions) {
  EXPECT_EQ(lex("h.{i}.x layers.0.weight"),
            (Words{"h", ".", "{", "i", "}", ".", "x", "layers", ".", "0", ".",
                   "weight"}));
}

TEST_F(LexerTest, longestOperatorWins) {
  EXPECT_EQ(lex("a**b*c<=d<e==f=g!=h"),
            (Words{"a", "**", "b", "*", "c", "<=", "d", "<", "e", "==", "f",
                   "=", "g", "!=", "h"}));
}

TEST_F(LexerTest, commentsAndLines) {
  EXPECT_EQ(lex("a # b \" c\nd"), (Words{"a", "\n", "d"}));
  EXPECT_TRUE(tokens[1].is(Token::Kind::EndOfLine));
}

TEST_F(LexerTest, strings) {
  EXPECT_EQ(lex("\"*.bias\" x"), (Words{"*.bias", "x"}));
  EXPECT_TRUE(tokens[0].is(Token::Kind::String));
}

TEST_F(LexerTest, reportsAndGoesOn) {
  EXPECT_EQ(lex("a $ b\n\"open\nc 12ab é \x01 1.5x"),
            (Words{"a", "b", "\n", "open", "\n", "c", "12ab", "1.5x"}));
  EXPECT_FALSE(succeeded);
  EXPECT_EQ(reported,
            (Reports{"1:3: error: unexpected character '$'",
                     "2:1: error: expected '\"' before the end of line",
                     "3:3: error: '12ab' is not a number",
                     "3:8: error: unexpected character 'é'",
                     "3:11: error: unexpected character 0x01",
                     "3:13: error: '1.5x' is not a number"}));
}

TEST_F(LexerTest, givesUpAfterManyErrors) {
  lex(std::string(1000, '$'));
  EXPECT_EQ(reported.size(), maxErrors);
}

TEST_F(LexerTest, rangesCoverTheText) {
  lex("ab\n  cde");
  auto place = cast<FileLineColRange>(locations.get(tokens[2].range));
  EXPECT_EQ(place.getFilename().getValue(), "test.acr");
  EXPECT_EQ(place.getStartLine(), 2u);
  EXPECT_EQ(place.getStartColumn(), 3u);
  EXPECT_EQ(place.getEndLine(), 2u);
  EXPECT_EQ(place.getEndColumn(), 6u);
}

TEST(FindNearest, suggestsSlipsOnly) {
  EXPECT_EQ(findNearest("widht", {"width", "depth"}), "width");
  EXPECT_EQ(findNearest("learning_rat", {"lr", "learning_rate"}),
            "learning_rate");
  EXPECT_EQ(findNearest("foo", {"width", "depth"}), "");
}

} // namespace
