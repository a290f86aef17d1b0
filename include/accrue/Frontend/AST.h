//===- AST.h - Syntax tree of the model language ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser builds and the emitter walks. Nodes are plain structs in one
// arena; each knows the range of the text it came from, and their strings point
// into the source buffer.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FRONTEND_AST_H
#define ACCRUE_FRONTEND_AST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SMLoc.h"
#include <type_traits>
#include <utility>

namespace accrue::frontend {

/// A word of the program and where it stands.
struct Name {
  llvm::StringRef text;
  llvm::SMRange range;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

struct Expr {
  enum class Kind {
    Number,
    Boolean,
    String,
    Name,
    Unary,
    Binary,
    Call,
    Member,
    Index,
    List,
  };

  Kind kind;
  llvm::SMRange range;
  /// The range with the parentheses that stand around the expression.
  llvm::SMRange outerRange;
  /// Levels of the tree below this node, itself included. The parser bounds it,
  /// so that walks may recurse.
  unsigned height;

protected:
  Expr(Kind kind, llvm::SMRange range, unsigned height)
      : kind(kind), range(range), outerRange(range), height(height) {}
};

struct NumberExpr : Expr {
  double value;

  NumberExpr(llvm::SMRange range, double value)
      : Expr(Kind::Number, range, 1), value(value) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Number; }
};

struct BooleanExpr : Expr {
  bool value;

  BooleanExpr(llvm::SMRange range, bool value)
      : Expr(Kind::Boolean, range, 1), value(value) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Boolean; }
};

struct StringExpr : Expr {
  llvm::StringRef value;

  StringExpr(llvm::SMRange range, llvm::StringRef value)
      : Expr(Kind::String, range, 1), value(value) {}
  static bool classof(const Expr *e) { return e->kind == Kind::String; }
};

struct NameExpr : Expr {
  llvm::StringRef name;

  NameExpr(llvm::SMRange range, llvm::StringRef name)
      : Expr(Kind::Name, range, 1), name(name) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Name; }
};

enum class UnaryOperator { Negate, Not };

/// `-operand` or `not operand`.
struct UnaryExpr : Expr {
  UnaryOperator op;
  const Expr *operand;

  UnaryExpr(UnaryOperator op, llvm::SMRange range, const Expr *operand)
      : Expr(Kind::Unary, range, operand->height + 1), op(op),
        operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Unary; }
};

enum class BinaryOperator {
  Add,
  Subtract,
  Multiply,
  Divide,
  FloorDivide,
  Modulo,
  Power,
  MatMul,
  And,
  Or,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
};

inline bool isComparison(BinaryOperator op) {
  return op >= BinaryOperator::Equal;
}

struct BinaryExpr : Expr {
  BinaryOperator op;
  llvm::SMRange opRange;
  const Expr *lhs;
  const Expr *rhs;

  BinaryExpr(BinaryOperator op, llvm::SMRange opRange, const Expr *lhs,
             const Expr *rhs)
      : Expr(Kind::Binary, {lhs->outerRange.Start, rhs->outerRange.End},
             std::max(lhs->height, rhs->height) + 1),
        op(op), opRange(opRange), lhs(lhs), rhs(rhs) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Binary; }
};

/// A part of a name template: literal text, or an interpolated `{value}`.
struct TemplatePart {
  llvm::StringRef text;
  const Expr *value = nullptr;
};

/// The name of a scope, such as `h.{i}.attn`.
struct NameTemplate {
  llvm::ArrayRef<TemplatePart> parts;
  llvm::SMRange range;
};

struct Argument {
  /// The keyword, empty if the argument is positional.
  Name keyword;
  const Expr *value;
};

/// `callee(arguments)`, with `as scope` if the call names one.
struct CallExpr : Expr {
  Name callee;
  llvm::ArrayRef<Argument> arguments;
  const NameTemplate *scope;

  CallExpr(llvm::SMRange range, Name callee, llvm::ArrayRef<Argument> arguments,
           unsigned height)
      : Expr(Kind::Call, range, height), callee(callee), arguments(arguments),
        scope(nullptr) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Call; }
};

/// `base.member`: `.T`, `.mT`, `.shape` or `.type`.
struct MemberExpr : Expr {
  const Expr *base;
  Name member;

  MemberExpr(const Expr *base, Name member)
      : Expr(Kind::Member, {base->outerRange.Start, member.range.End},
             base->height + 1),
        base(base), member(member) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Member; }
};

/// What stands for one dimension between `[` and `]`.
struct Subscript {
  enum class Kind {
    /// `start`: one position.
    Position,
    /// `start:stop:step`; what is missing is null.
    Range,
    /// `...`: the dimensions that no other subscript is for, as they are.
    Ellipsis,
  };

  Kind kind;
  llvm::SMRange range;
  const Expr *start = nullptr;
  const Expr *stop = nullptr;
  const Expr *step = nullptr;
};

/// `base[subscript, ...]`.
struct IndexExpr : Expr {
  const Expr *base;
  llvm::ArrayRef<Subscript> subscripts;

  IndexExpr(llvm::SMRange range, const Expr *base,
            llvm::ArrayRef<Subscript> subscripts, unsigned height)
      : Expr(Kind::Index, range, height), base(base), subscripts(subscripts) {}
  static bool classof(const Expr *e) { return e->kind == Kind::Index; }
};

/// `[a, b]` or `(a, b)`.
struct ListExpr : Expr {
  llvm::ArrayRef<const Expr *> elements;

  ListExpr(llvm::SMRange range, llvm::ArrayRef<const Expr *> elements,
           unsigned height)
      : Expr(Kind::List, range, height), elements(elements) {}
  static bool classof(const Expr *e) { return e->kind == Kind::List; }
};

/// `f32[batch, 64]`; no extents for a scalar.
struct TypeExpr {
  Name element;
  llvm::ArrayRef<const Expr *> extents;
  llvm::SMRange range;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

struct Stmt {
  enum class Kind {
    Assign,
    Config,
    For,
    If,
    Loss,
    Metric,
    Output,
    Param,
    Recompute,
    Return,
    Scope,
    State,
    Update,
  };

  Kind kind;
  llvm::SMRange range;

protected:
  Stmt(Kind kind, llvm::SMRange range) : kind(kind), range(range) {}
};

using StmtList = llvm::ArrayRef<const Stmt *>;

/// `name = value`, or `a, b, c = list`.
struct AssignStmt : Stmt {
  llvm::ArrayRef<Name> names;
  const Expr *value;

  AssignStmt(llvm::SMRange range, llvm::ArrayRef<Name> names, const Expr *value)
      : Stmt(Kind::Assign, range), names(names), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Assign; }
};

/// `config name = value`: a static value that the command line may replace.
struct ConfigStmt : Stmt {
  Name name;
  const Expr *value;

  ConfigStmt(llvm::SMRange range, Name name, const Expr *value)
      : Stmt(Kind::Config, range), name(name), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Config; }
};

/// `for variable in sequence { body }`, unrolled.
struct ForStmt : Stmt {
  Name variable;
  const Expr *sequence;
  StmtList body;

  ForStmt(llvm::SMRange range, Name variable, const Expr *sequence,
          StmtList body)
      : Stmt(Kind::For, range), variable(variable), sequence(sequence),
        body(body) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::For; }
};

/// `if condition { thenBody } else { elseBody }`, decided while compiling.
struct IfStmt : Stmt {
  const Expr *condition;
  StmtList thenBody;
  /// Empty without an `else`; one `IfStmt` for `else if`.
  StmtList elseBody;

  IfStmt(llvm::SMRange range, const Expr *condition, StmtList thenBody,
         StmtList elseBody)
      : Stmt(Kind::If, range), condition(condition), thenBody(thenBody),
        elseBody(elseBody) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::If; }
};

struct LossStmt : Stmt {
  const Expr *value;

  LossStmt(llvm::SMRange range, const Expr *value)
      : Stmt(Kind::Loss, range), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Loss; }
};

struct MetricStmt : Stmt {
  Name name;
  const Expr *value;

  MetricStmt(llvm::SMRange range, Name name, const Expr *value)
      : Stmt(Kind::Metric, range), name(name), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Metric; }
};

/// `output name = value`: a result of programs that are asked for it.
struct OutputStmt : Stmt {
  Name name;
  const Expr *value;

  OutputStmt(llvm::SMRange range, Name name, const Expr *value)
      : Stmt(Kind::Output, range), name(name), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Output; }
};

/// `param name: type = initializer`.
struct ParamStmt : Stmt {
  Name name;
  TypeExpr type;
  const Expr *initializer;

  ParamStmt(llvm::SMRange range, Name name, TypeExpr type,
            const Expr *initializer)
      : Stmt(Kind::Param, range), name(name), type(type),
        initializer(initializer) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Param; }
};

struct RecomputeStmt : Stmt {
  StmtList body;

  RecomputeStmt(llvm::SMRange range, StmtList body)
      : Stmt(Kind::Recompute, range), body(body) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Recompute; }
};

struct ReturnStmt : Stmt {
  const Expr *value;

  ReturnStmt(llvm::SMRange range, const Expr *value)
      : Stmt(Kind::Return, range), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Return; }
};

struct ScopeStmt : Stmt {
  const NameTemplate *name;
  StmtList body;

  ScopeStmt(llvm::SMRange range, const NameTemplate *name, StmtList body)
      : Stmt(Kind::Scope, range), name(name), body(body) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Scope; }
};

/// `state name: type = initializer`.
struct StateStmt : Stmt {
  Name name;
  TypeExpr type;
  const Expr *initializer;

  StateStmt(llvm::SMRange range, Name name, TypeExpr type,
            const Expr *initializer)
      : Stmt(Kind::State, range), name(name), type(type),
        initializer(initializer) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::State; }
};

/// `update name = value`: what a state is after the step.
struct UpdateStmt : Stmt {
  Name name;
  const Expr *value;

  UpdateStmt(llvm::SMRange range, Name name, const Expr *value)
      : Stmt(Kind::Update, range), name(name), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == Kind::Update; }
};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

struct FormalParameter {
  Name name;
  /// Null if the argument must be given.
  const Expr *defaultValue;
};

struct FunctionDecl {
  Name name;
  llvm::ArrayRef<FormalParameter> parameters;
  StmtList body;
};

struct ModelInput {
  Name name;
  TypeExpr type;
};

struct ModelDecl {
  Name name;
  llvm::ArrayRef<ModelInput> inputs;
  StmtList body;
};

/// `name = value` inside a `train` block.
struct OptionDecl {
  Name name;
  const Expr *value;
};

/// `group "pattern" { options }`, or `freeze "pattern"`.
struct GroupDecl {
  Name pattern;
  bool frozen;
  llvm::ArrayRef<OptionDecl> options;
};

struct TrainDecl {
  /// The model that is trained.
  Name model;
  llvm::ArrayRef<OptionDecl> options;
  /// In source order; a later group wins over an earlier one.
  llvm::ArrayRef<GroupDecl> groups;
};

/// A parsed file.
struct Program {
  llvm::ArrayRef<const ConfigStmt *> configs;
  llvm::ArrayRef<const FunctionDecl *> functions;
  llvm::ArrayRef<const ModelDecl *> models;
  llvm::ArrayRef<const TrainDecl *> trains;
};

/// Owns the nodes of a tree.
class ASTContext {
public:
  template <typename Node, typename... Args>
  Node *create(Args &&...args) {
    static_assert(std::is_trivially_destructible_v<Node>,
                  "the arena runs no destructors");
    return new (allocator) Node{std::forward<Args>(args)...};
  }

  template <typename T>
  llvm::ArrayRef<T> copy(llvm::ArrayRef<T> elements) {
    return elements.copy(allocator);
  }

private:
  llvm::BumpPtrAllocator allocator;
};

} // namespace accrue::frontend

#endif // ACCRUE_FRONTEND_AST_H
