//===- Lexer.h - Tokens of the model language -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits a model file into tokens. A line end is a token: the parser decides
// where it ends a statement and where (inside parentheses) it means nothing, so
// that an unclosed parenthesis cannot swallow the rest of the file.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FRONTEND_LEXER_H
#define ACCRUE_FRONTEND_LEXER_H

#include "accrue/Frontend/SourceLocations.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace accrue::frontend {

/// One word of a model file. It points into the source buffer.
struct Token {
  enum class Kind {
    EndOfFile,
    EndOfLine,
    Identifier,
    Number,
    String,

    // Punctuation.
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Colon,
    Dot,
    Ellipsis,
    Assign,

    // Operators.
    Plus,
    Minus,
    Star,
    StarStar,
    Slash,
    SlashSlash,
    Percent,
    At,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,

    // Keywords.
    And,
    As,
    Config,
    Def,
    Else,
    False,
    For,
    If,
    In,
    Loss,
    Metric,
    Model,
    Not,
    Or,
    Output,
    Param,
    Recompute,
    Return,
    Scope,
    Train,
    True,
  };

  Kind kind;
  /// The text of the token; for a string without its quotes.
  llvm::StringRef spelling;
  llvm::SMRange range;

  bool is(Kind other) const { return kind == other; }
  bool isKeyword() const { return kind >= Kind::And; }
  /// An identifier or a word that is reserved elsewhere.
  bool isWord() const { return is(Kind::Identifier) || isKeyword(); }
};

/// How a kind is written in messages, with quotes where it is literal text:
/// `'('`, `a name`, `end of line`.
llvm::StringRef describe(Token::Kind kind);

/// Splits `buffer` into `tokens`, ending with an end of file. Reports what is
/// no token and goes on; returns false if there was any. A malformed number or
/// string still gives a token; its value means nothing.
bool tokenize(llvm::StringRef buffer, const SourceLocations &locations,
              llvm::SmallVectorImpl<Token> &tokens);

} // namespace accrue::frontend

#endif // ACCRUE_FRONTEND_LEXER_H
