//===- VerifyTest.cpp - Full batch against micro-batches ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Verify.h"
#include "ReferenceTest.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

namespace {
class VerifyTest : public ReferenceTest {
protected:
  /// A two-layer classifier with a batch of 24 whose loss is reduced by
  /// `reduction`.
  func::FuncOp parseClassifier(StringRef reduction) {
    return parse((R"(
      func.func @classifier(
          %w1: tensor<7x5xf32> {train.role = #train.role<param>, train.name = "w1", train.init = #train.uniform<0.5>, train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
          %b1: tensor<7xf32> {train.role = #train.role<param>, train.name = "b1", train.init = #train.fill<0.0>, train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
          %w2: tensor<3x7xf32> {train.role = #train.role<param>, train.name = "w2", train.init = #train.normal<mean = 0.0, std = 0.5>, train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
          %x: tensor<?x5xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64},
          %label: tensor<?xi32> {train.role = #train.role<batch>, train.name = "label", train.batch_dim = 0 : i64})
          -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"},
              tensor<f32> {train.result = #train.result<metric>, train.name = "accuracy"})
          attributes {train.model, train.batch = 24 : i64} {
        %0 = nn.matmul %x, %w1 transpose_rhs : (tensor<?x5xf32>, tensor<7x5xf32>) -> tensor<?x7xf32>
        %1 = nn.broadcast %b1 dims [0] : tensor<7xf32> to tensor<?x7xf32>
        %2 = nn.add %0, %1 : tensor<?x7xf32>
        %h = nn.tanh %2 : tensor<?x7xf32>
        %logits = nn.matmul %h, %w2 transpose_rhs : (tensor<?x7xf32>, tensor<3x7xf32>) -> tensor<?x3xf32>
        %guess = nn.argmax %logits dim 1 : tensor<?x3xf32> -> tensor<?xi32>
        %hit = nn.compare eq %guess, %label : tensor<?xi32>
        %hits = nn.convert %hit : tensor<?xi1> to tensor<?xf32>
        %accuracy = nn.mean %hits dims [0] : tensor<?xf32> -> tensor<f32>
        %losses = nn.cross_entropy %logits, %label : (tensor<?x3xf32>, tensor<?xi32>) -> tensor<?xf32>
        %loss = nn.)" +
                  reduction +
                  R"( %losses dims [0] : tensor<?xf32> -> tensor<f32>
        return %loss, %accuracy : tensor<f32>, tensor<f32>
      })")
                     .str());
  }

  static std::string print(const VerifyReport &report) {
    std::string text;
    llvm::raw_string_ostream os(text);
    report.print(os);
    return text;
  }
};
} // namespace

TEST_F(VerifyTest, DefaultMicroBatches) {
  EXPECT_EQ(getDefaultMicroBatches(512),
            (SmallVector<int64_t>{512, 256, 128, 102}));
  EXPECT_EQ(getDefaultMicroBatches(24), (SmallVector<int64_t>{24, 12, 6, 5}));
  EXPECT_EQ(getDefaultMicroBatches(24, 4),
            (SmallVector<int64_t>{24, 12, 4, 16}));
  EXPECT_EQ(getDefaultMicroBatches(4, 4), (SmallVector<int64_t>{4}));
  EXPECT_EQ(getDefaultMicroBatches(2), (SmallVector<int64_t>{2, 1}));
  EXPECT_EQ(getDefaultMicroBatches(1), (SmallVector<int64_t>{1}));
}

TEST_F(VerifyTest, Mean) {
  func::FuncOp model = parseClassifier("mean");
  ASSERT_TRUE(model);
  auto report = verify(model);
  ASSERT_TRUE(succeeded(report));
  EXPECT_TRUE(report->passed()) << print(*report);
  EXPECT_EQ(report->variants.size(), 8u);
  ASSERT_EQ(report->rows.size(), 6u);
  EXPECT_EQ(report->rows[0].name, "w1");
  EXPECT_EQ(report->rows[3].name, "loss");
  EXPECT_EQ(report->rows[4].name, "grad_norm");
  EXPECT_EQ(report->rows[5].name, "accuracy");
  for (const VerifyRow &row : report->rows) {
    // One micro-batch is the full batch, to the bit.
    EXPECT_EQ(row.f64Errors[0], 0);
    EXPECT_EQ(row.declaredErrors[0], 0);
    for (std::optional<double> error : row.f64Errors)
      EXPECT_LT(error.value(), 1e-14);
  }
  // In f32 the order of summation is seen.
  EXPECT_GT(report->rows[0].declaredErrors[1], 0);
  ASSERT_TRUE(report->contrast);
  EXPECT_EQ(report->contrast->microBatch, 12);
  EXPECT_NEAR(report->contrast->factor, 2.0, 1e-12);
  ASSERT_EQ(report->gradients.size(), 3u);
  for (const GradientCheckResult &check : report->gradients)
    EXPECT_TRUE(check.passed) << check.name << " " << check.error;
  EXPECT_TRUE(messages.empty());
}

TEST_F(VerifyTest, SumNeedsNoWeights) {
  func::FuncOp model = parseClassifier("sum");
  ASSERT_TRUE(model);
  VerifyOptions options;
  options.microBatches = {5};
  options.recompute = false;
  options.differences = false;
  auto report = verify(model, options);
  ASSERT_TRUE(succeeded(report));
  EXPECT_TRUE(report->passed()) << print(*report);
  EXPECT_EQ(report->variants.size(), 1u);
  EXPECT_TRUE(report->gradients.empty());
  ASSERT_TRUE(report->contrast);
  EXPECT_NEAR(report->contrast->factor, 1.0, 1e-12);
}

TEST_F(VerifyTest, WrongSizesAreRefused) {
  func::FuncOp model = parseClassifier("mean");
  ASSERT_TRUE(model);
  VerifyOptions options;
  options.microBatches = {25};
  EXPECT_TRUE(failed(verify(model, options)));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0], "'func.func' op expected micro-batches of 1 to 24 "
                         "samples, got 25");
}

TEST_F(VerifyTest, CoupledLossIsRefusedOnce) {
  func::FuncOp model = parse(R"(
    func.func @coupled(
        %w: tensor<f32> {train.role = #train.role<param>, train.name = "w", train.rule = #train.sgd<lr = 0.1, momentum = 0.0, nesterov = false, weight_decay = 0.0>},
        %x: tensor<?xf32> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
        -> (tensor<f32> {train.result = #train.result<loss>, train.name = "loss"})
        attributes {train.model, train.batch = 8 : i64} {
      %0 = nn.broadcast %w dims [0] : tensor<f32> to tensor<?xf32>
      %1 = nn.mul %x, %0 : tensor<?xf32>
      %2 = nn.mean %1 dims [0] : tensor<?xf32> -> tensor<f32>
      %3 = nn.broadcast %2 dims [0] : tensor<f32> to tensor<?xf32>
      %4 = nn.sub %1, %3 : tensor<?xf32>
      %5 = nn.square %4 : tensor<?xf32>
      %6 = nn.mean %5 dims [0] : tensor<?xf32> -> tensor<f32>
      return %6 : tensor<f32>
    })");
  ASSERT_TRUE(model);
  VerifyOptions options;
  options.coupled = Coupled::Error;
  EXPECT_TRUE(failed(verify(model, options)));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("couples samples"), std::string::npos);
  options.coupled = Coupled::Recompute;
  FailureOr<VerifyReport> report = verify(model, options);
  ASSERT_TRUE(succeeded(report));
  EXPECT_TRUE(report->passed());
}

TEST_F(VerifyTest, FailuresAreSeen) {
  VerifyReport report{"m", 8, {{4, false}}};
  Type f32 = Float32Type::get(&context);
  ResultTolerance tolerance{1e-12, getTolerance(f32)};
  report.rows.push_back({"w", f32, tolerance, {1e-16}, {1e-7}});
  EXPECT_TRUE(report.passed());
  report.rows.push_back({"v", f32, tolerance, {1e-16}, {1e-4}});
  EXPECT_FALSE(report.passed());
  EXPECT_NE(print(report).find("FAIL"), std::string::npos);
  report.rows.back() = {"v", f32, tolerance, {1e-11}, {1e-7}};
  EXPECT_FALSE(report.passed());
  report.rows.pop_back();
  report.gradients.push_back({"w", 20, 0, 1e-3, false});
  EXPECT_FALSE(report.passed());
}

TEST_F(VerifyTest, RoundingWidensUpToALimit) {
  // mean((x + 1000)^2) - mean(x + 1000)^2 cancels.
  func::FuncOp step = parse(R"(
    func.func @f(%x: tensor<?xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
      %far = nn.constant dense<1000.0> : tensor<f32>
      %0 = nn.broadcast %far dims [0] : tensor<f32> to tensor<?xf32>
      %1 = nn.add %x, %0 : tensor<?xf32>
      %2 = nn.square %1 : tensor<?xf32>
      %3 = nn.mean %2 dims [0] : tensor<?xf32> -> tensor<f32>
      %4 = nn.mean %1 dims [0] : tensor<?xf32> -> tensor<f32>
      %5 = nn.square %4 : tensor<f32>
      %6 = nn.sub %3, %5 : tensor<f32>
      %7 = nn.mean %x dims [0] : tensor<?xf32> -> tensor<f32>
      %half = nn.convert %4 : tensor<f32> to tensor<bf16>
      %8 = nn.convert %half : tensor<bf16> to tensor<f32>
      return %6, %7, %8 : tensor<f32>, tensor<f32>, tensor<f32>
    })");
  ASSERT_TRUE(step);
  SmallVector<ResultTolerance> tolerances = getTolerances(step);
  ASSERT_EQ(tolerances.size(), 3u);
  EXPECT_EQ(tolerances[0].declared, 1e-5);
  EXPECT_EQ(tolerances[2].declared, 100 * 0x1p-8);
  Tensor x(RankedTensorType::get({4}, Float32Type::get(&context)));
  for (auto [i, value] : llvm::enumerate(x.getMutableFloats()))
    value = 0.1 * (i + 1);
  ASSERT_TRUE(succeeded(widenTolerances(step, {x}, 4, tolerances)));
  // About 1e6 times the unit roundoff, over a variance of 0.0125.
  EXPECT_GT(tolerances[0].rounding, 1e-9);
  EXPECT_EQ(tolerances[0].f64, 1e-8);
  EXPECT_EQ(tolerances[0].declared, 1);
  EXPECT_EQ(tolerances[1].rounding, 0);
  EXPECT_EQ(tolerances[1].f64, 1e-12);
  EXPECT_EQ(tolerances[1].declared, 1e-5);
}
