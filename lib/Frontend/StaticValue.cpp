//===- StaticValue.cpp - Values known while parsing -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products and quotients of extents stay extents as long as their coefficients
// are small; everything else is arithmetic on doubles, and a result that is not
// finite is an error.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/StaticValue.h"

#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;

namespace accrue::frontend {

/// Integers up to here are exact in a double.
static constexpr double maxInteger = 9007199254740992.0; // 2^53
/// Coefficients of extents stay below this, so that products cannot overflow.
static constexpr int64_t maxCoefficient = int64_t(1) << 31;
static constexpr int64_t maxPower = 8;

StaticValue::StaticValue(const nn::Extent &extent) : value(extent) {
  if (extent.getPower() == 0)
    value = static_cast<double>(extent.getNum()) / extent.getDen();
}

std::optional<int64_t> StaticValue::asInteger() const {
  const double *number = getNumber();
  if (!number || std::abs(*number) > maxInteger ||
      std::floor(*number) != *number)
    return std::nullopt;
  return static_cast<int64_t>(*number);
}

std::optional<nn::Extent> StaticValue::asMonomial() const {
  if (const nn::Extent *extent = getBatchExtent())
    return *extent;
  const double *number = getNumber();
  if (!number || *number <= 0)
    return std::nullopt;
  constexpr int64_t scale = 1 << 20;
  double scaled = *number * scale;
  if (std::floor(*number) == *number && *number < maxCoefficient)
    return nn::Extent(static_cast<int64_t>(*number));
  if (std::floor(scaled) != scaled || scaled >= maxCoefficient)
    return std::nullopt;
  return nn::Extent(static_cast<int64_t>(scaled), scale, 0);
}

std::optional<nn::Extent> StaticValue::asExtent() const {
  std::optional<nn::Extent> extent = asMonomial();
  if (!extent || extent->getPower() < 0 ||
      (extent->getPower() == 0 && !extent->isStatic()))
    return std::nullopt;
  return extent;
}

std::string formatNumber(double number) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (std::floor(number) == number && std::abs(number) <= maxInteger) {
    os << static_cast<int64_t>(number);
    return text;
  }
  // The fewest digits that give the number back.
  for (int digits = 1; digits <= 17; ++digits) {
    char buffer[32];
    snprintf(buffer, sizeof(buffer), "%.*g", digits, number);
    double back;
    if (!StringRef(buffer).getAsDouble(back) && back == number)
      return buffer;
  }
  os << number;
  return text;
}

std::string formatExtent(const nn::Extent &extent) {
  std::string text;
  if (extent.getNum() != 1 || extent.getPower() == 0)
    text = std::to_string(extent.getNum());
  if (extent.getPower() != 0)
    text += text.empty() ? "batch" : "*batch";
  if (extent.getPower() != 0 && extent.getPower() != 1)
    text += "**" + std::to_string(extent.getPower());
  if (extent.getDen() != 1)
    text += "/" + std::to_string(extent.getDen());
  return text;
}

std::string formatType(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type.getElementType();
  if (type.getRank() == 0)
    return text;
  os << '[';
  llvm::interleaveComma(nn::getExtents(type), os,
                        [&](const nn::Extent &e) { os << formatExtent(e); });
  os << ']';
  return text;
}

std::string StaticValue::str() const {
  if (const double *number = getNumber())
    return formatNumber(*number);
  if (const nn::Extent *extent = getBatchExtent())
    return formatExtent(*extent);
  if (const bool *boolean = getBoolean())
    return *boolean ? "true" : "false";
  if (const StringRef *text = getString())
    return ("\"" + *text + "\"").str();
  std::string result;
  llvm::raw_string_ostream os(result);
  if (const Type *type = getElementType()) {
    os << *type;
    return result;
  }
  os << '[';
  llvm::interleaveComma(*getList(), os,
                        [&](const StaticValue &v) { os << v.str(); });
  os << ']';
  return result;
}

std::string StaticValue::describe() const {
  static constexpr StringLiteral kinds[] = {
      "the number ", "the extent ", "",
      "the string ", "the type ",   "the list "};
  return kinds[value.index()].str() + str();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static StaticResult notStatic() { return {std::nullopt, {}}; }

static StaticResult error(const Twine &message) {
  return {std::nullopt, message.str()};
}

static StaticResult finite(double number) {
  if (!std::isfinite(number))
    return error("the result is not a finite number");
  return {StaticValue(number), {}};
}

static bool isSmall(const nn::Extent &extent) {
  return extent.getNum() < maxCoefficient && extent.getDen() < maxCoefficient &&
         std::abs(extent.getPower()) <= maxPower;
}

/// base^exponent as an extent, or none.
static std::optional<nn::Extent> raise(const nn::Extent &base,
                                       const StaticValue &exponent) {
  std::optional<int64_t> count = exponent.asInteger();
  if (!count || std::abs(*count) > maxPower)
    return std::nullopt;
  nn::Extent result;
  for (int64_t i = 0; i < std::abs(*count); ++i) {
    result = *count > 0 ? result * base : result / base;
    if (!isSmall(result))
      return std::nullopt;
  }
  return result;
}

/// At least one operand depends on the batch.
static StaticResult evaluateExtents(BinaryOperator op, const StaticValue &lhs,
                                    const StaticValue &rhs) {
  std::optional<nn::Extent> left = lhs.asMonomial(), right = rhs.asMonomial();
  if (!left || !right)
    return notStatic();
  std::optional<nn::Extent> result;
  if (op == BinaryOperator::Multiply)
    result = *left * *right;
  else if (op == BinaryOperator::Divide)
    result = *left / *right;
  else if (op == BinaryOperator::Power)
    result = raise(*left, rhs);
  if (!result || !isSmall(*result))
    return notStatic();
  return {StaticValue(*result), {}};
}

static StaticResult evaluateNumbers(BinaryOperator op, double lhs, double rhs) {
  switch (op) {
  case BinaryOperator::Add:
    return finite(lhs + rhs);
  case BinaryOperator::Subtract:
    return finite(lhs - rhs);
  case BinaryOperator::Multiply:
    return finite(lhs * rhs);
  case BinaryOperator::Divide:
    if (rhs == 0)
      return error("division by zero");
    return finite(lhs / rhs);
  case BinaryOperator::FloorDivide:
  case BinaryOperator::Modulo: {
    if (rhs == 0)
      return error("division by zero");
    // As in Python: the remainder has the sign of the divisor.
    double quotient = std::floor(lhs / rhs);
    return finite(op == BinaryOperator::Modulo ? lhs - quotient * rhs
                                               : quotient);
  }
  case BinaryOperator::And:
  case BinaryOperator::Or:
    break;
  case BinaryOperator::Power:
    return finite(std::pow(lhs, rhs));
  case BinaryOperator::MatMul:
    return error("expected tensors as operands of '@', got numbers");
  case BinaryOperator::Equal:
    return {StaticValue(lhs == rhs), {}};
  case BinaryOperator::NotEqual:
    return {StaticValue(lhs != rhs), {}};
  case BinaryOperator::Less:
    return {StaticValue(lhs < rhs), {}};
  case BinaryOperator::LessEqual:
    return {StaticValue(lhs <= rhs), {}};
  case BinaryOperator::Greater:
    return {StaticValue(lhs > rhs), {}};
  case BinaryOperator::GreaterEqual:
    return {StaticValue(lhs >= rhs), {}};
  }
  llvm_unreachable("unknown operator");
}

static bool isArithmetic(const StaticValue &value) {
  return value.getNumber() || value.getBatchExtent();
}

/// Operators on truth values, strings, types and lists; none if `op` is not
/// one of theirs.
static std::optional<StaticValue> evaluateOthers(BinaryOperator op,
                                                 const StaticValue &lhs,
                                                 const StaticValue &rhs) {
  const bool *left = lhs.getBoolean(), *right = rhs.getBoolean();
  if (left && right && op == BinaryOperator::And)
    return StaticValue(*left && *right);
  if (left && right && op == BinaryOperator::Or)
    return StaticValue(*left || *right);
  if (lhs.getList() && rhs.getList() && op == BinaryOperator::Add) {
    StaticValue::List list = *lhs.getList();
    llvm::append_range(list, *rhs.getList());
    return StaticValue(std::move(list));
  }
  if (!lhs.isSameKind(rhs) || isArithmetic(lhs))
    return std::nullopt;
  if (op == BinaryOperator::Equal)
    return StaticValue(lhs == rhs);
  if (op == BinaryOperator::NotEqual)
    return StaticValue(!(lhs == rhs));
  return std::nullopt;
}

StaticResult evaluate(BinaryOperator op, const StaticValue &lhs,
                      const StaticValue &rhs) {
  if (std::optional<StaticValue> value = evaluateOthers(op, lhs, rhs))
    return {value, {}};
  if (op == BinaryOperator::And || op == BinaryOperator::Or) {
    const StaticValue &wrong = lhs.getBoolean() ? rhs : lhs;
    return error("expected true or false, got " + wrong.describe());
  }
  for (const StaticValue *operand : {&lhs, &rhs})
    if (!isArithmetic(*operand))
      return error("expected a number or a tensor, got " + operand->describe());
  if (lhs.getNumber() && rhs.getNumber())
    return evaluateNumbers(op, *lhs.getNumber(), *rhs.getNumber());
  return evaluateExtents(op, lhs, rhs);
}

StaticResult evaluateNegation(const StaticValue &operand) {
  if (const double *number = operand.getNumber())
    return {StaticValue(-*number), {}};
  if (operand.getBatchExtent())
    return notStatic();
  return error("expected a number or a tensor, got " + operand.describe());
}

StaticResult evaluateFunction(StringRef name, double (*function)(double),
                              const StaticValue &operand) {
  const double *number = operand.getNumber();
  if (!number)
    return operand.getBatchExtent()
               ? notStatic()
               : error("expected a number or a tensor, got " +
                       operand.describe());
  double result = function(*number);
  if (std::isnan(result))
    return error(name + " of " + formatNumber(*number) + " is not a number");
  return finite(result);
}

} // namespace accrue::frontend
