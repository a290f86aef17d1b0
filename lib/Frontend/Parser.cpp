//===- Parser.cpp - Parser of the model language --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations and statements; expressions are in ExprParser.cpp. A function
// that fails has reported why; the nearest statement then skips to where the
// next one begins.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/Parser.h"

#include "ParserBase.h"
#include "accrue/Frontend/Lexer.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace accrue::frontend {

namespace {

/// What may stand in a block.
enum class BlockKind { Function, Model };

class ProgramParser : public ParserBase {
public:
  using ParserBase::ParserBase;

  FailureOr<Program> parse();

private:
  // Declarations.
  const FunctionDecl *parseFunction();
  const ModelDecl *parseModel();
  const TrainDecl *parseTrain();
  const ConfigStmt *parseConfig();
  FailureOr<FormalParameter> parseFormalParameter();
  FailureOr<ModelInput> parseModelInput();
  FailureOr<TypeExpr> parseType();
  FailureOr<OptionDecl> parseOption();
  FailureOr<GroupDecl> parseGroup();

  // Statements.
  FailureOr<StmtList> parseBlock(BlockKind kind, bool nested);
  const Stmt *parseStatement(BlockKind kind, bool nested);
  const Stmt *parseAssign();
  const Stmt *parseFor(BlockKind kind);
  const Stmt *parseIf(BlockKind kind);
  const Stmt *parseLoss();
  const Stmt *parseMetric();
  const Stmt *parseOutput();
  template <typename StmtTy>
  const Stmt *parseDeclaration(StringRef what);
  const Stmt *parseParam();
  const Stmt *parseRecompute(BlockKind kind);
  const Stmt *parseReturn(bool nested);
  const Stmt *parseScope(BlockKind kind);
  const Stmt *parseState();
  const Stmt *parseUpdate();

  /// Calls `parseEntry` for each line of `{ ... }`; it returns false after an
  /// error, and the rest of its line is skipped.
  LogicalResult parseBraces(function_ref<bool()> parseEntry);

  LogicalResult expectEndOfStatement();

  /// Reports a statement that may only stand in a model, and returns false.
  bool checkInModel(BlockKind kind);

  /// Skips the rest of a line that could not be parsed, with the blocks that
  /// begin on it.
  void recover();

  /// The token begins a declaration that cannot stand inside another one.
  static bool beginsDeclaration(const Token &token) {
    return token.is(Token::Kind::Def) || token.is(Token::Kind::Model) ||
           token.is(Token::Kind::Train);
  }

  /// A missing '}' was reported: the blocks around it end as well.
  bool closingReported = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Recovery
//===----------------------------------------------------------------------===//

void ProgramParser::recover() {
  leaveParentheses();
  // Where a list was left open, the error stands on a line of its own already.
  if (atLineStart())
    return;
  for (unsigned braces = 0;; advance()) {
    const Token &token = peek();
    if (token.is(Token::Kind::EndOfFile) ||
        (token.is(Token::Kind::EndOfLine) && braces == 0) ||
        (beginsDeclaration(token) && atLineStart()))
      return;
    if (token.is(Token::Kind::LeftBrace))
      ++braces;
    if (token.is(Token::Kind::RightBrace)) {
      if (braces == 0)
        return;
      --braces;
    }
  }
}

LogicalResult ProgramParser::expectEndOfStatement() {
  const Token &token = peek();
  if (token.is(Token::Kind::EndOfLine) || token.is(Token::Kind::RightBrace) ||
      token.is(Token::Kind::EndOfFile))
    return success();
  emitUnexpected("end of line");
  return failure();
}

LogicalResult ProgramParser::parseBraces(function_ref<bool()> parseEntry) {
  llvm::SMRange open = peek().range;
  NestingScope scope(*this);
  if (failed(expect(Token::Kind::LeftBrace)) || failed(scope.check(open)))
    return failure();
  while (true) {
    skipLines();
    if (consumeIf(Token::Kind::RightBrace))
      return success();
    if (peek().is(Token::Kind::EndOfFile) || beginsDeclaration(peek())) {
      if (!closingReported) {
        emitUnexpected("'}'").attachNote(locations.get(open))
            << "to match this '{'";
        closingReported = true;
      }
      return failure();
    }
    size_t begin = getPosition();
    if (parseEntry() && succeeded(expectEndOfStatement()))
      continue;
    if (getPosition() == begin)
      advance();
    recover();
  }
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

FailureOr<Program> ProgramParser::parse() {
  SmallVector<const ConfigStmt *> configs;
  SmallVector<const FunctionDecl *> functions;
  SmallVector<const ModelDecl *> models;
  SmallVector<const TrainDecl *> trains;
  auto keep = [](auto &list, auto *decl) {
    if (decl)
      list.push_back(decl);
    return decl != nullptr;
  };
  auto parseDecl = [&] {
    switch (peek().kind) {
    case Token::Kind::Config:
      return keep(configs, parseConfig());
    case Token::Kind::Def:
      return keep(functions, parseFunction());
    case Token::Kind::Model:
      return keep(models, parseModel());
    case Token::Kind::Train:
      return keep(trains, parseTrain());
    default:
      emitUnexpected("'def', 'model', 'train' or 'config'");
      if (peek().is(Token::Kind::RightBrace))
        advance();
      return false;
    }
  };
  while (true) {
    skipLines();
    if (peek().is(Token::Kind::EndOfFile))
      break;
    closingReported = false;
    size_t begin = getPosition();
    bool parsed = parseDecl();
    if (parsed && peek().is(Token::Kind::RightBrace)) {
      emitUnexpected("end of line");
      advance();
    }
    if (!parsed || failed(expectEndOfStatement())) {
      if (getPosition() == begin)
        advance();
      recover();
    }
  }
  if (hadError())
    return failure();
  return Program{context.copy<const ConfigStmt *>(configs),
                 context.copy<const FunctionDecl *>(functions),
                 context.copy<const ModelDecl *>(models),
                 context.copy<const TrainDecl *>(trains)};
}

const ConfigStmt *ProgramParser::parseConfig() {
  SMLoc begin = take().range.Start;
  FailureOr<Name> name = expectName("a name");
  if (failed(name) || failed(expect(Token::Kind::Assign)))
    return nullptr;
  const Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return context.create<ConfigStmt>(rangeFrom(begin), *name, value);
}

FailureOr<FormalParameter> ProgramParser::parseFormalParameter() {
  FailureOr<Name> name = expectName("the name of a parameter");
  if (failed(name))
    return failure();
  const Expr *value = nullptr;
  if (consumeIf(Token::Kind::Assign) && !(value = parseExpr()))
    return failure();
  return FormalParameter{*name, value};
}

const FunctionDecl *ProgramParser::parseFunction() {
  take();
  FailureOr<Name> name = expectName("the name of a function");
  if (failed(name))
    return nullptr;
  auto parameters = parseListOf<FormalParameter>(
      Token::Kind::LeftParen, Token::Kind::RightParen,
      [&] { return parseFormalParameter(); });
  if (failed(parameters))
    return nullptr;
  FailureOr<StmtList> body = parseBlock(BlockKind::Function, /*nested=*/false);
  if (failed(body))
    return nullptr;
  return context.create<FunctionDecl>(*name, *parameters, *body);
}

FailureOr<TypeExpr> ProgramParser::parseType() {
  SMLoc begin = peek().range.Start;
  FailureOr<Name> element = expectName("a type such as 'f32[batch, 64]'");
  if (failed(element))
    return failure();
  if (!peek().is(Token::Kind::LeftBracket))
    return TypeExpr{*element, {}, rangeFrom(begin)};
  auto extents = parseListOf<const Expr *>(Token::Kind::LeftBracket,
                                           Token::Kind::RightBracket,
                                           [&] { return parseElement(); });
  if (failed(extents))
    return failure();
  return TypeExpr{*element, *extents, rangeFrom(begin)};
}

FailureOr<ModelInput> ProgramParser::parseModelInput() {
  FailureOr<Name> name = expectName("the name of an input");
  if (failed(name) || failed(expect(Token::Kind::Colon)))
    return failure();
  FailureOr<TypeExpr> type = parseType();
  if (failed(type))
    return failure();
  return ModelInput{*name, *type};
}

const ModelDecl *ProgramParser::parseModel() {
  take();
  FailureOr<Name> name = expectName("the name of a model");
  if (failed(name))
    return nullptr;
  auto inputs =
      parseListOf<ModelInput>(Token::Kind::LeftParen, Token::Kind::RightParen,
                              [&] { return parseModelInput(); });
  if (failed(inputs))
    return nullptr;
  FailureOr<StmtList> body = parseBlock(BlockKind::Model, /*nested=*/false);
  if (failed(body))
    return nullptr;
  return context.create<ModelDecl>(*name, *inputs, *body);
}

FailureOr<OptionDecl> ProgramParser::parseOption() {
  FailureOr<Name> name = expectName("an option such as 'batch = 512'");
  if (failed(name) || failed(expect(Token::Kind::Assign)))
    return failure();
  const Expr *value = parseExpr();
  if (!value)
    return failure();
  return OptionDecl{*name, value};
}

FailureOr<GroupDecl> ProgramParser::parseGroup() {
  bool frozen = take().spelling == "freeze";
  Token pattern = take();
  SmallVector<OptionDecl> options;
  auto parseEntry = [&] {
    FailureOr<OptionDecl> option = parseOption();
    if (succeeded(option))
      options.push_back(*option);
    return succeeded(option);
  };
  if (!frozen && failed(parseBraces(parseEntry)))
    return failure();
  return GroupDecl{Name{pattern.spelling, pattern.range}, frozen,
                   context.copy<OptionDecl>(options)};
}

const TrainDecl *ProgramParser::parseTrain() {
  take();
  FailureOr<Name> model = expectName("the name of a model");
  if (failed(model))
    return nullptr;
  SmallVector<OptionDecl> options;
  SmallVector<GroupDecl> groups;
  auto parseEntry = [&] {
    StringRef word = peek().spelling;
    if (peekNext().is(Token::Kind::String) &&
        (word == "group" || word == "freeze")) {
      FailureOr<GroupDecl> group = parseGroup();
      if (succeeded(group))
        groups.push_back(*group);
      return succeeded(group);
    }
    FailureOr<OptionDecl> option = parseOption();
    if (succeeded(option))
      options.push_back(*option);
    return succeeded(option);
  };
  if (failed(parseBraces(parseEntry)))
    return nullptr;
  return context.create<TrainDecl>(*model, context.copy<OptionDecl>(options),
                                   context.copy<GroupDecl>(groups));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

FailureOr<StmtList> ProgramParser::parseBlock(BlockKind kind, bool nested) {
  SmallVector<const Stmt *> statements;
  auto parseEntry = [&] {
    if (!statements.empty() && isa<ReturnStmt>(statements.back())) {
      emitError(peek().range, "expected nothing after 'return'");
      return false;
    }
    const Stmt *statement = parseStatement(kind, nested);
    if (statement)
      statements.push_back(statement);
    return statement != nullptr;
  };
  if (failed(parseBraces(parseEntry)))
    return failure();
  return context.copy<const Stmt *>(statements);
}

bool ProgramParser::checkInModel(BlockKind kind) {
  if (kind == BlockKind::Model)
    return true;
  emitError(peek().range) << describe(peek().kind)
                          << " belongs in a model, not in a function";
  return false;
}

const Stmt *ProgramParser::parseStatement(BlockKind kind, bool nested) {
  switch (peek().kind) {
  case Token::Kind::Config:
    return checkInModel(kind) ? parseConfig() : nullptr;
  case Token::Kind::For:
    return parseFor(kind);
  case Token::Kind::If:
    return parseIf(kind);
  case Token::Kind::Loss:
    return checkInModel(kind) ? parseLoss() : nullptr;
  case Token::Kind::Metric:
    return checkInModel(kind) ? parseMetric() : nullptr;
  case Token::Kind::Output:
    return checkInModel(kind) ? parseOutput() : nullptr;
  case Token::Kind::Param:
    return parseParam();
  case Token::Kind::Recompute:
    return parseRecompute(kind);
  case Token::Kind::Return:
    if (kind == BlockKind::Function)
      return parseReturn(nested);
    emitError(peek().range, "'return' belongs in a function: a model states "
                            "'loss' and 'metric'");
    return nullptr;
  case Token::Kind::Scope:
    return parseScope(kind);
  case Token::Kind::Identifier:
    // Words only where a name follows: variables may be called so.
    if (peekNext().is(Token::Kind::Identifier)) {
      if (peek().spelling == "state")
        return parseState();
      if (peek().spelling == "update")
        return parseUpdate();
    }
    if (peekNext().is(Token::Kind::LeftParen)) {
      emitError(peek().range)
          << "the value of '" << peek().spelling
          << "' is not used: expected 'name = " << peek().spelling << "(...)'";
      return nullptr;
    }
    return parseAssign();
  default:
    emitUnexpected("a statement");
    return nullptr;
  }
}

const Stmt *ProgramParser::parseAssign() {
  SMLoc begin = peek().range.Start;
  SmallVector<Name> names;
  do {
    FailureOr<Name> name = expectName("a name");
    if (failed(name))
      return nullptr;
    names.push_back(*name);
  } while (consumeIf(Token::Kind::Comma));
  if (failed(expect(Token::Kind::Assign)))
    return nullptr;
  const Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return context.create<AssignStmt>(rangeFrom(begin), context.copy<Name>(names),
                                    value);
}

const Stmt *ProgramParser::parseFor(BlockKind kind) {
  SMLoc begin = take().range.Start;
  FailureOr<Name> variable = expectName("the name of a variable");
  if (failed(variable) || failed(expect(Token::Kind::In)))
    return nullptr;
  const Expr *sequence = parseExpr();
  if (!sequence)
    return nullptr;
  llvm::SMRange header = rangeFrom(begin);
  FailureOr<StmtList> body = parseBlock(kind, /*nested=*/true);
  if (failed(body))
    return nullptr;
  return context.create<ForStmt>(header, *variable, sequence, *body);
}

const Stmt *ProgramParser::parseIf(BlockKind kind) {
  NestingScope scope(*this);
  if (failed(scope.check(peek().range)))
    return nullptr;
  SMLoc begin = take().range.Start;
  const Expr *condition = parseExpr();
  if (!condition)
    return nullptr;
  llvm::SMRange header = rangeFrom(begin);
  FailureOr<StmtList> thenBody = parseBlock(kind, /*nested=*/true);
  if (failed(thenBody))
    return nullptr;
  StmtList elseBody;
  if (consumeIf(Token::Kind::Else)) {
    if (peek().is(Token::Kind::If)) {
      const Stmt *nested = parseIf(kind);
      if (!nested)
        return nullptr;
      elseBody = context.copy<const Stmt *>(nested);
    } else {
      FailureOr<StmtList> block = parseBlock(kind, /*nested=*/true);
      if (failed(block))
        return nullptr;
      elseBody = *block;
    }
  }
  return context.create<IfStmt>(header, condition, *thenBody, elseBody);
}

const Stmt *ProgramParser::parseLoss() {
  SMLoc begin = take().range.Start;
  const Expr *value = parseExpr();
  return value ? context.create<LossStmt>(rangeFrom(begin), value) : nullptr;
}

const Stmt *ProgramParser::parseMetric() {
  SMLoc begin = take().range.Start;
  FailureOr<Name> name = expectName("the name of a metric");
  if (failed(name) || failed(expect(Token::Kind::Assign)))
    return nullptr;
  const Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return context.create<MetricStmt>(rangeFrom(begin), *name, value);
}

const Stmt *ProgramParser::parseOutput() {
  SMLoc begin = take().range.Start;
  FailureOr<Name> name = expectName("the name of an output");
  if (failed(name) || failed(expect(Token::Kind::Assign)))
    return nullptr;
  const Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return context.create<OutputStmt>(rangeFrom(begin), *name, value);
}

template <typename StmtTy>
const Stmt *ProgramParser::parseDeclaration(StringRef what) {
  SMLoc begin = take().range.Start;
  FailureOr<Name> name = expectName(("the name of a " + what).str());
  if (failed(name) || failed(expect(Token::Kind::Colon)))
    return nullptr;
  FailureOr<TypeExpr> type = parseType();
  if (failed(type))
    return nullptr;
  if (!peek().is(Token::Kind::Assign)) {
    emitUnexpected("'=' and an initializer such as 'zeros()'");
    return nullptr;
  }
  advance();
  const Expr *initializer = parseExpr();
  if (!initializer)
    return nullptr;
  return context.create<StmtTy>(rangeFrom(begin), *name, *type, initializer);
}

const Stmt *ProgramParser::parseParam() {
  return parseDeclaration<ParamStmt>("parameter");
}

const Stmt *ProgramParser::parseState() {
  return parseDeclaration<StateStmt>("state");
}

const Stmt *ProgramParser::parseUpdate() {
  SMLoc begin = take().range.Start;
  FailureOr<Name> name = expectName("the name of a state");
  if (failed(name) || failed(expect(Token::Kind::Assign)))
    return nullptr;
  const Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return context.create<UpdateStmt>(rangeFrom(begin), *name, value);
}

const Stmt *ProgramParser::parseRecompute(BlockKind kind) {
  llvm::SMRange range = take().range;
  FailureOr<StmtList> body = parseBlock(kind, /*nested=*/true);
  return succeeded(body) ? context.create<RecomputeStmt>(range, *body)
                         : nullptr;
}

const Stmt *ProgramParser::parseReturn(bool nested) {
  Token keyword = take();
  if (nested) {
    emitError(keyword.range, "expected 'return' only at the end of a function, "
                             "not inside a block");
    return nullptr;
  }
  const Expr *value = parseExpr();
  if (!value)
    return nullptr;
  return context.create<ReturnStmt>(rangeFrom(keyword.range.Start), value);
}

const Stmt *ProgramParser::parseScope(BlockKind kind) {
  SMLoc begin = take().range.Start;
  const NameTemplate *name = parseTemplate();
  if (!name)
    return nullptr;
  llvm::SMRange header = rangeFrom(begin);
  FailureOr<StmtList> body = parseBlock(kind, /*nested=*/true);
  return succeeded(body) ? context.create<ScopeStmt>(header, name, *body)
                         : nullptr;
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

FailureOr<Program> parseProgram(StringRef buffer,
                                const SourceLocations &locations,
                                ASTContext &context) {
  SmallVector<Token> tokens;
  bool lexed = tokenize(buffer, locations, tokens);
  FailureOr<Program> program =
      ProgramParser(tokens, locations, context).parse();
  if (!lexed)
    return failure();
  return program;
}

} // namespace accrue::frontend
