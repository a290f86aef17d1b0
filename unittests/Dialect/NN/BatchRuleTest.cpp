//===- BatchRuleTest.cpp - Tests of how reshapes carry samples ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace accrue;

namespace {
/// The samples [first, last) that an element belongs to.
using Samples = std::pair<int64_t, int64_t>;

/// Those of the elements of a tensor of shape `shape`, in row-major order, for
/// a dimension that enumerates samples as `mode` does.
std::vector<Samples> getSamples(ArrayRef<int64_t> shape, MappedMode mode,
                                int64_t batch) {
  int64_t after = 1, count = 1;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    count *= extent;
    if (static_cast<int64_t>(dim) > mode.dim)
      after *= extent;
  }
  int64_t groups = batch / mode.innerDenominator;
  EXPECT_EQ(shape[mode.dim], mode.getExtent(batch));
  std::vector<Samples> samples;
  for (int64_t i = 0; i != count; ++i) {
    int64_t row = i / after % shape[mode.dim];
    int64_t group = row / mode.inner % groups;
    samples.push_back(
        {group * mode.innerDenominator, (group + 1) * mode.innerDenominator});
  }
  return samples;
}

class BatchRuleTest : public ::testing::Test {
protected:
  BatchRuleTest() {
    context.loadDialect<nn::NNDialect>();
    context.allowUnregisteredDialects();
  }

  /// The op `text`, which reads %x (and %y) of type `type`.
  BatchOpInterface parse(const std::string &text, const std::string &type) {
    std::string source = "%x, %y = \"test.values\"() : () -> (" + type + ", " +
                         type + ")\n%r = " + text;
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << source;
    return module ? cast<BatchOpInterface>(&module->getBody()->back())
                  : BatchOpInterface();
  }

  BatchOpInterface reshape(const std::string &from, const std::string &to) {
    return parse("nn.reshape %x : " + from + " to " + to, from);
  }

  /// That the reshape carries `mode` to `expected`, that every element then
  /// belongs to the samples that it belonged to, or to the group around them,
  /// and that a slice of the result is one of the operand.
  void expectCarries(const std::string &from, MappedMode mode,
                     const std::string &to, MappedMode expected,
                     bool isReversible = true) {
    BatchOpInterface op = reshape(from, to);
    ASSERT_TRUE(op);
    std::string reason;
    FailureOr<BatchRule> rule =
        op.inferBatchRule({BatchState::mapped(mode)}, reason);
    ASSERT_TRUE(succeeded(rule)) << reason;
    EXPECT_EQ(rule->operands[0], BatchState::mapped(mode));
    EXPECT_EQ(rule->results[0].str(), BatchState::mapped(expected).str());
    EXPECT_FALSE(op.getRequiredRuns({BatchState::mapped(mode)}));
    constexpr int64_t kBatch = 48;
    auto getShape = [&](Value value) {
      return nn::getTypeForBatch(cast<RankedTensorType>(value.getType()),
                                 kBatch)
          .getShape();
    };
    std::vector<Samples> before =
        getSamples(getShape(op->getOperand(0)), mode, kBatch);
    std::vector<Samples> after =
        getSamples(getShape(op->getResult(0)), expected, kBatch);
    ASSERT_EQ(before.size(), after.size());
    for (auto [i, samples] : llvm::enumerate(before)) {
      const Samples &wide = std::max(samples, after[i], [](auto a, auto b) {
        return a.second - a.first < b.second - b.first;
      });
      EXPECT_LE(wide.first, std::min(samples.first, after[i].first)) << i;
      EXPECT_GE(wide.second, std::max(samples.second, after[i].second)) << i;
    }
    auto operandModes = op.operandModes(0, expected);
    ASSERT_EQ(operandModes.has_value(), isReversible);
    if (isReversible) {
      EXPECT_EQ((*operandModes)[0].str(), BatchState::mapped(mode).str());
    }
  }

  /// That the reshape has no rule unless micro-batches take the same positions
  /// of `runs` times as many runs (0: of none).
  void expectRefuses(const std::string &from, MappedMode mode,
                     const std::string &to, int64_t runs) {
    BatchOpInterface op = reshape(from, to);
    ASSERT_TRUE(op);
    std::string reason;
    EXPECT_TRUE(failed(op.inferBatchRule({BatchState::mapped(mode)}, reason)));
    EXPECT_FALSE(reason.empty());
    EXPECT_EQ(op.getRequiredRuns({BatchState::mapped(mode)}).value_or(0), runs);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

const std::string kBatch = "tensor<?x4xf32>";
std::string with(const std::string &shape, const std::string &extents) {
  return "tensor<" + shape + "xf32, #nn.extents<" + extents + ">>";
}
} // namespace

TEST_F(BatchRuleTest, RowsOfSamples) {
  std::string rows = with("?", "\"4*B\"");
  expectCarries(kBatch, {0, 1, 1, 1}, rows, {0, 1, 4, 1});
  expectCarries(rows, {0, 1, 4, 1}, kBatch, {0, 1, 1, 1});
  expectCarries("tensor<4x?xf32>", {1, 1, 1, 1}, rows, {0, 4, 1, 1});
  expectCarries(rows, {0, 4, 1, 1}, "tensor<4x?xf32>", {1, 1, 1, 1});
  expectCarries(rows, {0, 4, 1, 1}, with("2x?", "\"2*B\""), {1, 2, 1, 1});
  expectCarries(rows, {0, 2, 2, 1}, "tensor<2x?x2xf32>", {1, 1, 1, 1});
}

// Rows that stand for adjacent samples make them come in groups.
TEST_F(BatchRuleTest, GroupsOfSamples) {
  std::string rows = with("?x12", "\"B/3\"");
  expectCarries(kBatch, {0, 1, 1, 1}, rows, {0, 1, 1, 3});
  // A slice by samples would cut the groups of the operand.
  expectCarries(rows, {0, 1, 1, 3}, kBatch, {0, 1, 1, 1},
                /*isReversible=*/false);
  // A sample of 4 elements and a row of 6: two samples, three rows.
  expectCarries(kBatch, {0, 1, 1, 1}, with("?x3", "\"4*B/3\""), {0, 1, 4, 3});
  expectCarries(with("?x3", "\"4*B/3\""), {0, 1, 4, 3}, kBatch, {0, 1, 1, 1},
                /*isReversible=*/false);
}

// The samples of a row are B/2 apart.
TEST_F(BatchRuleTest, RunsOfSamples) {
  std::string line = "tensor<?xf32>", runs = with("2x?", "\"B/2\""),
              pairs = with("?x2", "\"B/2\"");
  expectRefuses(line, {0, 1, 1, 1}, runs, 2);
  expectCarries(line, {0, 2, 1, 2}, runs, {1, 1, 1, 2});
  expectCarries(runs, {1, 1, 1, 2}, line, {0, 2, 1, 2});
  // Pairs of adjacent samples next to it: groups of two in each run.
  expectCarries(line, {0, 2, 1, 2}, pairs, {0, 2, 1, 4});
  // Runs of runs.
  expectRefuses(line, {0, 2, 1, 2}, with("6x?", "\"B/6\""), 3);
  expectCarries(line, {0, 6, 1, 6}, with("6x?", "\"B/6\""), {1, 1, 1, 6});
  expectCarries(line, {0, 6, 1, 6}, runs, {1, 3, 1, 6});
  // Rows within samples: 3/2 rows for each of two samples.
  expectCarries("tensor<?x3xf32>", {0, 2, 1, 2}, with("?", "\"3*B\""),
                {0, 2, 3, 2});
  expectCarries(with("?", "\"3*B\""), {0, 2, 3, 2}, "tensor<?x3xf32>",
                {0, 2, 1, 2});
  // No runs help where a row reads every sample.
  expectRefuses("tensor<?x?xf32>", {0, 1, 1, 1}, with("?", "\"B^2\""), 0);
}

// Operands side by side are further runs.
TEST_F(BatchRuleTest, Concatenation) {
  auto expectConcat = [&](MappedMode mode, MappedMode expected) {
    BatchOpInterface op =
        parse("nn.concat %x, %y dim 0 : (tensor<?xf32>, tensor<?xf32>) -> " +
                  with("?", "\"2*B\""),
              "tensor<?xf32>");
    ASSERT_TRUE(op);
    std::string reason;
    FailureOr<BatchRule> rule = op.inferBatchRule(
        {BatchState::mapped(mode), BatchState::once()}, reason);
    ASSERT_TRUE(succeeded(rule));
    EXPECT_EQ(rule->operands[1].str(), BatchState::mapped(mode).str());
    EXPECT_EQ(rule->results[0].str(), BatchState::mapped(expected).str());
    auto modes = op.operandModes(0, expected);
    ASSERT_TRUE(modes);
    EXPECT_EQ((*modes)[0].str(), BatchState::mapped(mode).str());
  };
  expectConcat({0, 1, 1, 1}, {0, 2, 1, 1});
  expectConcat({0, 2, 1, 2}, {0, 4, 1, 2});
}
