//===- GradientCheckTest.cpp - Gradients against differences --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/GradientCheck.h"
#include "ReferenceTest.h"
#include "accrue/Reference/Arguments.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

namespace {
class GradientCheckTest : public ReferenceTest {
protected:
  /// Checks the step "mean(relu(x + w)^2)" whose gradient by w is `factor`
  /// times the right one, at w = `w`, x = 0.
  FailureOr<SmallVector<GradientCheckResult>> check(double factor, double w) {
    func::FuncOp model = parse(R"(
      func.func @f(%w: tensor<3xf64> {train.role = #train.role<param>, train.name = "w"},
                   %x: tensor<?x3xf64> {train.role = #train.role<batch>, train.name = "x"})
          -> (tensor<f64> {train.result = #train.result<loss>}) {
        %0 = nn.broadcast %w dims [0] : tensor<3xf64> to tensor<?x3xf64>
        %1 = nn.add %x, %0 : tensor<?x3xf64>
        %2 = nn.relu %1 : tensor<?x3xf64>
        %3 = nn.mean %2 dims [0, 1] : tensor<?x3xf64> -> tensor<f64>
        return %3 : tensor<f64>
      })");
    func::FuncOp step = parse(llvm::formatv(R"(
      func.func @f(%w: tensor<3xf64> {{train.role = #train.role<param>, train.name = "w"},
                   %x: tensor<?x3xf64> {{train.role = #train.role<batch>, train.name = "x"})
          -> (tensor<3xf64> {{train.result = #train.result<gradient>, train.name = "w"}) {{
        %0 = nn.broadcast %w dims [0] : tensor<3xf64> to tensor<?x3xf64>
        %1 = nn.add %x, %0 : tensor<?x3xf64>
        %c = nn.constant dense<{0:f9}> : tensor<f64>
        %z = nn.constant dense<0.0> : tensor<f64>
        %zero = nn.broadcast %z dims [0, 1] : tensor<f64> to tensor<?x3xf64>
        %share = nn.distribute %c dims [0, 1] : tensor<f64> to tensor<?x3xf64>
        %mask = nn.compare gt %1, %zero : tensor<?x3xf64>
        %2 = nn.select %mask, %share, %zero : tensor<?x3xi1>, tensor<?x3xf64>
        %3 = nn.sum %2 dims [0] : tensor<?x3xf64> -> tensor<3xf64>
        return %3 : tensor<3xf64>
      })",
                                            factor)
                                  .str());
    if (!model || !step)
      return failure();
    Type f64 = Float64Type::get(&context);
    Tensor param(RankedTensorType::get({3}, f64));
    for (double &value : param.getMutableFloats())
      value = w;
    return checkGradients(model, step,
                          {param, Tensor(RankedTensorType::get({8, 3}, f64))});
  }
};
} // namespace

TEST_F(GradientCheckTest, RightGradient) {
  auto results = check(1.0, 0.5);
  ASSERT_TRUE(succeeded(results));
  ASSERT_EQ(results->size(), 1u);
  const GradientCheckResult &result = results->front();
  EXPECT_TRUE(result.passed);
  EXPECT_EQ(result.name, "w");
  EXPECT_EQ(result.probes, 7u); // 4 directions, all 3 elements.
  EXPECT_EQ(result.kinks, 0u);
  EXPECT_LT(result.error, 1e-8);
}

TEST_F(GradientCheckTest, WrongGradient) {
  auto results = check(1.001, 0.5);
  ASSERT_TRUE(succeeded(results));
  EXPECT_FALSE(results->front().passed);
  EXPECT_NEAR(results->front().error, 1e-3, 1e-4);
}

TEST_F(GradientCheckTest, KinkIsReportedNotAccused) {
  // The larger step reaches across the kink at 0, the smaller does not.
  auto results = check(1.0, 1.5e-5);
  ASSERT_TRUE(succeeded(results));
  EXPECT_TRUE(results->front().passed);
  EXPECT_GE(results->front().kinks, 3u);
}

TEST_F(GradientCheckTest, StoppedGradientsAreConstants) {
  // loss = sum(w * stop_gradient(w * w)), whose gradient is w * w.
  func::FuncOp model = parse(R"(
    func.func @f(%w: tensor<3xf64> {train.role = #train.role<param>, train.name = "w"})
        -> (tensor<f64> {train.result = #train.result<loss>}) {
      %0 = nn.mul %w, %w : tensor<3xf64>
      %1 = nn.stop_gradient %0 : tensor<3xf64>
      %2 = nn.mul %w, %1 : tensor<3xf64>
      %3 = nn.sum %2 dims [0] : tensor<3xf64> -> tensor<f64>
      return %3 : tensor<f64>
    })");
  func::FuncOp step = parse(R"(
    func.func @f(%w: tensor<3xf64> {train.role = #train.role<param>, train.name = "w"})
        -> (tensor<3xf64> {train.result = #train.result<gradient>, train.name = "w"}) {
      %0 = nn.mul %w, %w : tensor<3xf64>
      return %0 : tensor<3xf64>
    })");
  ASSERT_TRUE(model && step);
  Tensor param(RankedTensorType::get({3}, Float64Type::get(&context)));
  for (double &value : param.getMutableFloats())
    value = 0.7;
  auto results = checkGradients(model, step, {param});
  ASSERT_TRUE(succeeded(results));
  EXPECT_TRUE(results->front().passed);
  EXPECT_LT(results->front().error, 1e-8);
}
