//===- EmitExpr.cpp - Expressions -----------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators, names, members and lists. An operation on static values is static;
// with a tensor among its operands, or where its result is no static value, it
// becomes ops.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace mlir;

namespace accrue::frontend {

/// Levels of expressions, those of the calls around them included.
static constexpr unsigned maxExprDepth = 1000;

Type findElementType(StringRef name, MLIRContext *context) {
  Builder builder(context);
  if (name == "f32")
    return builder.getF32Type();
  if (name == "f16")
    return builder.getF16Type();
  if (name == "bf16")
    return builder.getBF16Type();
  if (name == "f64")
    return builder.getF64Type();
  if (name == "i32")
    return builder.getI32Type();
  if (name == "i64")
    return builder.getI64Type();
  if (name == "i1")
    return builder.getI1Type();
  return {};
}

bool isReservedName(StringRef name, MLIRContext *context) {
  return name == "batch" || findElementType(name, context);
}

Term Emitter::emitExpr(const Expr *expr) {
  llvm::SaveAndRestore deeper(exprDepth, exprDepth + 1);
  if (exprDepth > maxExprDepth) {
    emitError(expr->range) << "expected at most " << maxExprDepth
                           << " levels of expressions inside each other";
    return {};
  }
  switch (expr->kind) {
  case Expr::Kind::Number:
    return StaticValue(cast<NumberExpr>(expr)->value);
  case Expr::Kind::Boolean:
    return StaticValue(cast<BooleanExpr>(expr)->value);
  case Expr::Kind::String:
    return StaticValue(cast<StringExpr>(expr)->value);
  case Expr::Kind::Name:
    return emitName(*cast<NameExpr>(expr));
  case Expr::Kind::Unary:
    return emitUnary(*cast<UnaryExpr>(expr));
  case Expr::Kind::Binary:
    return emitBinary(*cast<BinaryExpr>(expr));
  case Expr::Kind::Call:
    return emitCall(*cast<CallExpr>(expr));
  case Expr::Kind::Member: {
    const auto &member = *cast<MemberExpr>(expr);
    return emitMember(member, {member.base, emitExpr(member.base)});
  }
  case Expr::Kind::Index:
    return emitIndex(*cast<IndexExpr>(expr));
  case Expr::Kind::List:
    return emitList(*cast<ListExpr>(expr));
  }
  llvm_unreachable("unknown expression");
}

//===----------------------------------------------------------------------===//
// Static values
//===----------------------------------------------------------------------===//

std::optional<StaticValue> Emitter::evaluateStatic(const Expr *expr,
                                                   StringRef what) {
  Term term = emitExpr(expr);
  if (const StaticValue *value = term.getStatic())
    return *value;
  if (term.getTensor())
    emitError(expr->range) << "expected " << what << ", got a value that only "
                           << "the step computes, of type " << term.describe();
  else if (!term.isNothing())
    emitError(expr->range) << "expected " << what << ", got "
                           << term.describe();
  return std::nullopt;
}

std::optional<double> Emitter::evaluateNumber(const Expr *expr,
                                              StringRef what) {
  std::optional<StaticValue> value = evaluateStatic(expr, what);
  if (!value)
    return std::nullopt;
  if (const double *number = value->getNumber())
    return *number;
  emitError(expr->range) << "expected " << what << ", got "
                         << value->describe();
  return std::nullopt;
}

std::optional<int64_t> Emitter::evaluateInteger(const Expr *expr,
                                                StringRef what) {
  std::optional<StaticValue> value = evaluateStatic(expr, what);
  if (!value)
    return std::nullopt;
  if (std::optional<int64_t> integer = value->asInteger())
    return integer;
  emitError(expr->range) << "expected " << what << ", got "
                         << value->describe();
  return std::nullopt;
}

bool Emitter::takeStatic(const StaticResult &result, llvm::SMRange range,
                         Term &term) {
  if (result.value) {
    term = *result.value;
    return true;
  }
  if (result.error.empty())
    return false;
  emitError(range, result.error);
  return true;
}

//===----------------------------------------------------------------------===//
// Names, members, lists
//===----------------------------------------------------------------------===//

Term Emitter::emitName(const NameExpr &expr) {
  SmallVector<Frame *, 2> scopes = {frame};
  if (!frame->inLibrary)
    scopes.push_back(&globals);
  for (Frame *scope : scopes) {
    auto it = scope->variables.find(expr.name);
    if (it != scope->variables.end())
      return it->second.term;
  }
  if (expr.name == "batch")
    return StaticValue(nn::Extent::batch());
  if (Type type = findElementType(expr.name, getContext()))
    return StaticValue(type);

  if (findFunction(expr.name) || findBuiltin(expr.name)) {
    emitError(expr.range) << "'" << expr.name
                          << "' is a function, expected a call of it";
    return {};
  }
  SmallVector<StringRef> candidates = {"batch"};
  for (Frame *scope : scopes)
    llvm::append_range(candidates, llvm::make_first_range(scope->variables));
  InFlightDiagnostic diag = emitError(expr.range);
  diag << "unknown name '" << expr.name << "'";
  StringRef nearest = findNearest(expr.name, candidates);
  if (nearest.empty())
    return {};
  diag << ", did you mean '" << nearest << "'?";
  for (Frame *scope : scopes) {
    auto it = scope->variables.find(nearest);
    if (it == scope->variables.end())
      continue;
    diag.attachNote(getDeclLoc(it->second.declared)) << "declared here";
    break;
  }
  return {};
}

Term Emitter::emitMember(const MemberExpr &expr, const Operand &base) {
  StringRef member = expr.member.text;
  static constexpr StringRef members[] = {"T", "mT", "shape", "type"};
  if (!llvm::is_contained(members, member)) {
    emitError(expr.member.range) << "unknown member '" << member
                                 << "', expected 'T', 'mT', 'shape' or 'type'";
    return {};
  }
  Value tensor = expectTensor(base, ("operand of '." + member + "'").str());
  if (!tensor)
    return {};
  if (member == "type")
    return StaticValue(getTensorType(tensor).getElementType());
  if (member == "shape") {
    StaticValue::List extents;
    for (const nn::Extent &extent : nn::getExtents(getTensorType(tensor)))
      extents.push_back(StaticValue(extent));
    return StaticValue(std::move(extents));
  }
  if (getTensorType(tensor).getRank() < 2) {
    emitError(expr.range) << "expected a tensor of rank 2 or more to "
                             "transpose, got "
                          << base.term.describe();
    return {};
  }
  Location loc = getLoc(expr.range);
  return member == "T" ? builder.createTranspose(loc, tensor)
                       : builder.createMatrixTranspose(loc, tensor);
}

Term Emitter::emitList(const ListExpr &expr) {
  Term::List elements;
  bool complete = true;
  for (const Expr *element : expr.elements) {
    elements.push_back(emitExpr(element));
    complete &= !elements.back().isNothing();
  }
  return complete ? Term::fromList(std::move(elements)) : Term();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Term Emitter::emitUnary(const UnaryExpr &expr) {
  Operand operand{expr.operand, emitExpr(expr.operand)};
  if (operand.term.isNothing())
    return {};
  if (expr.op == UnaryOperator::Not)
    return emitNot(expr, operand);
  Term term;
  if (const StaticValue *value = operand.term.getStatic())
    if (takeStatic(evaluateNegation(*value), expr.range, term))
      return term;
  Value value = expectFloat(operand, "operand of '-'");
  if (!value)
    return {};
  return builder.create<nn::NegOp>(getLoc(expr.range), value);
}

Term Emitter::emitNot(const UnaryExpr &expr, const Operand &operand) {
  if (const StaticValue *value = operand.term.getStatic())
    if (const bool *flag = value->getBoolean())
      return StaticValue(!*flag);
  Value value = operand.term.getTensor();
  if (value && getTensorType(value).getElementType().isInteger(1))
    return builder.create<nn::NotOp>(getLoc(expr.range), value);
  InFlightDiagnostic diag = emitError(expr.range);
  diag << "expected truth values as operand of 'not', got "
       << operand.term.describe();
  if (isa<NameExpr>(operand.expr))
    noteOperands(diag, operand);
  return {};
}

static StringRef spell(BinaryOperator op) {
  static constexpr StringLiteral spellings[] = {
      "+",   "-",  "*",  "/",  "//", "%",  "**", "@",
      "and", "or", "==", "!=", "<",  "<=", ">",  ">="};
  return spellings[static_cast<unsigned>(op)];
}

Term Emitter::emitBinary(const BinaryExpr &expr) {
  if (expr.op == BinaryOperator::MatMul)
    return emitMatmul(expr);
  Operand operands[] = {{expr.lhs, emitExpr(expr.lhs)},
                        {expr.rhs, emitExpr(expr.rhs)}};
  auto &[lhs, rhs] = operands;
  if (lhs.term.isNothing() || rhs.term.isNothing())
    return {};
  Term term;
  if (lhs.term.getStatic() && rhs.term.getStatic() &&
      takeStatic(
          evaluate(expr.op, *lhs.term.getStatic(), *rhs.term.getStatic()),
          expr.range, term))
    return term;
  if (expr.op == BinaryOperator::Power)
    return emitPower(expr, lhs, rhs);
  // Lists with tensors in them.
  if (expr.op == BinaryOperator::Add) {
    std::optional<Term::List> left = lhs.term.getElements();
    std::optional<Term::List> right = rhs.term.getElements();
    if (left && right) {
      llvm::append_range(*left, *right);
      return Term::fromList(std::move(*left));
    }
  }
  if (expr.op == BinaryOperator::FloorDivide ||
      expr.op == BinaryOperator::Modulo) {
    InFlightDiagnostic diag = emitError(expr.range);
    diag << "expected numbers known while compiling as operands of '"
         << spell(expr.op) << "', got " << lhs.term.describe() << " and "
         << rhs.term.describe();
    noteOperands(diag, operands);
    return {};
  }

  std::optional<SmallVector<Value>> values = unify(expr.range, operands);
  if (!values)
    return {};
  Value left = (*values)[0], right = (*values)[1];
  Type type = getTensorType(left).getElementType();
  bool floatsOnly = expr.op == BinaryOperator::Divide;
  if (expr.op == BinaryOperator::And || expr.op == BinaryOperator::Or) {
    if (type.isInteger(1))
      return expr.op == BinaryOperator::And
                 ? builder.create<nn::AndOp>(getLoc(expr.range), left, right)
                 : builder.create<nn::OrOp>(getLoc(expr.range), left, right);
    InFlightDiagnostic diag = emitError(expr.range);
    diag << "expected truth values as operands of '" << spell(expr.op)
         << "', got " << formatType(getTensorType(left));
    noteOperands(diag, operands);
    return {};
  }
  bool isEquality =
      expr.op == BinaryOperator::Equal || expr.op == BinaryOperator::NotEqual;
  if (type.isInteger(1) && isEquality) {
    // Truth values are compared as numbers.
    Location loc = getLoc(expr.range);
    type = builder.getBuilder().getI32Type();
    left = builder.createConvert(loc, left, type);
    right = builder.createConvert(loc, right, type);
  }
  if (type.isInteger(1) || (floatsOnly && !isa<FloatType>(type))) {
    InFlightDiagnostic diag = emitError(expr.range);
    diag << "expected " << (floatsOnly ? "floats" : "numbers")
         << " as operands of '" << spell(expr.op) << "', got "
         << formatType(getTensorType(left)) << ": convert(x, f32) makes them";
    return {};
  }
  Location loc = getLoc(expr.range);
  auto compare = [&](nn::ComparePredicate predicate) {
    return builder.create<nn::CompareOp>(loc, predicate, left, right);
  };
  switch (expr.op) {
  case BinaryOperator::Add:
    return builder.create<nn::AddOp>(loc, left, right);
  case BinaryOperator::Subtract:
    return builder.create<nn::SubOp>(loc, left, right);
  case BinaryOperator::Multiply:
    return builder.create<nn::MulOp>(loc, left, right);
  case BinaryOperator::Divide:
    return builder.create<nn::DivOp>(loc, left, right);
  case BinaryOperator::Equal:
    return compare(nn::ComparePredicate::eq);
  case BinaryOperator::NotEqual:
    return compare(nn::ComparePredicate::ne);
  case BinaryOperator::Less:
    return compare(nn::ComparePredicate::lt);
  case BinaryOperator::LessEqual:
    return compare(nn::ComparePredicate::le);
  case BinaryOperator::Greater:
    return compare(nn::ComparePredicate::gt);
  case BinaryOperator::GreaterEqual:
    return compare(nn::ComparePredicate::ge);
  case BinaryOperator::And:
  case BinaryOperator::Or:
  case BinaryOperator::FloorDivide:
  case BinaryOperator::Modulo:
  case BinaryOperator::Power:
  case BinaryOperator::MatMul:
    break;
  }
  llvm_unreachable("handled above");
}

Term Emitter::emitPow(llvm::SMRange range, ArrayRef<Operand> operands) {
  std::optional<SmallVector<Value>> values = unify(range, operands);
  if (!values)
    return {};
  RankedTensorType type = getTensorType(values->front());
  if (!isa<FloatType>(type.getElementType())) {
    InFlightDiagnostic diag = emitError(range);
    diag << "expected floats as base and exponent of a power, got "
         << formatType(type) << ": convert(x, f32) makes them";
    noteOperands(diag, operands);
    return {};
  }
  return builder.create<nn::PowOp>(getLoc(range), (*values)[0], (*values)[1]);
}

Term Emitter::emitPower(const BinaryExpr &expr, const Operand &base,
                        const Operand &exponent) {
  const StaticValue *value = exponent.term.getStatic();
  const double *number = value ? value->getNumber() : nullptr;
  // Small whole exponents are products and halves are square roots.
  constexpr double limit = 64;
  if (!number || std::abs(*number) > limit ||
      std::floor(2 * *number) != 2 * *number)
    return emitPow(expr.range, {base, exponent});
  Value x = expectFloat(base, "base of '**'");
  if (!x)
    return {};
  Location loc = getLoc(expr.range);
  Type type = getTensorType(x).getElementType();
  SmallVector<nn::Extent> shape = nn::getExtents(getTensorType(x));
  int64_t halves = static_cast<int64_t>(2 * std::abs(*number));
  Value result;
  if (halves >= 2)
    result = builder.createPower(loc, x, halves / 2);
  if (halves % 2 == 1) {
    Value root = builder.create<nn::SqrtOp>(loc, x);
    result = result ? builder.create<nn::MulOp>(loc, result, root) : root;
  }
  if (result && *number > 0)
    return result;
  Value one =
      builder.createBroadcast(loc, builder.createConstant(loc, 1, type), shape);
  return result ? builder.create<nn::DivOp>(loc, one, result) : one;
}

Operand Emitter::emitMatmulOperand(const Expr *expr, bool &transposed) {
  const auto *member = dyn_cast<MemberExpr>(expr);
  if (!member || (member->member.text != "T" && member->member.text != "mT"))
    return {expr, emitExpr(expr)};
  Operand base{member->base, emitExpr(member->base)};
  Value tensor = base.term.getTensor();
  int64_t rank = tensor ? getTensorType(tensor).getRank() : 0;
  if (rank < 2 || (rank > 2 && member->member.text == "T"))
    return {expr, emitMember(*member, base)};
  transposed = true;
  return base;
}

Term Emitter::emitMatmul(const BinaryExpr &expr) {
  bool transposeLhs = false, transposeRhs = false;
  Operand lhs = emitMatmulOperand(expr.lhs, transposeLhs);
  Operand rhs = emitMatmulOperand(expr.rhs, transposeRhs);
  if (lhs.term.isNothing() || rhs.term.isNothing())
    return {};
  StringRef what = "operand of '@'";
  Value left = expectTensor(lhs, what);
  Value right = left ? expectTensor(rhs, what) : Value();
  if (!right || !expectFloat(lhs, what) || !expectFloat(rhs, what) ||
      !unifyElementTypes(expr.range, {lhs, rhs}))
    return {};
  RankedTensorType leftType = getTensorType(left);
  RankedTensorType rightType = getTensorType(right);
  if (leftType.getRank() < 1 || rightType.getRank() < 1) {
    InFlightDiagnostic diag = emitError(expr.range);
    diag << "expected operands of rank 1 or more of '@', got "
         << lhs.term.describe() << " and " << rhs.term.describe();
    noteOperands(diag, {lhs, rhs});
    return {};
  }
  SmallVector<nn::Extent> leftExtents = nn::getExtents(leftType);
  SmallVector<nn::Extent> rightExtents = nn::getExtents(rightType);
  nn::Extent leftSummed =
      transposeLhs ? leftExtents.rbegin()[1] : leftExtents.back();
  nn::Extent rightSummed = transposeRhs || rightType.getRank() == 1
                               ? rightExtents.back()
                               : rightExtents.rbegin()[1];
  if (leftSummed != rightSummed) {
    InFlightDiagnostic diag = emitError(expr.range);
    auto transposedSuffix = [](bool transposed) {
      return transposed ? ", transposed" : "";
    };
    diag << "expected equal extents of the summed dimension, got "
         << formatExtent(leftSummed) << " of " << lhs.term.describe()
         << transposedSuffix(transposeLhs) << ", and "
         << formatExtent(rightSummed) << " of " << rhs.term.describe()
         << transposedSuffix(transposeRhs);
    noteOperands(diag, {lhs, rhs});
    return {};
  }
  auto getLeading = [](ArrayRef<nn::Extent> extents) {
    return extents.drop_back(std::min<size_t>(extents.size(), 2));
  };
  if (!broadcastShapes(getLeading(leftExtents), getLeading(rightExtents))) {
    InFlightDiagnostic diag = emitError(expr.range);
    diag << "expected leading extents that broadcast, got "
         << lhs.term.describe() << " and " << rhs.term.describe();
    noteOperands(diag, {lhs, rhs});
    return {};
  }
  return builder.createMatmul(getLoc(expr.range), left, right, transposeLhs,
                              transposeRhs);
}

} // namespace accrue::frontend
