//===- EmitElementwise.cpp - Elementwise functions ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of one number are a table: the name, what it gives for a static
// number, and its op.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include <cmath>

using namespace mlir;

namespace accrue::frontend {

//===----------------------------------------------------------------------===//
// Functions of one number
//===----------------------------------------------------------------------===//

namespace {

struct UnaryFunction {
  StringLiteral name;
  double (*evaluate)(double x);
  Value (*create)(TensorBuilder &builder, Location loc, Value x);
};

} // namespace

template <typename OpTy>
static Value createUnary(TensorBuilder &builder, Location loc, Value x) {
  return builder.create<OpTy>(loc, x);
}

static const UnaryFunction unaryFunctions[] = {
    {"abs", [](double x) { return std::abs(x); }, createUnary<nn::AbsOp>},
    {"cos", [](double x) { return std::cos(x); }, createUnary<nn::CosOp>},
    {"erf", [](double x) { return std::erf(x); }, createUnary<nn::ErfOp>},
    {"exp", [](double x) { return std::exp(x); }, createUnary<nn::ExpOp>},
    {"expm1", [](double x) { return std::expm1(x); }, createUnary<nn::Expm1Op>},
    {"floor", [](double x) { return std::floor(x); }, createUnary<nn::FloorOp>},
    {"log", [](double x) { return std::log(x); }, createUnary<nn::LogOp>},
    {"log1p", [](double x) { return std::log1p(x); }, createUnary<nn::Log1pOp>},
    {"reciprocal", [](double x) { return 1 / x; },
     createUnary<nn::ReciprocalOp>},
    {"relu", [](double x) { return std::max(x, 0.0); },
     createUnary<nn::ReluOp>},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); },
     createUnary<nn::RsqrtOp>},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); },
     createUnary<nn::SigmoidOp>},
    {"sign", [](double x) { return double((x > 0) - (x < 0)); },
     createUnary<nn::SignOp>},
    {"silu", [](double x) { return x / (1 + std::exp(-x)); },
     createUnary<nn::SiluOp>},
    {"sin", [](double x) { return std::sin(x); }, createUnary<nn::SinOp>},
    {"softplus",
     [](double x) {
       return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
     },
     createUnary<nn::SoftplusOp>},
    {"sqrt", [](double x) { return std::sqrt(x); }, createUnary<nn::SqrtOp>},
    {"square", [](double x) { return x * x; }, createUnary<nn::SquareOp>},
    {"tanh", [](double x) { return std::tanh(x); }, createUnary<nn::TanhOp>},
};

static Term emitUnaryFunction(BuiltinCall &call) {
  const UnaryFunction &function =
      *llvm::find_if(unaryFunctions, [&](const UnaryFunction &f) {
        return f.name == call.getName();
      });
  Term term;
  if (const StaticValue *value = call[0].term.getStatic())
    if (call.getEmitter().takeStatic(
            evaluateFunction(function.name, function.evaluate, *value),
            call.getRange(), term))
      return term;
  Value x = call.getFloats(0);
  return x ? function.create(call.getBuilder(), call.getLoc(), x) : Value();
}

static Term emitStopGradient(BuiltinCall &call) {
  Value x = call.getFloatTensor(0);
  return x ? call.create<nn::StopGradientOp>(x) : Value();
}

static Term emitGelu(BuiltinCall &call) {
  Value x = call.getFloats(0);
  std::optional<StringRef> form = call.getChoice(1, {"none", "tanh"});
  if (!x || !form)
    return {};
  return call.create<nn::GeluOp>(x, /*approximate=*/*form == "tanh");
}

static Term emitClamp(BuiltinCall &call) {
  Value x = call.getFloats(0);
  std::optional<double> min = call.getNumber(1, std::nullopt);
  std::optional<double> max = call.getNumber(2, std::nullopt);
  if (!x || !min || !max)
    return {};
  if (*min > *max) {
    call.emitError() << "expected the min of clamp to be at most its max, got "
                     << formatNumber(*min) << " and " << formatNumber(*max);
    return {};
  }
  return call.create<nn::ClampOp>(x, llvm::APFloat(*min), llvm::APFloat(*max));
}

//===----------------------------------------------------------------------===//
// Functions of more
//===----------------------------------------------------------------------===//

/// The numbers that both arguments are, if they are static.
static std::optional<std::pair<double, double>>
getStaticNumbers(BuiltinCall &call) {
  const StaticValue *a = call[0].term.getStatic();
  const StaticValue *b = call[1].term.getStatic();
  if (!a || !b || !a->getNumber() || !b->getNumber())
    return std::nullopt;
  return std::pair(*a->getNumber(), *b->getNumber());
}

template <typename OpTy>
static Term emitExtremum(BuiltinCall &call) {
  if (auto numbers = getStaticNumbers(call)) {
    auto [a, b] = *numbers;
    return StaticValue(std::is_same_v<OpTy, nn::MaxOp> ? std::max(a, b)
                                                       : std::min(a, b));
  }
  std::optional<SmallVector<Value>> values =
      call.getEmitter().unify(call.getRange(), call.getArguments());
  if (!values)
    return {};
  RankedTensorType type = getTensorType(values->front());
  if (type.getElementType().isInteger(1)) {
    call.emitError() << "expected numbers as operands of " << call.getName()
                     << ", got " << formatType(type);
    return {};
  }
  return call.create<OpTy>((*values)[0], (*values)[1]);
}

static Term emitPow(BuiltinCall &call) {
  Term term;
  const StaticValue *base = call[0].term.getStatic();
  const StaticValue *exponent = call[1].term.getStatic();
  if (base && exponent &&
      call.getEmitter().takeStatic(
          evaluate(BinaryOperator::Power, *base, *exponent), call.getRange(),
          term))
    return term;
  return call.getEmitter().emitPow(call.getRange(), call.getArguments());
}

static Term emitSelect(BuiltinCall &call) {
  const Operand &condition = call[0];
  if (const StaticValue *value = condition.term.getStatic())
    if (const bool *known = value->getBoolean())
      return call[*known ? 1 : 2].term;
  Value flags = call.getTensor(0);
  if (!flags)
    return {};
  if (!getTensorType(flags).getElementType().isInteger(1)) {
    call.emitError(0) << "expected a comparison as condition of select, got "
                      << condition.term.describe();
    return {};
  }
  Emitter &emitter = call.getEmitter();
  ArrayRef<Operand> operands = call.getArguments().drop_front();
  Type elementType = emitter.unifyElementTypes(call.getRange(), operands,
                                               /*numbersFollow=*/true);
  auto shape = emitter.unifyShapes(call.getRange(), call.getArguments());
  if (!elementType || !shape)
    return {};
  SmallVector<Value, 2> choices;
  for (const Operand &operand : operands) {
    Location loc = emitter.getLoc(operand.expr->range);
    Value value = emitter.toTensor(operand, elementType, loc);
    if (!value)
      return {};
    choices.push_back(call.getBuilder().createBroadcast(loc, value, *shape));
  }
  flags = call.getBuilder().createBroadcast(call.getLoc(), flags, *shape);
  return call.create<nn::SelectOp>(flags, choices[0], choices[1]);
}

static Term emitConvert(BuiltinCall &call) {
  Type type = call.getElementType(1, Type());
  if (!type)
    return {};
  // A number or an extent becomes a scalar of that type.
  Location loc = call.getEmitter().getLoc(call[0].expr->range);
  Value x = call.getEmitter().toTensor(call[0], type, loc);
  return x ? call.getBuilder().createConvert(call.getLoc(), x, type) : Value();
}

/// The index along one dimension, as in NumPy's function of this name.
static Term emitArange(BuiltinCall &call) {
  std::optional<nn::Extent> extent = call.getExtent(0);
  Type type =
      call.getElementType(1, call.getBuilder().getBuilder().getI32Type());
  if (!extent || !type)
    return {};
  if (type.isInteger(1)) {
    call.emitError(1) << "expected a type of numbers as " << call.describe(1)
                      << ", got " << type;
    return {};
  }
  return call.create<nn::IotaOp>(nn::getTensorType(*extent, type), 0);
}

ArrayRef<Builtin> getElementwiseBuiltins() {
  static const SmallVector<Builtin> builtins = [] {
    SmallVector<Builtin> list = {
        {"arange", {{"count"}, {"type", false}}, emitArange},
        {"clamp", {{"x"}, {"min"}, {"max"}}, emitClamp},
        {"convert", {{"x"}, {"type"}}, emitConvert},
        {"gelu", {{"x"}, {"approximate", false}}, emitGelu},
        {"max", {{"a"}, {"b"}}, emitExtremum<nn::MaxOp>},
        {"min", {{"a"}, {"b"}}, emitExtremum<nn::MinOp>},
        {"pow", {{"base"}, {"exponent"}}, emitPow},
        {"select", {{"condition"}, {"a"}, {"b"}}, emitSelect},
        {"stop_gradient", {{"x"}}, emitStopGradient},
    };
    for (const UnaryFunction &function : unaryFunctions)
      list.push_back({function.name, {{"x"}}, emitUnaryFunction});
    return list;
  }();
  return builtins;
}

} // namespace accrue::frontend
