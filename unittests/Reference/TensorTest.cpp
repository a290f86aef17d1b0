//===- TensorTest.cpp - Tensors and rounding ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Tensor.h"
#include "accrue/Reference/EvaluationContext.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace accrue::reference;

namespace {
class TensorTest : public ::testing::Test {
protected:
  Tensor make(std::vector<double> values) {
    Tensor tensor(RankedTensorType::get({int64_t(values.size())},
                                        Float64Type::get(&context)));
    llvm::copy(values, tensor.getMutableFloats().begin());
    return tensor;
  }

  std::string print(const Tensor &tensor, std::optional<unsigned> digits = {}) {
    std::string text;
    llvm::raw_string_ostream os(text);
    tensor.print(os, digits);
    return text;
  }

  MLIRContext context;
};

/// `value` rounded by APFloat, the independent judge.
double roundByAPFloat(double value, const llvm::fltSemantics &semantics) {
  llvm::APFloat number(value);
  bool inexact;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToDouble();
}
} // namespace

TEST_F(TensorTest, CopiesShareUntilWritten) {
  Tensor first = make({1, 2});
  Tensor second = first;
  EXPECT_EQ(first.getFloats().data(), second.getFloats().data());
  second.getMutableFloats()[0] = 5;
  EXPECT_EQ(first.getFloats()[0], 1);
  EXPECT_EQ(second.getFloats()[0], 5);
}

TEST_F(TensorTest, AttributesBecomeTensors) {
  Builder builder(&context);
  auto type = RankedTensorType::get({2, 2}, builder.getI32Type());
  auto tensor = Tensor::get(DenseElementsAttr::get(type, {1, -2, 3, 4}));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(print(*tensor), "[[1, -2], [3, 4]]");
  auto bools = Tensor::get(DenseElementsAttr::get(
      RankedTensorType::get({2}, builder.getI1Type()), {true, false}));
  ASSERT_TRUE(bools);
  EXPECT_EQ(print(*bools), "[1, 0]");
  auto splat = Tensor::get(DenseElementsAttr::get(
      RankedTensorType::get({3}, builder.getF32Type()), 0.1f));
  ASSERT_TRUE(splat);
  EXPECT_EQ(print(*splat), "[0.1, 0.1, 0.1]");
}

TEST_F(TensorTest, Printing) {
  EXPECT_EQ(print(make({1.0 / 3})), "[0.3333333333333333]");
  EXPECT_EQ(print(make({1.0 / 3}), 3), "[0.333]");
  EXPECT_EQ(print(make({})), "[]");
  EXPECT_EQ(print(Tensor::getScalar(Float32Type::get(&context), 0.5)), "0.5");
  EXPECT_EQ(print(make({std::nan(""), -INFINITY})), "[nan, -inf]");
}

TEST_F(TensorTest, ErrorMeasure) {
  EXPECT_EQ(getError(make({1, 2}), make({1, 2})), 0);
  EXPECT_DOUBLE_EQ(getError(make({1, 2.5}), make({1, 2})), 0.25);
  // Small references are measured against 1e-6.
  EXPECT_DOUBLE_EQ(getError(make({1e-9}), make({0})), 1e-3);
  EXPECT_EQ(getError(make({std::nan("")}), make({std::nan("")})), 0);
  EXPECT_TRUE(std::isinf(getError(make({std::nan("")}), make({1}))));
  EXPECT_TRUE(std::isinf(getError(make({INFINITY}), make({-INFINITY}))));
  EXPECT_EQ(getError(make({INFINITY, 1}), make({INFINITY, 1})), 0);
}

TEST_F(TensorTest, RoundingAgreesWithAPFloat) {
  std::vector<double> values = {0.1,    1.0 / 3, 65519.99, 65520,   1e-8,
                                6e-8,   3e-8,    257,      259,     3.4e38,
                                3.5e38, 1e-45,   1e-39,    2.5e-41, -0.0,
                                2049,   2051,    1e300,    5e-324};
  for (int i = 0; i < 2000; ++i)
    values.push_back(
        std::ldexp(1 + std::fmod(i * 0.6180339887498949, 1.0), i % 320 - 160));
  for (double value : values)
    for (double signedValue : {value, -value}) {
      EXPECT_EQ(Rounding(Float32Type::get(&context))(signedValue),
                roundByAPFloat(signedValue, llvm::APFloat::IEEEsingle()));
      EXPECT_EQ(Rounding(Float16Type::get(&context))(signedValue),
                roundByAPFloat(signedValue, llvm::APFloat::IEEEhalf()));
      EXPECT_EQ(Rounding(BFloat16Type::get(&context))(signedValue),
                roundByAPFloat(signedValue, llvm::APFloat::BFloat()));
      EXPECT_EQ(Rounding(Float64Type::get(&context))(signedValue), signedValue);
    }
}
