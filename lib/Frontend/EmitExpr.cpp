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

#include "Emitter.h"

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
  for (Frame *scope : {frame, &globals}) {
    auto it = scope->variables.find(expr.name);
    if (it != scope->variables.end())
      return it->second.term;
  }
  if (expr.name == "batch")
    return StaticValue(nn::Extent::batch());
  if (Type type = findElementType(expr.name, getContext()))
    return StaticValue(type);

  if (functions.contains(expr.name) || findBuiltin(expr.name)) {
    emitError(expr.range) << "'" << expr.name
                          << "' is a function, expected a call of it";
    return {};
  }
  SmallVector<StringRef> candidates = {"batch"};
  for (Frame *scope : {frame, &globals})
    llvm::append_range(candidates, llvm::make_first_range(scope->variables));
  InFlightDiagnostic diag = emitError(expr.range);
  diag << "unknown name '" << expr.name << "'";
  StringRef nearest = findNearest(expr.name, candidates);
  if (nearest.empty())
    return {};
  diag << ", did you mean '" << nearest << "'?";
  for (Frame *scope : {frame, &globals}) {
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
  if (member != "T" && member != "shape") {
    emitError(expr.member.range)
        << "unknown member '" << member << "', expected 'T' or 'shape'";
    return {};
  }
  Value tensor = expectTensor(base, member == "T" ? "operand of '.T'"
                                                  : "operand of '.shape'");
  if (!tensor)
    return {};
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
  return builder.createTranspose(getLoc(expr.range), tensor);
}

Term Emitter::emitIndex(const IndexExpr &expr) {
  Operand base{expr.base, emitExpr(expr.base)};
  if (base.term.isNothing())
    return {};
  const StaticValue *value = base.term.getStatic();
  const StaticValue::List *list = value ? value->getList() : nullptr;
  if (!list) {
    emitError(expr.range) << "expected a list or '.shape' before '[', got "
                          << base.term.describe();
    return {};
  }
  std::optional<int64_t> index =
      evaluateInteger(expr.index, "a whole number as index");
  if (!index)
    return {};
  int64_t size = list->size();
  if (*index < -size || *index >= size) {
    InFlightDiagnostic diag = emitError(expr.index->range);
    diag << "expected an index of " << size << " elements, got " << *index;
    return {};
  }
  return (*list)[*index < 0 ? *index + size : *index];
}

Term Emitter::emitList(const ListExpr &expr) {
  StaticValue::List elements;
  for (const Expr *element : expr.elements) {
    std::optional<StaticValue> value =
        evaluateStatic(element, "a static value in a list");
    if (!value)
      return {};
    elements.push_back(*value);
  }
  return StaticValue(std::move(elements));
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Term Emitter::emitUnary(const UnaryExpr &expr) {
  Operand operand{expr.operand, emitExpr(expr.operand)};
  if (operand.term.isNothing())
    return {};
  Term term;
  if (const StaticValue *value = operand.term.getStatic())
    if (takeStatic(evaluateNegation(*value), expr.range, term))
      return term;
  Value value = expectFloat(operand, "operand of '-'");
  if (!value)
    return {};
  return builder.create<nn::NegOp>(getLoc(expr.range), value);
}

static StringRef spell(BinaryOperator op) {
  static constexpr StringLiteral spellings[] = {
      "+", "-", "*", "/", "**", "@", "==", "!=", "<", "<=", ">", ">="};
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

  std::optional<SmallVector<Value>> values = unify(expr.range, operands);
  if (!values)
    return {};
  Value left = (*values)[0], right = (*values)[1];
  Type type = getTensorType(left).getElementType();
  bool floatsOnly = expr.op == BinaryOperator::Divide;
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
  case BinaryOperator::Power:
  case BinaryOperator::MatMul:
    break;
  }
  llvm_unreachable("handled above");
}

Term Emitter::emitPower(const BinaryExpr &expr, const Operand &base,
                        const Operand &exponent) {
  const StaticValue *value = exponent.term.getStatic();
  const double *number = value ? value->getNumber() : nullptr;
  // Halves are square roots; other exponents need log and exp, which are only
  // right for positive numbers, so that is left to the user to say.
  constexpr double limit = 64;
  if (!number || std::abs(*number) > limit ||
      std::floor(2 * *number) != 2 * *number) {
    emitError(expr.rhs->range)
        << "expected the exponent of a tensor to be a multiple of 0.5 known "
           "while compiling, got "
        << exponent.term.describe() << ": exp(p * log(x)) is the power of a "
        << "positive x";
    return {};
  }
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
  if (!member || member->member.text != "T")
    return {expr, emitExpr(expr)};
  Operand base{member->base, emitExpr(member->base)};
  Value tensor = base.term.getTensor();
  if (!tensor || getTensorType(tensor).getRank() != 2)
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
  if (leftType.getRank() < 1 || rightType.getRank() < 1 ||
      rightType.getRank() > 2) {
    InFlightDiagnostic diag = emitError(expr.range);
    diag << "expected a left operand of rank 1 or more and a right operand of "
            "rank 1 or 2, got "
         << lhs.term.describe() << " and " << rhs.term.describe();
    noteOperands(diag, {lhs, rhs});
    return {};
  }
  SmallVector<nn::Extent> leftExtents = nn::getExtents(leftType);
  SmallVector<nn::Extent> rightExtents = nn::getExtents(rightType);
  nn::Extent leftSummed =
      transposeLhs ? leftExtents.front() : leftExtents.back();
  nn::Extent rightSummed =
      transposeRhs ? rightExtents.back() : rightExtents.front();
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
  return builder.createMatmul(getLoc(expr.range), left, right, transposeLhs,
                              transposeRhs);
}

} // namespace accrue::frontend
