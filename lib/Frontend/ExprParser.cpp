//===- ExprParser.cpp - Parser of expressions -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The token cursor, and expressions by precedence climbing. From loose to
// tight: `or`, `and`, `not`, comparisons, `+ -`, `* / // % @`, unary `-`, `**`
// (to the right), calls and members.
//
//===----------------------------------------------------------------------===//

#include "ParserBase.h"

#include "llvm/ADT/SmallVector.h"
#include <cmath>

using namespace mlir;

namespace accrue::frontend {

//===----------------------------------------------------------------------===//
// Cursor
//===----------------------------------------------------------------------===//

llvm::SMRange ParserBase::rangeFrom(SMLoc begin) const {
  size_t last = position;
  while (last > 0 &&
         (last == position || tokens[last].is(Token::Kind::EndOfLine)))
    --last;
  return {begin, tokens[last].range.End};
}

InFlightDiagnostic ParserBase::emitError(llvm::SMRange range,
                                         const Twine &message) {
  InFlightDiagnostic diag = locations.emitError(range, message);
  if (++errors < maxErrors)
    return diag;
  // What looks this wrong is not worth reading on.
  if (errors > maxErrors)
    diag.abandon();
  position = tokens.size() - 1;
  return diag;
}

InFlightDiagnostic ParserBase::emitUnexpected(StringRef expected) {
  const Token &token = peek();
  InFlightDiagnostic diag = emitError(token.range);
  diag << "expected " << expected << ", got ";
  if (token.is(Token::Kind::Identifier) || token.is(Token::Kind::Number))
    diag << "'" << token.spelling << "'";
  else if (token.isKeyword())
    diag << "the keyword '" << token.spelling << "'";
  else
    diag << describe(token.kind);
  return diag;
}

LogicalResult ParserBase::expect(Token::Kind kind) {
  if (consumeIf(kind))
    return success();
  emitUnexpected(describe(kind));
  return failure();
}

FailureOr<Name> ParserBase::expectName(StringRef what) {
  if (!peek().is(Token::Kind::Identifier)) {
    emitUnexpected(what);
    return failure();
  }
  Token token = take();
  return Name{token.spelling, token.range};
}

LogicalResult ParserBase::parseList(Token::Kind open, Token::Kind close,
                                    function_ref<LogicalResult()> parseElement,
                                    bool *trailingComma) {
  Token opening = peek();
  if (failed(expect(open)))
    return failure();
  ++parentheses;
  bool comma = false;
  while (!peek().is(close)) {
    if (failed(parseElement()))
      return failure();
    comma = consumeIf(Token::Kind::Comma);
    if (!comma && !peek().is(close)) {
      std::string expected = ("',' or " + describe(close)).str();
      emitUnexpected(expected).attachNote(locations.get(opening.range))
          << "to match this " << describe(open);
      return failure();
    }
  }
  if (trailingComma)
    *trailingComma = comma;
  // The level is left before the closing token is, because what follows it may
  // be the end of a statement.
  --parentheses;
  advance();
  return success();
}

LogicalResult ParserBase::checkNesting(llvm::SMRange range, unsigned depth) {
  if (depth <= maxNesting)
    return success();
  emitError(range) << "expected at most " << maxNesting
                   << " levels of nesting here";
  return failure();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

namespace {

struct OperatorInfo {
  BinaryOperator op;
  unsigned precedence;
};

constexpr unsigned loosestPrecedence = 1;
constexpr unsigned comparisonPrecedence = 3;

std::optional<OperatorInfo> getOperator(Token::Kind kind) {
  switch (kind) {
  case Token::Kind::Or:
    return OperatorInfo{BinaryOperator::Or, loosestPrecedence};
  case Token::Kind::And:
    return OperatorInfo{BinaryOperator::And, 2};
  case Token::Kind::Equal:
    return OperatorInfo{BinaryOperator::Equal, comparisonPrecedence};
  case Token::Kind::NotEqual:
    return OperatorInfo{BinaryOperator::NotEqual, comparisonPrecedence};
  case Token::Kind::Less:
    return OperatorInfo{BinaryOperator::Less, comparisonPrecedence};
  case Token::Kind::LessEqual:
    return OperatorInfo{BinaryOperator::LessEqual, comparisonPrecedence};
  case Token::Kind::Greater:
    return OperatorInfo{BinaryOperator::Greater, comparisonPrecedence};
  case Token::Kind::GreaterEqual:
    return OperatorInfo{BinaryOperator::GreaterEqual, comparisonPrecedence};
  case Token::Kind::Plus:
    return OperatorInfo{BinaryOperator::Add, 4};
  case Token::Kind::Minus:
    return OperatorInfo{BinaryOperator::Subtract, 4};
  case Token::Kind::Star:
    return OperatorInfo{BinaryOperator::Multiply, 5};
  case Token::Kind::Slash:
    return OperatorInfo{BinaryOperator::Divide, 5};
  case Token::Kind::SlashSlash:
    return OperatorInfo{BinaryOperator::FloorDivide, 5};
  case Token::Kind::Percent:
    return OperatorInfo{BinaryOperator::Modulo, 5};
  case Token::Kind::At:
    return OperatorInfo{BinaryOperator::MatMul, 5};
  default:
    return std::nullopt;
  }
}

} // namespace

const Expr *ParserBase::parseExpr() {
  NestingScope scope(*this);
  if (failed(scope.check(peek().range)))
    return nullptr;
  return parseBinary(loosestPrecedence);
}

const Expr *ParserBase::parseBinary(unsigned minPrecedence) {
  const Expr *lhs =
      minPrecedence <= comparisonPrecedence && peek().is(Token::Kind::Not)
          ? parseNot()
          : parseUnary();
  while (lhs) {
    std::optional<OperatorInfo> info = getOperator(peek().kind);
    if (!info || info->precedence < minPrecedence)
      return lhs;
    llvm::SMRange opRange = take().range;
    // An operator cannot end a statement, so its operand may be on a new line.
    skipLines();
    const Expr *rhs = parseBinary(info->precedence + 1);
    if (!rhs)
      return nullptr;
    lhs = context.create<BinaryExpr>(info->op, opRange, lhs, rhs);
    if (failed(checkNesting(lhs->range, lhs->height)))
      return nullptr;
    std::optional<OperatorInfo> next = getOperator(peek().kind);
    if (isComparison(info->op) && next && isComparison(next->op)) {
      emitError(peek().range, "expected parentheses: comparisons do not chain");
      return nullptr;
    }
  }
  return nullptr;
}

const Expr *ParserBase::parseNot() {
  NestingScope scope(*this);
  if (failed(scope.check(peek().range)))
    return nullptr;
  SMLoc begin = take().range.Start;
  const Expr *operand = parseBinary(comparisonPrecedence);
  if (!operand)
    return nullptr;
  return context.create<UnaryExpr>(
      UnaryOperator::Not, llvm::SMRange(begin, operand->outerRange.End),
      operand);
}

const Expr *ParserBase::parseUnary() {
  NestingScope scope(*this);
  if (failed(scope.check(peek().range)))
    return nullptr;
  if (!peek().is(Token::Kind::Minus))
    return parsePower();
  SMLoc begin = take().range.Start;
  const Expr *operand = parseUnary();
  if (!operand)
    return nullptr;
  return context.create<UnaryExpr>(
      UnaryOperator::Negate, llvm::SMRange(begin, operand->outerRange.End),
      operand);
}

const Expr *ParserBase::parsePower() {
  const Expr *base = parsePostfix();
  if (!base || !peek().is(Token::Kind::StarStar))
    return base;
  llvm::SMRange opRange = take().range;
  skipLines();
  const Expr *exponent = parseUnary();
  if (!exponent)
    return nullptr;
  return context.create<BinaryExpr>(BinaryOperator::Power, opRange, base,
                                    exponent);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

const Expr *ParserBase::parsePostfix() {
  const Expr *expr = parsePrimary();
  while (expr) {
    if (failed(checkNesting(expr->range, expr->height)))
      return nullptr;
    if (consumeIf(Token::Kind::Dot)) {
      FailureOr<Name> member = expectName("a member such as 'T' or 'shape'");
      if (failed(member))
        return nullptr;
      expr = context.create<MemberExpr>(expr, *member);
    } else if (peek().is(Token::Kind::LeftBracket)) {
      expr = parseIndex(expr);
    } else if (peek().is(Token::Kind::As)) {
      llvm::SMRange keyword = take().range;
      // The tree is immutable once built, apart from this suffix.
      auto *call = const_cast<CallExpr *>(dyn_cast<CallExpr>(expr));
      if (!call || call->scope) {
        emitError(keyword, "expected a call before 'as'");
        return nullptr;
      }
      if (!(call->scope = parseTemplate()))
        return nullptr;
    } else {
      return expr;
    }
  }
  return nullptr;
}

FailureOr<Subscript> ParserBase::parseSubscript() {
  SMLoc begin = peek().range.Start;
  if (consumeIf(Token::Kind::Ellipsis))
    return Subscript{Subscript::Kind::Ellipsis, rangeFrom(begin)};
  Subscript result{Subscript::Kind::Position, {}};
  const Expr **parts[] = {&result.start, &result.stop, &result.step};
  for (const Expr **part : parts) {
    bool missing = peek().is(Token::Kind::Colon) ||
                   (result.kind == Subscript::Kind::Range &&
                    (peek().is(Token::Kind::Comma) ||
                     peek().is(Token::Kind::RightBracket)));
    if (!missing && !(*part = parseExpr()))
      return failure();
    if (part == parts[2] || !consumeIf(Token::Kind::Colon))
      break;
    result.kind = Subscript::Kind::Range;
  }
  result.range = rangeFrom(begin);
  return result;
}

const Expr *ParserBase::parseIndex(const Expr *base) {
  unsigned height = base->height;
  auto parseOne = [&]() -> FailureOr<Subscript> {
    FailureOr<Subscript> subscript = parseSubscript();
    if (succeeded(subscript))
      for (const Expr *part :
           {subscript->start, subscript->stop, subscript->step})
        if (part)
          height = std::max(height, part->height);
    return subscript;
  };
  auto subscripts = parseListOf<Subscript>(Token::Kind::LeftBracket,
                                           Token::Kind::RightBracket, parseOne);
  if (failed(subscripts))
    return nullptr;
  llvm::SMRange range = rangeFrom(base->outerRange.Start);
  if (subscripts->empty()) {
    emitError(range, "expected an index between '[' and ']'");
    return nullptr;
  }
  return context.create<IndexExpr>(range, base, *subscripts, height + 1);
}

const Expr *ParserBase::parsePrimary() {
  switch (peek().kind) {
  case Token::Kind::Number:
    return parseNumber();
  case Token::Kind::String: {
    Token token = take();
    return context.create<StringExpr>(token.range, token.spelling);
  }
  case Token::Kind::True:
  case Token::Kind::False: {
    Token token = take();
    return context.create<BooleanExpr>(token.range,
                                       token.is(Token::Kind::True));
  }
  case Token::Kind::Identifier: {
    Token token = take();
    if (peek().is(Token::Kind::LeftParen))
      return parseCall(token);
    return context.create<NameExpr>(token.range, token.spelling);
  }
  case Token::Kind::LeftParen:
    return parseParentheses();
  case Token::Kind::LeftBracket:
    return parseBrackets();
  default:
    emitUnexpected("an expression");
    return nullptr;
  }
}

const Expr *ParserBase::parseNumber() {
  Token token = take();
  // What is malformed was reported by the lexer and counts as 0.
  double value = 0;
  if (!token.spelling.getAsDouble(value) && std::isinf(value)) {
    emitError(token.range) << "'" << token.spelling
                           << "' is too large for a number";
    return nullptr;
  }
  return context.create<NumberExpr>(token.range, value);
}

FailureOr<const Expr *> ParserBase::parseElement() {
  if (const Expr *element = parseExpr())
    return element;
  return failure();
}

/// The height of a list of `elements`.
static unsigned getHeight(ArrayRef<const Expr *> elements) {
  unsigned height = 0;
  for (const Expr *element : elements)
    height = std::max(height, element->height);
  return height + 1;
}

const Expr *ParserBase::parseParentheses() {
  SMLoc begin = peek().range.Start;
  bool trailingComma = false;
  FailureOr<ArrayRef<const Expr *>> elements = parseListOf<const Expr *>(
      Token::Kind::LeftParen, Token::Kind::RightParen,
      [&] { return parseElement(); }, &trailingComma);
  if (failed(elements))
    return nullptr;
  llvm::SMRange range = rangeFrom(begin);
  if (trailingComma || elements->size() != 1)
    return context.create<ListExpr>(range, *elements, getHeight(*elements));
  // The expression keeps its own range: a caret then points at what it does.
  const_cast<Expr *>(elements->front())->outerRange = range;
  return elements->front();
}

const Expr *ParserBase::parseBrackets() {
  SMLoc begin = peek().range.Start;
  FailureOr<ArrayRef<const Expr *>> elements = parseListOf<const Expr *>(
      Token::Kind::LeftBracket, Token::Kind::RightBracket,
      [&] { return parseElement(); });
  if (failed(elements))
    return nullptr;
  return context.create<ListExpr>(rangeFrom(begin), *elements,
                                  getHeight(*elements));
}

const Expr *ParserBase::parseCall(Token callee) {
  SmallVector<Argument> arguments;
  unsigned height = 0;
  auto parseArgument = [&]() -> LogicalResult {
    Name keyword;
    if (peek().is(Token::Kind::Identifier) &&
        peekNext().is(Token::Kind::Assign)) {
      Token name = take();
      keyword = {name.spelling, name.range};
      advance();
    } else if (!arguments.empty() && !arguments.back().keyword.text.empty()) {
      emitError(peek().range,
                "expected no positional argument after a keyword argument");
      return failure();
    }
    const Expr *value = parseExpr();
    if (!value)
      return failure();
    arguments.push_back({keyword, value});
    height = std::max(height, value->height);
    return success();
  };
  if (failed(parseList(Token::Kind::LeftParen, Token::Kind::RightParen,
                       parseArgument)))
    return nullptr;
  return context.create<CallExpr>(
      rangeFrom(callee.range.Start), Name{callee.spelling, callee.range},
      context.copy<Argument>(arguments), height + 1);
}

const NameTemplate *ParserBase::parseTemplate() {
  SMLoc begin = peek().range.Start;
  SMLoc end = begin;
  SmallVector<TemplatePart> parts;
  // The parts of a name touch each other: a brace after a space begins a block.
  while (peek().range.Start == end) {
    const Token &token = peek();
    if (token.isWord() || token.is(Token::Kind::Number) ||
        (token.is(Token::Kind::Dot) && !parts.empty())) {
      parts.push_back({take().spelling});
    } else if (token.is(Token::Kind::LeftBrace)) {
      llvm::SMRange opening = take().range;
      const Expr *value = parseExpr();
      if (!value)
        return nullptr;
      if (!peek().is(Token::Kind::RightBrace)) {
        emitUnexpected("'}'").attachNote(locations.get(opening))
            << "to match this '{'";
        return nullptr;
      }
      advance();
      parts.push_back({StringRef(), value});
    } else {
      break;
    }
    end = rangeFrom(begin).End;
  }
  if (parts.empty() || parts.back().text == ".") {
    emitUnexpected("a name such as 'fc1' or 'h.{i}'");
    return nullptr;
  }
  return context.create<NameTemplate>(context.copy<TemplatePart>(parts),
                                      llvm::SMRange(begin, end));
}

} // namespace accrue::frontend
