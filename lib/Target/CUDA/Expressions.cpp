//===- Expressions.cpp - Expressions of CUDA text -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values with a name are variables; others are written out, with parentheses
// only where precedence (or a compiler's warning) asks for them. The order of
// floating-point operations is kept.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "accrue/Dialect/Kernel/KernelDrawOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

FailureOr<StringRef> accrue::cuda::getTypeName(Type type, Location loc,
                                               int64_t indexBits) {
  if (isa<IndexType>(type))
    return StringRef(indexBits == 64 ? "int64_t" : "int");
  if (type.isF32())
    return StringRef("float");
  if (type.isF64())
    return StringRef("double");
  if (type.isF16())
    return StringRef("__half");
  if (type.isBF16())
    return StringRef("__nv_bfloat16");
  if (type.isInteger(1))
    return StringRef("bool");
  if (type.isSignlessInteger(8))
    return StringRef("int8_t");
  if (type.isSignlessInteger(32))
    return StringRef("int32_t");
  if (type.isSignlessInteger(64))
    return StringRef("int64_t");
  emitError(loc) << "cannot emit type " << type
                 << ", expected f16, bf16, f32, f64, i1, i8, i32, i64 or index";
  return failure();
}

FailureOr<StringRef> accrue::cuda::getHostTypeName(Type type, Location loc) {
  if (isHalf(type))
    return StringRef("uint16_t");
  return getTypeName(type, loc);
}

std::string accrue::cuda::getFloatLiteral(const APFloat &value, bool isDouble) {
  if (value.isNaN())
    return "NAN";
  if (value.isInfinity())
    return value.isNegative() ? "-INFINITY" : "INFINITY";
  // The shortest text that reads back.
  std::string text = isDouble ? fmt::format("{}", value.convertToDouble())
                              : fmt::format("{}", value.convertToFloat());
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return isDouble ? text : text + "f";
}

static std::string getIntegerLiteral(const APInt &value) {
  int64_t number = value.getSExtValue();
  // The literal of the smallest number would be a negated larger one.
  if (value.getBitWidth() == 32 && number == INT32_MIN)
    return "INT32_MIN";
  if (number == INT64_MIN)
    return "INT64_MIN";
  return std::to_string(number);
}

FailureOr<Expression> BodyEmitter::getConstant(Operation *op) {
  Attribute value = cast<arith::ConstantOp>(op).getValue();
  std::string text;
  if (auto number = dyn_cast<FloatAttr>(value)) {
    FailureOr<StringRef> type = getTypeName(number.getType(), op->getLoc());
    if (failed(type))
      return failure();
    text = getFloatLiteral(number.getValue(), number.getType().isF64());
    if (isHalf(number.getType()))
      return Expression{type->str() + "(" + text + ")"};
  } else if (auto number = dyn_cast<IntegerAttr>(value)) {
    if (number.getType().isInteger(1))
      return Expression{number.getValue().isZero() ? "false" : "true"};
    if (failed(getTypeName(number.getType(), op->getLoc())))
      return failure();
    text = getIntegerLiteral(number.getValue());
  } else {
    return op->emitOpError("cannot be emitted: ") << value;
  }
  return Expression{text, text.front() == '-' ? Precedence::Unary
                                              : Precedence::Primary};
}

FailureOr<std::string> BodyEmitter::getOperand(Value value, Precedence least) {
  FailureOr<Expression> expression = getExpression(value);
  if (failed(expression))
    return failure();
  if (expression->precedence >= least)
    return expression->text;
  return "(" + expression->text + ")";
}

FailureOr<Expression> BodyEmitter::getBinary(Operation *op, StringRef symbol,
                                             Precedence precedence,
                                             Precedence left,
                                             Precedence right) {
  FailureOr<std::string> lhs = getOperand(op->getOperand(0), left);
  FailureOr<std::string> rhs = getOperand(op->getOperand(1), right);
  if (failed(lhs) || failed(rhs))
    return failure();
  return Expression{*lhs + " " + symbol.str() + " " + *rhs, precedence};
}

FailureOr<Expression> BodyEmitter::getCall(Operation *op, const Twine &callee) {
  std::string text = callee.str() + "(";
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    FailureOr<std::string> argument = getText(operand);
    if (failed(argument))
      return failure();
    text += (i ? ", " : "") + *argument;
  }
  return Expression{text + ")"};
}

/// The function `callee` of `math.h`, in its variant for the type.
FailureOr<Expression> BodyEmitter::getMathCall(Operation *op,
                                               StringRef callee) {
  Type type = op->getOperand(0).getType();
  if (failed(getTypeName(type, op->getLoc())))
    return failure();
  return getCall(op, callee + Twine(type.isF32() ? "f" : ""));
}

FailureOr<Expression> BodyEmitter::getCast(Operation *op) {
  Value operand = op->getOperand(0);
  FailureOr<StringRef> from = getTypeName(operand.getType(), op->getLoc());
  FailureOr<StringRef> to =
      getTypeName(op->getResult(0).getType(), op->getLoc());
  if (failed(from) || failed(to))
    return failure();
  if (*from == *to)
    return getExpression(operand);
  FailureOr<std::string> text = getText(operand);
  if (failed(text))
    return failure();
  return Expression{to->str() + "(" + *text + ")"};
}

FailureOr<Expression> BodyEmitter::getLaunchIndex(Operation *op,
                                                  StringRef name) {
  if (op->getAttrOfType<gpu::DimensionAttr>("dimension").getValue() !=
      gpu::Dimension::x)
    return op->emitOpError("cannot be emitted along other dimensions than x");
  if (indexBits == 64)
    return Expression{("int64_t(" + name + ")").str()};
  return Expression{name.str()};
}

FailureOr<Expression> BodyEmitter::getElement(Value buffer, Value index) {
  FailureOr<std::string> base = getText(buffer);
  FailureOr<std::string> position = getText(index);
  if (failed(base) || failed(position))
    return failure();
  return Expression{*base + "[" + *position + "]"};
}

FailureOr<Expression> BodyEmitter::getCompare(Operation *op) {
  auto plain = [&](StringRef symbol) {
    bool isEquality = symbol == "==" || symbol == "!=";
    return getBinary(op, symbol,
                     isEquality ? Precedence::Equality : Precedence::Relational,
                     Precedence::Shift, Precedence::Shift);
  };
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    using Predicate = arith::CmpIPredicate;
    // Indices are never negative.
    auto asUnsigned = [&](StringRef symbol) -> FailureOr<Expression> {
      Type type = compare.getLhs().getType();
      if (isa<IndexType>(type))
        return plain(symbol);
      FailureOr<StringRef> typeName = getTypeName(type, op->getLoc());
      FailureOr<std::string> lhs = getText(compare.getLhs());
      FailureOr<std::string> rhs = getText(compare.getRhs());
      if (failed(typeName) || failed(lhs) || failed(rhs))
        return failure();
      std::string unsignedType = "u" + typeName->str();
      return Expression{unsignedType + "(" + *lhs + ") " + symbol.str() + " " +
                            unsignedType + "(" + *rhs + ")",
                        Precedence::Relational};
    };
    switch (compare.getPredicate()) {
    case Predicate::eq:
      return plain("==");
    case Predicate::ne:
      return plain("!=");
    case Predicate::slt:
      return plain("<");
    case Predicate::sle:
      return plain("<=");
    case Predicate::sgt:
      return plain(">");
    case Predicate::sge:
      return plain(">=");
    case Predicate::ult:
      return asUnsigned("<");
    case Predicate::ule:
      return asUnsigned("<=");
    case Predicate::ugt:
      return asUnsigned(">");
    case Predicate::uge:
      return asUnsigned(">=");
    }
    llvm_unreachable("unknown predicate");
  }
  // An unordered comparison is the negation of the opposite ordered one.
  auto negated = [&](StringRef symbol) -> FailureOr<Expression> {
    FailureOr<Expression> inner = plain(symbol);
    if (failed(inner))
      return failure();
    return Expression{"!(" + inner->text + ")", Precedence::Unary};
  };
  using Predicate = arith::CmpFPredicate;
  switch (cast<arith::CmpFOp>(op).getPredicate()) {
  case Predicate::OEQ:
    return plain("==");
  case Predicate::OGT:
    return plain(">");
  case Predicate::OGE:
    return plain(">=");
  case Predicate::OLT:
    return plain("<");
  case Predicate::OLE:
    return plain("<=");
  case Predicate::UNE:
    return plain("!=");
  case Predicate::UGT:
    return negated("<=");
  case Predicate::UGE:
    return negated("<");
  case Predicate::ULT:
    return negated(">=");
  case Predicate::ULE:
    return negated(">");
  case Predicate::AlwaysFalse:
    return Expression{"false"};
  case Predicate::AlwaysTrue:
    return Expression{"true"};
  case Predicate::ONE:
    return getCall(op, "accrue::orderedUnequal");
  case Predicate::UEQ: {
    FailureOr<Expression> inner = getCall(op, "accrue::orderedUnequal");
    if (failed(inner))
      return failure();
    return Expression{"!" + inner->text, Precedence::Unary};
  }
  case Predicate::UNO:
    return getCall(op, "accrue::unordered");
  case Predicate::ORD: {
    FailureOr<Expression> inner = getCall(op, "accrue::unordered");
    if (failed(inner))
      return failure();
    return Expression{"!" + inner->text, Precedence::Unary};
  }
  }
  llvm_unreachable("unknown predicate");
}

FailureOr<Expression> BodyEmitter::getExpression(Value value) {
  if (std::string name = getName(value); !name.empty())
    return Expression{name};
  Operation *op = value.getDefiningOp();
  if (!op) {
    emitError(value.getLoc()) << "cannot emit an argument without a name";
    return failure();
  }
  return getDefinition(op);
}

FailureOr<Expression> BodyEmitter::getDefinition(Operation *op) {
  using P = Precedence;
  auto refused = [&]() -> FailureOr<Expression> {
    return op->emitOpError("cannot be emitted");
  };
  // Arithmetic on halves is done in f32, by `cuda-widen-halves`.
  if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
      !isa<CastOpInterface, arith::ConstantOp, arith::SelectOp>(op) &&
      isHalf(op->getOperand(0).getType()))
    return op->emitOpError("cannot be emitted on ")
           << op->getOperand(0).getType() << ", expected f32 or f64";
  bool isBool =
      op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1);
  auto binary = [&](StringRef symbol, P precedence) {
    return getBinary(op, symbol, precedence, precedence,
                     P(int(precedence) + 1));
  };
  // Compilers warn of these next to other operators without parentheses.
  auto bitwise = [&](StringRef symbol, P precedence) {
    return getBinary(op, symbol, precedence, P::Unary, P::Unary);
  };
  // Literals do not always have the type of the other operand.
  auto typedCall = [&](StringRef callee) -> FailureOr<Expression> {
    FailureOr<StringRef> type =
        getTypeName(op->getResult(0).getType(), op->getLoc());
    if (failed(type))
      return failure();
    return getCall(op, callee + "<" + *type + ">");
  };
  bool isIndex =
      op->getNumResults() == 1 && isa<IndexType>(op->getResult(0).getType());

  return llvm::TypeSwitch<Operation *, FailureOr<Expression>>(op)
      .Case([&](arith::ConstantOp) { return getConstant(op); })
      .Case<arith::AddFOp, arith::AddIOp>(
          [&](auto) { return binary("+", P::Additive); })
      .Case<arith::SubFOp, arith::SubIOp>(
          [&](auto) { return binary("-", P::Additive); })
      .Case<arith::MulFOp, arith::MulIOp>(
          [&](auto) { return binary("*", P::Multiplicative); })
      .Case<arith::DivFOp, arith::DivSIOp>(
          [&](auto) { return binary("/", P::Multiplicative); })
      .Case<arith::RemSIOp>(
          [&](auto) { return binary("%", P::Multiplicative); })
      // Indices are never negative.
      .Case<arith::DivUIOp>([&](auto) {
        return isIndex ? binary("/", P::Multiplicative) : refused();
      })
      .Case<arith::RemUIOp>([&](auto) {
        return isIndex ? binary("%", P::Multiplicative) : refused();
      })
      .Case([&](arith::NegFOp) -> FailureOr<Expression> {
        FailureOr<std::string> operand =
            getOperand(op->getOperand(0), P::Primary);
        if (failed(operand))
          return failure();
        return Expression{"-" + *operand, P::Unary};
      })
      .Case([&](arith::AndIOp) {
        return isBool ? getBinary(op, "&&", P::And, P::And, P::Equality)
                      : bitwise("&", P::BitAnd);
      })
      .Case([&](arith::OrIOp) {
        return isBool ? getBinary(op, "||", P::Or, P::Equality, P::Equality)
                      : bitwise("|", P::BitOr);
      })
      .Case([&](arith::XOrIOp) {
        return isBool ? getBinary(op, "!=", P::Equality, P::Unary, P::Unary)
                      : bitwise("^", P::BitXor);
      })
      .Case<arith::CmpFOp, arith::CmpIOp>(
          [&](auto) -> FailureOr<Expression> { return getCompare(op); })
      .Case([&](arith::SelectOp select) -> FailureOr<Expression> {
        FailureOr<std::string> condition =
            getOperand(select.getCondition(), P::Or);
        FailureOr<std::string> yes = getOperand(select.getTrueValue(), P::Or);
        FailureOr<std::string> no =
            getOperand(select.getFalseValue(), P::Conditional);
        if (failed(condition) || failed(yes) || failed(no))
          return failure();
        return Expression{*condition + " ? " + *yes + " : " + *no,
                          P::Conditional};
      })
      .Case<arith::SIToFPOp, arith::FPToSIOp, arith::ExtFOp, arith::TruncFOp,
            arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(
          [&](auto) { return getCast(op); })
      // Of unsigned integers there are only booleans and indices.
      .Case<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>([&](auto) {
        Type from = op->getOperand(0).getType();
        return from.isInteger(1) || isa<IndexType>(from) ? getCast(op)
                                                         : refused();
      })
      .Case([&](arith::MaximumFOp) { return getCall(op, "accrue::maximum"); })
      .Case([&](arith::MinimumFOp) { return getCall(op, "accrue::minimum"); })
      .Case([&](arith::MaxNumFOp) { return getMathCall(op, "fmax"); })
      .Case([&](arith::MinNumFOp) { return getMathCall(op, "fmin"); })
      .Case<arith::MaxSIOp>([&](auto) { return typedCall("accrue::maximum"); })
      .Case<arith::MinSIOp>([&](auto) { return typedCall("accrue::minimum"); })
      .Case<arith::MaxUIOp>([&](auto) {
        return isIndex ? typedCall("accrue::maximum") : refused();
      })
      .Case<arith::MinUIOp>([&](auto) {
        return isIndex ? typedCall("accrue::minimum") : refused();
      })
      .Case([&](math::AbsFOp) { return getMathCall(op, "fabs"); })
      .Case([&](math::CeilOp) { return getMathCall(op, "ceil"); })
      .Case([&](math::CosOp) { return getMathCall(op, "cos"); })
      .Case([&](math::ErfOp) { return getMathCall(op, "erf"); })
      .Case([&](math::ExpOp) { return getMathCall(op, "exp"); })
      .Case([&](math::ExpM1Op) { return getMathCall(op, "expm1"); })
      .Case([&](math::FloorOp) { return getMathCall(op, "floor"); })
      .Case([&](math::FmaOp) { return getMathCall(op, "fma"); })
      .Case([&](math::LogOp) { return getMathCall(op, "log"); })
      .Case([&](math::Log1pOp) { return getMathCall(op, "log1p"); })
      .Case([&](math::PowFOp) { return getMathCall(op, "pow"); })
      .Case([&](math::RsqrtOp) { return getMathCall(op, "rsqrt"); })
      .Case([&](math::SinOp) { return getMathCall(op, "sin"); })
      .Case([&](math::SqrtOp) { return getMathCall(op, "sqrt"); })
      .Case([&](math::TanhOp) { return getMathCall(op, "tanh"); })
      .Case([&](kernel::DrawOp draw) -> FailureOr<Expression> {
        FailureOr<StringRef> type = getTypeName(draw.getType(), op->getLoc());
        if (failed(type))
          return failure();
        bool isUniform =
            draw.getDistribution() == kernel::Distribution::uniform;
        FailureOr<Expression> call = getCall(
            op, (isUniform ? "accrue::drawUniform<" : "accrue::drawNormal<") +
                    *type + ">");
        if (failed(call))
          return failure();
        // Behind the operands.
        call->text.pop_back();
        call->text +=
            fmt::format(", {}, {})", draw.getSite(), draw.getDigits());
        return call;
      })
      .Case([&](memref::LoadOp load) -> FailureOr<Expression> {
        if (load.getIndices().size() != 1)
          return refused();
        return getElement(load.getMemRef(), load.getIndices()[0]);
      })
      .Case([&](gpu::ThreadIdOp) { return getLaunchIndex(op, "threadIdx.x"); })
      .Case([&](gpu::BlockIdOp) { return getLaunchIndex(op, "blockIdx.x"); })
      .Case([&](gpu::BlockDimOp) { return getLaunchIndex(op, "blockDim.x"); })
      .Case([&](gpu::GridDimOp) { return getLaunchIndex(op, "gridDim.x"); })
      .Case([&](InputOp input) -> FailureOr<Expression> {
        auto names =
            op->getParentOfType<func::FuncOp>()->getAttrOfType<ArrayAttr>(
                attrs::kNames);
        if (!names || input.getIndex() >= names.size())
          return refused();
        return Expression{cast<StringAttr>(names[input.getIndex()]).str()};
      })
      .Case([&](RangeRuleOp rule) -> FailureOr<Expression> {
        FailureOr<std::string> index = getText(rule.getIndex());
        if (failed(index))
          return failure();
        return Expression{"accrue::findRule(" + rule.getTable().str() + ", " +
                          *index + ")"};
      })
      .Default([&](Operation *) { return refused(); });
}
