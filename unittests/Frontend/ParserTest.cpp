//===- ParserTest.cpp - Tests of the parser -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trees are compared as text with every operator in parentheses; errors by
// where they are reported and what they say.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/Parser.h"
#include "FrontendTest.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue::frontend;

namespace {

/// Prints expressions with their structure visible.
void print(raw_ostream &os, const Expr *expr);

void print(raw_ostream &os, ArrayRef<const Expr *> list) {
  llvm::interleaveComma(list, os, [&](const Expr *e) { print(os, e); });
}

void print(raw_ostream &os, const Subscript &subscript) {
  if (subscript.kind == Subscript::Kind::Ellipsis)
    os << "...";
  if (subscript.start)
    print(os, subscript.start);
  if (subscript.kind != Subscript::Kind::Range)
    return;
  os << ':';
  if (subscript.stop)
    print(os, subscript.stop);
  if (subscript.step) {
    os << ':';
    print(os, subscript.step);
  }
}

void print(raw_ostream &os, const NameTemplate &name) {
  for (const TemplatePart &part : name.parts) {
    os << part.text;
    if (part.value) {
      os << '{';
      print(os, part.value);
      os << '}';
    }
  }
}

void print(raw_ostream &os, const Expr *expr) {
  static constexpr StringLiteral operators[] = {
      "+",   "-",  "*",  "/",  "//", "%",  "**", "@",
      "and", "or", "==", "!=", "<",  "<=", ">",  ">="};
  switch (expr->kind) {
  case Expr::Kind::Number:
    os << llvm::format("%g", cast<NumberExpr>(expr)->value);
    return;
  case Expr::Kind::Boolean:
    os << (cast<BooleanExpr>(expr)->value ? "true" : "false");
    return;
  case Expr::Kind::String:
    os << '"' << cast<StringExpr>(expr)->value << '"';
    return;
  case Expr::Kind::Name:
    os << cast<NameExpr>(expr)->name;
    return;
  case Expr::Kind::Unary:
    os << (cast<UnaryExpr>(expr)->op == UnaryOperator::Not ? "(not " : "(-");
    print(os, cast<UnaryExpr>(expr)->operand);
    os << ')';
    return;
  case Expr::Kind::Binary: {
    auto *binary = cast<BinaryExpr>(expr);
    os << '(';
    print(os, binary->lhs);
    os << ' ' << operators[static_cast<int>(binary->op)] << ' ';
    print(os, binary->rhs);
    os << ')';
    return;
  }
  case Expr::Kind::Call: {
    auto *call = cast<CallExpr>(expr);
    os << call->callee.text << '(';
    llvm::interleaveComma(call->arguments, os, [&](const Argument &argument) {
      if (!argument.keyword.text.empty())
        os << argument.keyword.text << '=';
      print(os, argument.value);
    });
    os << ')';
    if (call->scope) {
      os << " as ";
      print(os, *call->scope);
    }
    return;
  }
  case Expr::Kind::Member:
    print(os, cast<MemberExpr>(expr)->base);
    os << '.' << cast<MemberExpr>(expr)->member.text;
    return;
  case Expr::Kind::Index:
    print(os, cast<IndexExpr>(expr)->base);
    os << '[';
    llvm::interleaveComma(cast<IndexExpr>(expr)->subscripts, os,
                          [&](const Subscript &s) { print(os, s); });
    os << ']';
    return;
  case Expr::Kind::List:
    os << '[';
    print(os, cast<ListExpr>(expr)->elements);
    os << ']';
    return;
  }
}

class ParserTest : public FrontendTest {
protected:
  FailureOr<Program> parse(StringRef text) {
    return parseProgram(setText(text), locations, ast);
  }

  /// The tree of an expression, or the first report.
  std::string parseExpr(StringRef text) {
    FailureOr<Program> program = parse(("config c = " + text).str());
    if (failed(program))
      return reported.empty() ? "no report" : reported.front();
    std::string result;
    llvm::raw_string_ostream os(result);
    print(os, program->configs.front()->value);
    return result;
  }

  /// What is reported about the statements `body` of a model, which begin on
  /// line 2.
  Reports reportsInModel(StringRef body) {
    EXPECT_TRUE(failed(parse(("model m() {\n" + body + "\n}\n").str())));
    return reported;
  }

  ASTContext ast;
};

TEST_F(ParserTest, precedence) {
  EXPECT_EQ(parseExpr("a + b * c - d"), "((a + (b * c)) - d)");
  EXPECT_EQ(parseExpr("x @ w.T + b"), "((x @ w.T) + b)");
  EXPECT_EQ(parseExpr("a @ b * c"), "((a @ b) * c)");
  EXPECT_EQ(parseExpr("-a ** 2"), "(-(a ** 2))");
  EXPECT_EQ(parseExpr("a ** -b ** c"), "(a ** (-(b ** c)))");
  EXPECT_EQ(parseExpr("-a * b"), "((-a) * b)");
  EXPECT_EQ(parseExpr("a + b == c * d"), "((a + b) == (c * d))");
  EXPECT_EQ(parseExpr("(a + b) * c"), "((a + b) * c)");
  EXPECT_EQ(parseExpr("a // b % c"), "((a // b) % c)");
  EXPECT_EQ(parseExpr("a or b and not c < d"), "(a or (b and (not (c < d))))");
  EXPECT_EQ(parseExpr("not not a or b"), "((not (not a)) or b)");
  EXPECT_EQ(parseExpr("a == (not b)"), "(a == (not b))");
}

TEST_F(ParserTest, operands) {
  EXPECT_EQ(parseExpr("x.shape[-1]"), "x.shape[(-1)]");
  EXPECT_EQ(parseExpr("x[:, 1:n + 1, ::2, -1]"), "x[:, 1:(n + 1), ::2, (-1)]");
  EXPECT_EQ(parseExpr("x[..., a:]"), "x[..., a:]");
  EXPECT_EQ(parseExpr("f(x, 3, width = 4,)"), "f(x, 3, width=4)");
  EXPECT_EQ(parseExpr("relu(f(x) as fc1)"), "relu(f(x) as fc1)");
  EXPECT_EQ(parseExpr("f(x) as h.{i + 1}.0.attn"),
            "f(x) as h.{(i + 1)}.0.attn");
  EXPECT_EQ(parseExpr("f(x) as block{i}"), "f(x) as block{i}");
  EXPECT_EQ(parseExpr("(0.5, true)"), "[0.5, true]");
  EXPECT_EQ(parseExpr("[a, \"b\",]"), "[a, \"b\"]");
  EXPECT_EQ(parseExpr("(a,)"), "[a]");
  EXPECT_EQ(parseExpr("()"), "[]");
}

TEST_F(ParserTest, linesContinueInParenthesesAndAfterOperators) {
  EXPECT_EQ(parseExpr("f(a,\n  b\n)"), "f(a, b)");
  EXPECT_EQ(parseExpr("a +\n  b"), "(a + b)");
}

TEST_F(ParserTest, expressionErrors) {
  EXPECT_EQ(parseExpr("a < b < c"),
            "1:18: error: expected parentheses: comparisons do not chain");
  EXPECT_EQ(parseExpr("a + not b"),
            "1:16: error: expected an expression, got the keyword 'not'");
  EXPECT_EQ(parseExpr("a as b"), "1:14: error: expected a call before 'as'");
  EXPECT_EQ(parseExpr("f(a = 1, b)"),
            "1:21: error: expected no positional argument after a keyword "
            "argument");
  EXPECT_EQ(parseExpr("a +"), "1:15: error: expected an expression, got end of "
                              "file");
  EXPECT_EQ(parseExpr("x[1"),
            "1:15: error: expected ',' or ']', got end of file");
  EXPECT_EQ(parseExpr("f(x) as"), "1:19: error: expected a name such as 'fc1' "
                                  "or 'h.{i}', got end of file");
  EXPECT_EQ(parseExpr("1e999"), "1:12: error: '1e999' is too large for a "
                                "number");
}

TEST_F(ParserTest, deepNestingIsRefused) {
  StringRef expected = "expected at most 200 levels of nesting here";
  EXPECT_NE(parseExpr(std::string(100000, '(')).find(expected),
            std::string::npos);
  EXPECT_NE(parseExpr(std::string(100000, '-')).find(expected),
            std::string::npos);
  std::string negations, branches = "model m() {\nif a {}";
  for (int i = 0; i < 100000; ++i) {
    negations += "not ";
    branches += " else if a {}";
  }
  EXPECT_NE(parseExpr(negations).find(expected), std::string::npos);
  EXPECT_TRUE(failed(parse(branches)));
  EXPECT_NE(reported.front().find(expected), std::string::npos);
  std::string chain = "a";
  for (int i = 0; i < 100000; ++i)
    chain += " + a";
  EXPECT_NE(parseExpr(chain).find(expected), std::string::npos);
  std::string blocks = "model m() {\n";
  for (int i = 0; i < 100000; ++i)
    blocks += "scope s {\n";
  EXPECT_TRUE(failed(parse(blocks)));
  EXPECT_NE(reported.front().find(expected), std::string::npos);
}

TEST_F(ParserTest, wholeProgram) {
  FailureOr<Program> program = parse(R"(
config width = 128
def linear(x, width, eps = 1e-5) {
  param weight: f32[width, x.shape[-1]] = linear_default()
  return x @ weight.T
}
model m(x: f32[batch, 64],
        label: i32[batch]) {
  config depth = 3
  for i in range(depth) { x = linear(x, width) as h.{i} }
  if depth == 3 { a, b = split(x, 2, 1) } else if true { } else { a = x }
  scope head.{depth} {
    recompute { y = x + 1 }
  }
  metric accuracy = mean(y)
  loss sum(y)
}
train m {
  batch = 512
  group "*.bias" { weight_decay = 0 }
  freeze "embed.*"
}
)");
  ASSERT_TRUE(succeeded(program)) << testing::PrintToString(reported);
  EXPECT_EQ(program->configs.size(), 1u);
  ASSERT_EQ(program->functions.size(), 1u);
  EXPECT_EQ(program->functions[0]->parameters.size(), 3u);
  EXPECT_EQ(program->functions[0]->parameters[0].defaultValue, nullptr);
  EXPECT_NE(program->functions[0]->parameters[2].defaultValue, nullptr);
  EXPECT_TRUE(isa<ReturnStmt>(program->functions[0]->body.back()));
  ASSERT_EQ(program->models.size(), 1u);
  const ModelDecl &model = *program->models[0];
  ASSERT_EQ(model.inputs.size(), 2u);
  EXPECT_EQ(model.inputs[0].type.element.text, "f32");
  EXPECT_EQ(model.inputs[0].type.extents.size(), 2u);
  ASSERT_EQ(model.body.size(), 6u);
  EXPECT_TRUE(isa<ConfigStmt>(model.body[0]));
  EXPECT_EQ(cast<ForStmt>(model.body[1])->body.size(), 1u);
  auto *branch = cast<IfStmt>(model.body[2]);
  EXPECT_EQ(cast<AssignStmt>(branch->thenBody.front())->names.size(), 2u);
  EXPECT_EQ(cast<IfStmt>(branch->elseBody.front())->elseBody.size(), 1u);
  EXPECT_TRUE(isa<RecomputeStmt>(cast<ScopeStmt>(model.body[3])->body.front()));
  ASSERT_EQ(program->trains.size(), 1u);
  EXPECT_EQ(program->trains[0]->options.size(), 1u);
  ASSERT_EQ(program->trains[0]->groups.size(), 2u);
  EXPECT_EQ(program->trains[0]->groups[0].pattern.text, "*.bias");
  EXPECT_TRUE(program->trains[0]->groups[1].frozen);
}

TEST_F(ParserTest, severalErrorsInOneRun) {
  EXPECT_EQ(reportsInModel("  x = \n"
                           "  loss = y\n"
                           "  param w f32 = zeros()\n"
                           "  f(x)\n"
                           "  return x\n"
                           "  x = y z\n"
                           "  )\n"
                           "  ok = 1"),
            (Reports{
                "2:7: error: expected an expression, got end of line",
                "3:8: error: expected an expression, got '='",
                "4:11: error: expected ':', got 'f32'",
                "5:3: error: the value of 'f' is not used: expected 'name = "
                "f(...)'",
                "6:3: error: 'return' belongs in a function: a model states "
                "'loss' and 'metric'",
                "7:9: error: expected end of line, got 'z'",
                "8:3: error: expected a statement, got ')'",
            }));
}

TEST_F(ParserTest, malformedTokensAreReportedOnce) {
  EXPECT_EQ(reportsInModel("  x = 12ab + 1\n"
                           "  y = f(\"open)\n"
                           "  z = 3"),
            (Reports{"2:7: error: '12ab' is not a number",
                     "3:9: error: expected '\"' before the end of line",
                     "4:3: error: expected ',' or ')', got 'z'",
                     "3:8: note: to match this '('"}));
}

TEST_F(ParserTest, givesUpAfterManyErrors) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "x = 1\n";
  EXPECT_TRUE(failed(parse(text)));
  EXPECT_EQ(reported.size(), maxErrors);
}

TEST_F(ParserTest, openParenthesisCostsOneLine) {
  EXPECT_EQ(reportsInModel("  x = f(a, (b\n"
                           "  y = 2\n"
                           "  z = +"),
            (Reports{"3:3: error: expected ',' or ')', got 'y'",
                     "2:12: note: to match this '('",
                     "4:7: error: expected an expression, got '+'"}));
}

TEST_F(ParserTest, wrongBlockHeaderSkipsItsBlock) {
  EXPECT_EQ(reportsInModel("  for i on range(3) {\n"
                           "    x = +\n"
                           "  }\n"
                           "  z = +"),
            (Reports{"2:9: error: expected 'in', got 'on'",
                     "5:7: error: expected an expression, got '+'"}));
}

TEST_F(ParserTest, missingBraceIsReportedOnce) {
  EXPECT_TRUE(failed(parse("model m() {\n"
                           "  scope a {\n"
                           "    for i in range(2) {\n"
                           "def f(x) {\n"
                           "  return +\n"
                           "}\n")));
  EXPECT_EQ(reported,
            (Reports{"4:1: error: expected '}', got the keyword 'def'",
                     "3:23: note: to match this '{'",
                     "5:10: error: expected an expression, got '+'"}));
}

TEST_F(ParserTest, statementsKeepToTheirPlaces) {
  EXPECT_TRUE(failed(parse("def f(x) {\n"
                           "  loss x\n"
                           "  metric a = x\n"
                           "  config c = 1\n"
                           "  for i in range(2) { return x }\n"
                           "  return x\n"
                           "  y = x\n"
                           "}\n"
                           "x = 1\n"
                           "}\n")));
  EXPECT_EQ(
      reported,
      (Reports{"2:3: error: 'loss' belongs in a model, not in a function",
               "3:3: error: 'metric' belongs in a model, not in a function",
               "4:3: error: 'config' belongs in a model, not in a function",
               "5:23: error: expected 'return' only at the end of a function, "
               "not inside a block",
               "7:3: error: expected nothing after 'return'",
               "9:1: error: expected 'def', 'model', 'train' or 'config', got "
               "'x'",
               "10:1: error: expected 'def', 'model', 'train' or 'config', got "
               "'}'"}));
}

TEST_F(ParserTest, everyPrefixIsReported) {
  StringRef text = "def f(x, w = 2) {\n"
                   "  param p: f32[w, x.shape[-1]] = normal(std = 0.1)\n"
                   "  return x @ p.T + -1\n"
                   "}\n"
                   "model m(x: f32[batch]) {\n"
                   "  for i in range(3) { x = f(x) as h.{i}.a }\n"
                   "  scope b.{1} { recompute { y = (x, [x]) } }\n"
                   "  metric a = y == x\n"
                   "  loss y\n"
                   "}\n"
                   "train m { group \"*\" { lr = 1 }\n"
                   "  freeze \"a\" }\n";
  ASSERT_TRUE(succeeded(parse(text))) << testing::PrintToString(reported);
  for (size_t length = 1; length < text.size(); ++length) {
    FailureOr<Program> program = parse(text.take_front(length));
    EXPECT_EQ(failed(program), !reported.empty()) << length;
  }
}

} // namespace
