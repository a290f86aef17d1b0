//===- StaticValueTest.cpp - Tests of static arithmetic -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results are compared as text; "not static" stands for a value that only a
// tensor can hold.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/StaticValue.h"

#include "accrue/Dialect/NN/NNDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::frontend;

namespace {

std::string show(const StaticResult &result) {
  if (result.value)
    return result.value->str();
  return result.error.empty() ? "not static" : "error: " + result.error;
}

std::string apply(BinaryOperator op, StaticValue lhs, StaticValue rhs) {
  return show(evaluate(op, lhs, rhs));
}

/// std::sqrt as a plain function.
double squareRoot(double x) { return std::sqrt(x); }

StaticValue number(double value) { return StaticValue(value); }
StaticValue batch(int64_t num = 1, int64_t den = 1, int64_t power = 1) {
  return StaticValue(nn::Extent(num, den, power));
}

TEST(StaticValue, numbers) {
  EXPECT_EQ(apply(BinaryOperator::Add, number(1), number(2)), "3");
  EXPECT_EQ(apply(BinaryOperator::Divide, number(768), number(12)), "64");
  EXPECT_EQ(apply(BinaryOperator::Divide, number(1), number(3)),
            "0.3333333333333333");
  EXPECT_EQ(apply(BinaryOperator::Power, number(2), number(-2)), "0.25");
  EXPECT_EQ(apply(BinaryOperator::LessEqual, number(2), number(2)), "true");
  EXPECT_EQ(apply(BinaryOperator::FloorDivide, number(-7), number(2)), "-4");
  EXPECT_EQ(apply(BinaryOperator::Modulo, number(-7), number(2)), "1");
  EXPECT_EQ(apply(BinaryOperator::Modulo, number(7), number(-2)), "-1");
  EXPECT_EQ(show(evaluateFunction("sqrt", squareRoot, number(16))), "4");
  EXPECT_EQ(show(evaluateNegation(number(0.02))), "-0.02");
}

TEST(StaticValue, numbersThatAreNone) {
  EXPECT_EQ(apply(BinaryOperator::Divide, number(1), number(0)),
            "error: division by zero");
  EXPECT_EQ(apply(BinaryOperator::Power, number(10), number(400)),
            "error: the result is not a finite number");
  EXPECT_EQ(show(evaluateFunction("sqrt", squareRoot, number(-1))),
            "error: sqrt of -1 is not a number");
  EXPECT_EQ(show(evaluateFunction(
                "reciprocal", [](double x) { return 1 / x; }, number(0))),
            "error: the result is not a finite number");
  EXPECT_EQ(apply(BinaryOperator::Add, number(1), StaticValue(true)),
            "error: expected a number or a tensor, got true");
  EXPECT_EQ(apply(BinaryOperator::MatMul, number(1), number(1)),
            "error: expected tensors as operands of '@', got numbers");
}

TEST(StaticValue, otherKinds) {
  StaticValue list(StaticValue::List{number(1), batch()});
  EXPECT_EQ(apply(BinaryOperator::Add, list, list), "[1, batch, 1, batch]");
  EXPECT_EQ(apply(BinaryOperator::Equal, list, list), "true");
  EXPECT_EQ(apply(BinaryOperator::NotEqual, StaticValue(StringRef("a")),
                  StaticValue(StringRef("b"))),
            "true");
  EXPECT_EQ(apply(BinaryOperator::Or, StaticValue(false), StaticValue(true)),
            "true");
  EXPECT_EQ(apply(BinaryOperator::And, StaticValue(true), number(1)),
            "error: expected true or false, got the number 1");
  EXPECT_EQ(apply(BinaryOperator::Less, list, list),
            "error: expected a number or a tensor, got the list [1, batch]");
}

TEST(StaticValue, extentsStayMonomials) {
  EXPECT_EQ(apply(BinaryOperator::Multiply, batch(), number(16)), "16*batch");
  EXPECT_EQ(apply(BinaryOperator::Divide, batch(16), number(4)), "4*batch");
  EXPECT_EQ(apply(BinaryOperator::Divide, batch(), number(3)), "batch/3");
  EXPECT_EQ(apply(BinaryOperator::Multiply, batch(), batch()), "batch**2");
  EXPECT_EQ(apply(BinaryOperator::Multiply, batch(), number(0.5)), "batch/2");
  EXPECT_EQ(apply(BinaryOperator::Power, batch(2), number(2)), "4*batch**2");
  EXPECT_EQ(apply(BinaryOperator::Divide, number(1), batch()), "batch**-1");
}

TEST(StaticValue, whatNoExtentCanHoldIsNotStatic) {
  EXPECT_EQ(apply(BinaryOperator::Subtract, batch(), number(1)), "not static");
  EXPECT_EQ(apply(BinaryOperator::Multiply, batch(), number(0.1)),
            "not static");
  EXPECT_EQ(apply(BinaryOperator::Multiply, batch(), number(-1)), "not static");
  EXPECT_EQ(apply(BinaryOperator::Power, batch(), number(0.5)), "not static");
  EXPECT_EQ(
      apply(BinaryOperator::Multiply, batch(int64_t(1) << 30), number(1024)),
      "not static");
  EXPECT_EQ(apply(BinaryOperator::Less, batch(), number(2)), "not static");
  EXPECT_EQ(show(evaluateFunction("sqrt", squareRoot, batch())), "not static");
}

TEST(StaticValue, anExtentThatLosesTheBatchIsANumber) {
  StaticResult one = evaluate(BinaryOperator::Divide, batch(3), batch(2));
  ASSERT_TRUE(one.value);
  ASSERT_TRUE(one.value->getNumber());
  EXPECT_EQ(*one.value->getNumber(), 1.5);
}

TEST(StaticValue, extentsOfDimensions) {
  EXPECT_EQ(number(64).asExtent(), nn::Extent(64));
  EXPECT_EQ(batch(1, 4).asExtent(), nn::Extent(1, 4, 1));
  EXPECT_FALSE(number(0.5).asExtent());
  EXPECT_FALSE(number(0).asExtent());
  EXPECT_FALSE(number(-3).asExtent());
  EXPECT_FALSE(batch(1, 1, -1).asExtent());
  EXPECT_FALSE(StaticValue(true).asExtent());
}

TEST(StaticValue, text) {
  EXPECT_EQ(number(1e-5).str(), "1e-05");
  EXPECT_EQ(number(0.1).str(), "0.1");
  EXPECT_EQ(number(1e300).str(), "1e+300");
  EXPECT_EQ(StaticValue(StringRef("mean")).describe(), "the string \"mean\"");
  EXPECT_EQ(StaticValue(StaticValue::List{number(1), batch()}).describe(),
            "the list [1, batch]");
}

TEST(StaticValue, typesAsModelFilesWriteThem) {
  MLIRContext context;
  context.loadDialect<nn::NNDialect>();
  Type f32 = Float32Type::get(&context);
  EXPECT_EQ(formatType(nn::getTensorType({nn::Extent(16, 1, 1), 64}, f32)),
            "f32[16*batch, 64]");
  EXPECT_EQ(formatType(RankedTensorType::get({}, f32)), "f32");
}

} // namespace
