//===- ParserBase.h - Token cursor and expression parser --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cursor over the tokens, with what every part of the parser needs, and
// the parser of expressions.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FRONTEND_PARSERBASE_H
#define ACCRUE_LIB_FRONTEND_PARSERBASE_H

#include "accrue/Frontend/AST.h"
#include "accrue/Frontend/Lexer.h"

namespace accrue::frontend {

class ParserBase {
public:
  ParserBase(llvm::ArrayRef<Token> tokens, const SourceLocations &locations,
             ASTContext &context)
      : locations(locations), context(context), tokens(tokens) {}

  bool hadError() const { return errors != 0; }

protected:
  /// Expressions and blocks that nest deeper are refused, so that neither the
  /// parser nor a walk of the tree can run out of stack.
  static constexpr unsigned maxNesting = 200;

  /// Counts a level of nesting while it lives.
  class NestingScope {
  public:
    explicit NestingScope(ParserBase &parser) : parser(parser) {
      ++parser.nesting;
    }
    ~NestingScope() { --parser.nesting; }

    /// Reports at `range` that the nesting is too deep.
    mlir::LogicalResult check(llvm::SMRange range) {
      return parser.checkNesting(range, parser.nesting);
    }

  private:
    ParserBase &parser;
  };

  //===--------------------------------------------------------------------===//
  // Cursor
  //===--------------------------------------------------------------------===//

  /// The next token. Line ends inside parentheses do not exist.
  const Token &peek() {
    while (parentheses != 0 && tokens[position].is(Token::Kind::EndOfLine))
      ++position;
    return tokens[position];
  }

  /// The token after the next one.
  const Token &peekNext() {
    return peek().is(Token::Kind::EndOfFile) ? peek() : tokens[position + 1];
  }

  /// Steps over the next token, unless the file ends there.
  void advance() {
    if (!peek().is(Token::Kind::EndOfFile))
      ++position;
  }

  Token take() {
    Token token = peek();
    advance();
    return token;
  }

  bool consumeIf(Token::Kind kind) {
    if (!peek().is(kind))
      return false;
    advance();
    return true;
  }

  void skipLines() {
    while (peek().is(Token::Kind::EndOfLine))
      advance();
  }

  size_t getPosition() const { return position; }

  /// No token stands between the last line end and the cursor.
  bool atLineStart() const {
    return position == 0 || tokens[position - 1].is(Token::Kind::EndOfLine);
  }

  /// Makes line ends count again after an error inside parentheses.
  void leaveParentheses() { parentheses = 0; }

  /// From `begin` to the end of the last token that was taken.
  llvm::SMRange rangeFrom(llvm::SMLoc begin) const;

  mlir::LogicalResult expect(Token::Kind kind);
  mlir::FailureOr<Name> expectName(llvm::StringRef what);

  /// Parses `open [element {, element} [,]] close`.
  mlir::LogicalResult
  parseList(Token::Kind open, Token::Kind close,
            llvm::function_ref<mlir::LogicalResult()> parseElement,
            bool *trailingComma = nullptr);

  /// The same for elements that go into the tree.
  template <typename T>
  mlir::FailureOr<llvm::ArrayRef<T>>
  parseListOf(Token::Kind open, Token::Kind close,
              llvm::function_ref<mlir::FailureOr<T>()> parseElement,
              bool *trailingComma = nullptr) {
    llvm::SmallVector<T> elements;
    auto parseOne = [&]() -> mlir::LogicalResult {
      mlir::FailureOr<T> element = parseElement();
      if (succeeded(element))
        elements.push_back(*element);
      return element;
    };
    if (failed(parseList(open, close, parseOne, trailingComma)))
      return mlir::failure();
    return context.copy<T>(elements);
  }

  mlir::InFlightDiagnostic emitError(llvm::SMRange range,
                                     const llvm::Twine &message = {});
  /// "expected X, got Y" at the next token.
  mlir::InFlightDiagnostic emitUnexpected(llvm::StringRef expected);

  mlir::LogicalResult checkNesting(llvm::SMRange range, unsigned depth);

  //===--------------------------------------------------------------------===//
  // Expressions: null after an error
  //===--------------------------------------------------------------------===//

  const Expr *parseExpr();
  const NameTemplate *parseTemplate();

  const SourceLocations &locations;
  ASTContext &context;

  /// An expression that is an element of a list.
  mlir::FailureOr<const Expr *> parseElement();

private:
  const Expr *parseBinary(unsigned minPrecedence);
  const Expr *parseNot();
  const Expr *parseUnary();
  const Expr *parsePower();
  const Expr *parsePostfix();
  const Expr *parsePrimary();
  const Expr *parseNumber();
  const Expr *parseParentheses();
  const Expr *parseBrackets();
  const Expr *parseCall(Token callee);
  const Expr *parseIndex(const Expr *base);
  mlir::FailureOr<Subscript> parseSubscript();

  llvm::ArrayRef<Token> tokens;
  size_t position = 0;
  /// Parentheses and brackets that are open at the cursor.
  unsigned parentheses = 0;
  unsigned nesting = 0;
  unsigned errors = 0;
};

} // namespace accrue::frontend

#endif // ACCRUE_LIB_FRONTEND_PARSERBASE_H
