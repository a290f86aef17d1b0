//===- StatisticsSpreadTest.cpp - Statistics of micro-batches -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/StatisticsSpread.h"
#include "ReferenceTest.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

TEST(ExpectSpread, SamplesWithoutReplacement) {
  StatisticsSpread spread = expectSpread(5, 12);
  EXPECT_NEAR(spread.mean, 0.34157, 1e-5);
  EXPECT_NEAR(spread.deviation, 0.28204, 1e-5);
  // The whole batch.
  spread = expectSpread(12, 12);
  EXPECT_EQ(spread.mean, 0);
  EXPECT_EQ(spread.deviation, 0);
  // A single value has no deviation.
  spread = expectSpread(1, 12);
  EXPECT_NEAR(spread.mean, 0.95743, 1e-5);
  EXPECT_EQ(spread.deviation, 1);
}

namespace {
class StatisticsSpreadTest : public ReferenceTest {
protected:
  /// Statistics of normalize(x) and its gradient over `batch` samples, where
  /// they are those of micro-batches.
  MicroStatisticsOfStep collect(int64_t batch) {
    func::FuncOp step = parse(R"(
      func.func @step(
          %x: tensor<?x2xf64> {train.role = #train.role<batch>, train.name = "x", train.batch_dim = 0 : i64})
          -> tensor<f64> {
        %v, %w = nn.moments %x dims [0] : tensor<?x2xf64> -> tensor<2xf64>, tensor<2xf64>
        %y = nn.normalize %x dims [0] eps 1.0e-5 : tensor<?x2xf64>
        %q = nn.square %y : tensor<?x2xf64>
        %g = nn.normalize_grad %x, %q dims [0] eps 1.0e-5 : tensor<?x2xf64>
        %a = nn.sum %g dims [0, 1] : tensor<?x2xf64> -> tensor<f64>
        %b = nn.sum %w dims [0] : tensor<2xf64> -> tensor<f64>
        %s = nn.add %a, %b : tensor<f64>
        return %s : tensor<f64>
      })");
    if (!step)
      return {};
    BatchAnalysisOptions options;
    options.batch = batch;
    options.microStatistics = true;
    FailureOr<BatchPlan> plan = analyzeBatch(step, options);
    if (failed(plan))
      return {};
    EXPECT_EQ(plan->microStatistics.size(), 2u);
    return collectMicroStatistics(step, *plan, options);
  }
};
} // namespace

TEST_F(StatisticsSpreadTest, FormulasShareStatistics) {
  MicroStatisticsOfStep statistics = collect(5);
  // Neither the gradient again nor the variance that the step asks for, which
  // is that of the batch.
  ASSERT_EQ(statistics.ops.size(), 1u);
  EXPECT_EQ(statistics.ops[0].op->getName().getStringRef(), "nn.normalize");
  EXPECT_EQ(statistics.ops[0].countValues(5), 5);
  EXPECT_EQ((*statistics.function).getNumResults(), 2u);
}

TEST_F(StatisticsSpreadTest, DistancesOfLargestMicroBatches) {
  // The second column is the same for all samples and has no deviation.
  const double column[] = {0, 2, 4, 6, 10};
  MicroStatisticsOfStep statistics = collect(5);
  ASSERT_EQ(statistics.ops.size(), 1u);
  MicroBatchSpan spans[] = {{2, 2, 0}, {1, 1, 4}};
  FailureOr<SmallVector<StatisticsSpread>> spreads = measureSpread(
      statistics, spans,
      [&](int64_t first, int64_t count) -> FailureOr<SmallVector<Tensor>> {
        Tensor x(RankedTensorType::get({count, 2}, Float64Type::get(&context)));
        for (int64_t i = 0; i < count; ++i) {
          x.getMutableFloats()[2 * i] = column[first + i];
          x.getMutableFloats()[2 * i + 1] = 0.1;
        }
        return SmallVector<Tensor>{x};
      });
  ASSERT_TRUE(succeeded(spreads));
  // Means 1 and 5 of 4.4, deviations 1 and 1 of the root of 11.84.
  EXPECT_NEAR(spreads->front().mean, 0.709492, 1e-6);
  EXPECT_NEAR(spreads->front().deviation, 0.709380, 1e-6);
}

TEST_F(StatisticsSpreadTest, NotFinite) {
  MicroStatisticsOfStep statistics = collect(4);
  MicroBatchSpan spans[] = {{2, 2, 0}};
  auto spreads = measureSpread(
      statistics, spans,
      [&](int64_t, int64_t count) -> FailureOr<SmallVector<Tensor>> {
        Tensor x(RankedTensorType::get({count, 2}, Float64Type::get(&context)));
        x.getMutableFloats()[0] = std::numeric_limits<double>::quiet_NaN();
        return SmallVector<Tensor>{x};
      });
  EXPECT_TRUE(failed(spreads));
}
