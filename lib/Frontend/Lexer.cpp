//===- Lexer.cpp - Tokens of the model language ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hand-written scanner over the buffer: names, numbers, strings, operators,
// comments from `#` to the end of the line.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/Lexer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace accrue::frontend {

StringRef describe(Token::Kind kind) {
  using Kind = Token::Kind;
  switch (kind) {
  case Kind::EndOfFile:
    return "end of file";
  case Kind::EndOfLine:
    return "end of line";
  case Kind::Identifier:
    return "a name";
  case Kind::Number:
    return "a number";
  case Kind::String:
    return "a string";
  case Kind::LeftParen:
    return "'('";
  case Kind::RightParen:
    return "')'";
  case Kind::LeftBracket:
    return "'['";
  case Kind::RightBracket:
    return "']'";
  case Kind::LeftBrace:
    return "'{'";
  case Kind::RightBrace:
    return "'}'";
  case Kind::Comma:
    return "','";
  case Kind::Colon:
    return "':'";
  case Kind::Dot:
    return "'.'";
  case Kind::Ellipsis:
    return "'...'";
  case Kind::Assign:
    return "'='";
  case Kind::Plus:
    return "'+'";
  case Kind::Minus:
    return "'-'";
  case Kind::Star:
    return "'*'";
  case Kind::StarStar:
    return "'**'";
  case Kind::Slash:
    return "'/'";
  case Kind::SlashSlash:
    return "'//'";
  case Kind::Percent:
    return "'%'";
  case Kind::At:
    return "'@'";
  case Kind::Equal:
    return "'=='";
  case Kind::NotEqual:
    return "'!='";
  case Kind::Less:
    return "'<'";
  case Kind::LessEqual:
    return "'<='";
  case Kind::Greater:
    return "'>'";
  case Kind::GreaterEqual:
    return "'>='";
  case Kind::And:
    return "'and'";
  case Kind::As:
    return "'as'";
  case Kind::Config:
    return "'config'";
  case Kind::Def:
    return "'def'";
  case Kind::Else:
    return "'else'";
  case Kind::False:
    return "'false'";
  case Kind::For:
    return "'for'";
  case Kind::If:
    return "'if'";
  case Kind::In:
    return "'in'";
  case Kind::Loss:
    return "'loss'";
  case Kind::Metric:
    return "'metric'";
  case Kind::Model:
    return "'model'";
  case Kind::Not:
    return "'not'";
  case Kind::Or:
    return "'or'";
  case Kind::Output:
    return "'output'";
  case Kind::Param:
    return "'param'";
  case Kind::Recompute:
    return "'recompute'";
  case Kind::Return:
    return "'return'";
  case Kind::Scope:
    return "'scope'";
  case Kind::Train:
    return "'train'";
  case Kind::True:
    return "'true'";
  }
  llvm_unreachable("unknown token kind");
}

namespace {

/// The state of one scan.
class Scanner {
public:
  Scanner(StringRef buffer, const SourceLocations &locations,
          SmallVectorImpl<Token> &tokens)
      : rest(buffer), locations(locations), tokens(tokens) {}

  bool run();

private:
  /// Appends a token of the first `length` characters and steps over them.
  void take(Token::Kind kind, size_t length);
  void takeWord();
  void takeNumber();
  void takeString();
  void takeSymbol();

  /// Reports the next `length` characters, which are no token.
  void reportWrong(size_t length, const Twine &message);

  llvm::SMRange rangeOf(StringRef text) const {
    return {SMLoc::getFromPointer(text.begin()),
            SMLoc::getFromPointer(text.end())};
  }

  StringRef rest;
  const SourceLocations &locations;
  SmallVectorImpl<Token> &tokens;
  unsigned errors = 0;
};

bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

} // namespace

bool Scanner::run() {
  while (!rest.empty()) {
    char c = rest.front();
    if (c == '\n')
      take(Token::Kind::EndOfLine, 1);
    else if (c == ' ' || c == '\t' || c == '\r')
      rest = rest.drop_front();
    else if (c == '#')
      rest = rest.drop_until([](char c) { return c == '\n'; });
    else if (isNameStart(c))
      takeWord();
    else if (llvm::isDigit(c))
      takeNumber();
    else if (c == '"')
      takeString();
    else
      takeSymbol();
  }
  take(Token::Kind::EndOfFile, 0);
  return errors == 0;
}

void Scanner::take(Token::Kind kind, size_t length) {
  StringRef text = rest.take_front(length);
  tokens.push_back({kind, text, rangeOf(text)});
  rest = rest.drop_front(length);
}

void Scanner::takeWord() {
  using Kind = Token::Kind;
  StringRef word = rest.take_while(isNamePart);
  Kind kind = llvm::StringSwitch<Kind>(word)
                  .Case("and", Kind::And)
                  .Case("as", Kind::As)
                  .Case("config", Kind::Config)
                  .Case("def", Kind::Def)
                  .Case("else", Kind::Else)
                  .Case("false", Kind::False)
                  .Case("for", Kind::For)
                  .Case("if", Kind::If)
                  .Case("in", Kind::In)
                  .Case("loss", Kind::Loss)
                  .Case("metric", Kind::Metric)
                  .Case("model", Kind::Model)
                  .Case("not", Kind::Not)
                  .Case("or", Kind::Or)
                  .Case("output", Kind::Output)
                  .Case("param", Kind::Param)
                  .Case("recompute", Kind::Recompute)
                  .Case("return", Kind::Return)
                  .Case("scope", Kind::Scope)
                  .Case("train", Kind::Train)
                  .Case("true", Kind::True)
                  .Default(Kind::Identifier);
  take(kind, word.size());
}

void Scanner::takeNumber() {
  auto countDigits = [&](size_t from) {
    return rest.drop_front(from).take_while(llvm::isDigit).size();
  };
  size_t length = countDigits(0);
  // A dot belongs to the number only if a digit follows, so that a name such
  // as `layers.0.weight` falls into its parts.
  if (rest.drop_front(length).starts_with("."))
    if (size_t fraction = countDigits(length + 1))
      length += 1 + fraction;
  StringRef exponent = rest.drop_front(length);
  if (exponent.consume_front("e") || exponent.consume_front("E")) {
    size_t sign = exponent.starts_with("+") || exponent.starts_with("-");
    if (size_t digits = countDigits(length + 1 + sign))
      length += 1 + sign + digits;
  }
  StringRef tail = rest.drop_front(length).take_while(isNamePart);
  if (!tail.empty()) {
    length += tail.size();
    reportWrong(length, "'" + rest.take_front(length) + "' is not a number");
  }
  // A token is taken even so: the parser then has nothing more to report.
  take(Token::Kind::Number, length);
}

void Scanner::takeString() {
  StringRef text = rest.drop_front().take_until(
      [](char c) { return c == '"' || c == '\n'; });
  StringRef quoted = rest.take_front(text.size() + 2);
  if (!quoted.ends_with("\"") || quoted.size() == 1) {
    quoted = rest.take_front(text.size() + 1);
    reportWrong(quoted.size(), "expected '\"' before the end of line");
  }
  tokens.push_back({Token::Kind::String, text, rangeOf(quoted)});
  rest = rest.drop_front(quoted.size());
}

void Scanner::takeSymbol() {
  using Kind = Token::Kind;
  // Longer symbols come before their prefixes.
  static constexpr std::pair<StringLiteral, Kind> symbols[] = {
      {"...", Kind::Ellipsis},    {"//", Kind::SlashSlash},
      {"**", Kind::StarStar},     {"==", Kind::Equal},
      {"!=", Kind::NotEqual},     {"<=", Kind::LessEqual},
      {">=", Kind::GreaterEqual}, {"(", Kind::LeftParen},
      {")", Kind::RightParen},    {"[", Kind::LeftBracket},
      {"]", Kind::RightBracket},  {"{", Kind::LeftBrace},
      {"}", Kind::RightBrace},    {",", Kind::Comma},
      {":", Kind::Colon},         {".", Kind::Dot},
      {"=", Kind::Assign},        {"+", Kind::Plus},
      {"-", Kind::Minus},         {"*", Kind::Star},
      {"/", Kind::Slash},         {"@", Kind::At},
      {"%", Kind::Percent},       {"<", Kind::Less},
      {">", Kind::Greater},
  };
  for (auto [text, kind] : symbols)
    if (rest.starts_with(text))
      return take(kind, text.size());

  // Everything up to a character that can begin a token is one complaint, so
  // that a multi-byte character is not reported byte by byte.
  size_t length = 1;
  while (length < rest.size() &&
         static_cast<unsigned char>(rest[length]) >= 0x80)
    ++length;
  bool printable = llvm::all_of(rest.take_front(length), [](char c) {
    return llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80;
  });
  if (printable)
    reportWrong(length,
                "unexpected character '" + rest.take_front(length) + "'");
  else
    reportWrong(length, "unexpected character 0x" +
                            llvm::utohexstr(static_cast<unsigned char>(rest[0]),
                                            /*LowerCase=*/true, /*Width=*/2));
  rest = rest.drop_front(length);
}

void Scanner::reportWrong(size_t length, const Twine &message) {
  if (++errors <= maxErrors)
    locations.emitError(rangeOf(rest.take_front(length)), message);
}

bool tokenize(StringRef buffer, const SourceLocations &locations,
              SmallVectorImpl<Token> &tokens) {
  return Scanner(buffer, locations, tokens).run();
}

} // namespace accrue::frontend
