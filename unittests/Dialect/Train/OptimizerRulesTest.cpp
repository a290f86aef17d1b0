//===- OptimizerRulesTest.cpp - Tests of the optimizer rules --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three steps of one element against torch.optim and Optax (Lion), run in
// double; then the same steps as the ops that a rule builds.
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include <array>
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {
constexpr std::array<double, 3> kGradients = {0.5, -0.25, 0.125};
/// Factors of a schedule.
constexpr std::array<double, 3> kFactors = {1.0, 0.5, 0.25};

class OptimizerRulesTest : public ::testing::Test {
protected:
  OptimizerRulesTest() { context.loadDialect<TrainDialect>(); }

  OptimizerRule getSGD(double lr, double momentum, bool nesterov,
                       double weightDecay) {
    return cast<OptimizerRule>(
        Attribute(SGDAttr::get(&context, APFloat(lr), APFloat(momentum),
                               nesterov, APFloat(weightDecay))));
  }
  OptimizerRule getAdamW(double lr, double beta1, double beta2, double eps,
                         double weightDecay) {
    return cast<OptimizerRule>(Attribute(
        AdamWAttr::get(&context, APFloat(lr), APFloat(beta1), APFloat(beta2),
                       APFloat(eps), APFloat(weightDecay))));
  }
  OptimizerRule getAdam(double lr, double beta1, double beta2, double eps,
                        double weightDecay) {
    return cast<OptimizerRule>(Attribute(
        AdamAttr::get(&context, APFloat(lr), APFloat(beta1), APFloat(beta2),
                      APFloat(eps), APFloat(weightDecay))));
  }
  OptimizerRule getLion(double lr, double beta1, double beta2,
                        double weightDecay) {
    return cast<OptimizerRule>(
        Attribute(LionAttr::get(&context, APFloat(lr), APFloat(beta1),
                                APFloat(beta2), APFloat(weightDecay))));
  }
  OptimizerRule getAdagrad(double lr, double lrDecay, double weightDecay,
                           double initialAccumulatorValue, double eps) {
    return cast<OptimizerRule>(Attribute(AdagradAttr::get(
        &context, APFloat(lr), APFloat(lrDecay), APFloat(weightDecay),
        APFloat(initialAccumulatorValue), APFloat(eps))));
  }
  OptimizerRule getRMSprop(double lr, double alpha, double eps,
                           double weightDecay, double momentum, bool centered) {
    return cast<OptimizerRule>(Attribute(
        RMSpropAttr::get(&context, APFloat(lr), APFloat(alpha), APFloat(eps),
                         APFloat(weightDecay), APFloat(momentum), centered)));
  }

  /// Starts at 1 with zero slots; both forms of the rule must give `expected`.
  void check(OptimizerRule rule, std::array<double, 3> expected) {
    double param = 1, built = 1;
    SmallVector<double> slots(rule.getSlotNames().size());
    SmallVector<double> builtSlots(slots);
    for (int i = 0; i < 3; ++i) {
      rule.update(param, kGradients[i], slots, i + 1, kFactors[i]);
      EXPECT_NEAR(param, expected[i], 1e-14) << "step " << i + 1;
      build(rule, built, builtSlots, i);
      EXPECT_NEAR(built, expected[i], 1e-12) << "built, step " << i + 1;
    }
  }

  void build(OptimizerRule rule, double &param, SmallVector<double> &slots,
             int step) {
    ScalarProgram program(context);
    OpBuilder &builder = program.getBuilder();
    FloatType type = builder.getF64Type();
    SmallVector<Value> scalars = rule.buildStepScalars(
        builder, program.getLoc(), program.integer(step + 1),
        program.number(kFactors[step], builder.getF32Type()), type);
    SmallVector<Value> slotValues, newSlots;
    for (double slot : slots)
      slotValues.push_back(program.number(slot, type));
    Value result = rule.buildUpdate(
        builder, program.getLoc(), program.number(param, type),
        program.number(kGradients[step], type), slotValues, scalars, newSlots);
    ASSERT_EQ(newSlots.size(), slots.size());
    param = program.evaluate(result);
    for (auto [slot, value] : llvm::zip_equal(slots, newSlots))
      slot = program.evaluate(value);
  }

  /// The scalars that `rule` builds for one step, in `type`.
  SmallVector<double> buildScalars(OptimizerRule rule, int64_t step,
                                   FloatType type) {
    ScalarProgram program(context);
    OpBuilder &builder = program.getBuilder();
    return llvm::map_to_vector(
        rule.buildStepScalars(builder, program.getLoc(), program.integer(step),
                              program.number(1, builder.getF32Type()), type),
        [&](Value value) { return program.evaluate(value); });
  }

  MLIRContext context;
};
} // namespace

TEST_F(OptimizerRulesTest, SGD) {
  OptimizerRule rule = getSGD(0.1, 0, false, 0);
  EXPECT_TRUE(rule.getSlotNames().empty());
  check(rule, {0.95, 0.9625, 0.959375});
}

TEST_F(OptimizerRulesTest, SGDWithWeightDecay) {
  check(getSGD(0.1, 0, false, 0.01), {0.949, 0.9610255, 0.957660243625});
}

TEST_F(OptimizerRulesTest, SGDWithMomentum) {
  OptimizerRule rule = getSGD(0.1, 0.9, false, 0);
  EXPECT_EQ(rule.getSlotNames(), SmallVector<StringRef>{"momentum"});
  check(rule, {0.95, 0.94, 0.932375});
}

TEST_F(OptimizerRulesTest, SGDNesterovWithWeightDecay) {
  check(getSGD(0.1, 0.9, true, 0.01), {0.9031, 0.905337055, 0.894554392148875});
}

TEST_F(OptimizerRulesTest, AdamW) {
  OptimizerRule rule = getAdamW(0.01, 0.9, 0.999, 1e-8, 0);
  EXPECT_EQ(rule.getSlotNames(), (SmallVector<StringRef>{"m", "v"}));
  check(rule, {0.9900000002, 0.988668315035392, 0.987817242190613});
}

TEST_F(OptimizerRulesTest, AdamWWithWeightDecay) {
  check(getAdamW(0.01, 0.9, 0.999, 1e-8, 0.1),
        {0.9890000002, 0.987173815035292, 0.986075948736754});
}

// beta1 = 0: no logarithm of 0 in the bias correction.
TEST_F(OptimizerRulesTest, AdamWWithoutMomentum) {
  check(getAdamW(0.01, 0, 0.5, 1e-6, 0.1),
        {0.98900001999996, 0.992041043895921, 0.990543038634927});
}

// 1 - 0.999 in f32 would be off by 1.3e-5 of itself.
TEST_F(OptimizerRulesTest, AdamWCorrectsBiasInF32) {
  constexpr std::array<double, 2> betas = {0.9, 0.999};
  OptimizerRule rule = getAdamW(0.01, betas[0], betas[1], 1e-8, 0);
  for (int64_t step : {1, 2, 100, 1000000}) {
    SmallVector<double> scalars =
        buildScalars(rule, step, Float32Type::get(&context));
    for (auto [i, beta] : llvm::enumerate(betas)) {
      double expected = 1 - std::pow(beta, step);
      EXPECT_NEAR(scalars[i + 1], expected, 4e-7 * expected)
          << "beta " << beta << ", step " << step;
    }
  }
}

// 100000 is more than f16 holds, so the scalar is computed in f32.
TEST_F(OptimizerRulesTest, AdamWCountsStepsBeyondF16) {
  ScalarProgram program(context);
  OpBuilder &builder = program.getBuilder();
  SmallVector<Value> scalars =
      getAdamW(0.01, 0.9, 0.99999, 1e-8, 0)
          .buildStepScalars(builder, program.getLoc(), program.integer(100000),
                            program.number(1, builder.getF32Type()),
                            builder.getF16Type());
  auto rounded = scalars[2].getDefiningOp<arith::TruncFOp>();
  ASSERT_TRUE(rounded);
  EXPECT_NEAR(program.evaluate(rounded.getIn()), 1 - std::pow(0.99999, 100000),
              1e-6);
}

TEST_F(OptimizerRulesTest, AdamWithWeightDecay) {
  OptimizerRule rule = getAdam(0.01, 0.9, 0.999, 1e-8, 0.1);
  EXPECT_EQ(rule.getSlotNames(), (SmallVector<StringRef>{"m", "v"}));
  check(rule, {0.990000000166667, 0.987659599736263, 0.986265423985713});
}

TEST_F(OptimizerRulesTest, Lion) {
  OptimizerRule rule = getLion(0.01, 0.9, 0.99, 0);
  EXPECT_EQ(rule.getSlotNames(), SmallVector<StringRef>{"m"});
  // The second direction, 0.9 * 0.005 - 0.1 * 0.25, is negative.
  check(rule, {0.99, 0.995, 0.9925});
}

TEST_F(OptimizerRulesTest, LionWithWeightDecay) {
  check(getLion(0.01, 0.5, 0.9, 0.1), {0.989, 0.9935055, 0.990757123625});
}

TEST_F(OptimizerRulesTest, LionStaysWithoutGradient) {
  OptimizerRule rule = getLion(0.01, 0.9, 0.99, 0);
  double param = 1;
  SmallVector<double> slots = {0};
  rule.update(param, 0.0, slots, 1, 1.0);
  EXPECT_EQ(param, 1);
}

TEST_F(OptimizerRulesTest, Adagrad) {
  OptimizerRule rule = getAdagrad(0.1, 0, 0, 0, 1e-10);
  EXPECT_EQ(rule.getSlotNames(), SmallVector<StringRef>{"sum"});
  check(rule, {0.90000000002, 0.922360679790998, 0.91690523253605});
}

TEST_F(OptimizerRulesTest, AdagradWithAllOptions) {
  check(getAdagrad(0.1, 0.1, 0.01, 0.1, 1e-6),
        {0.915011944723724, 0.931942784459391, 0.927705585921373});
}

TEST_F(OptimizerRulesTest, RMSprop) {
  OptimizerRule rule = getRMSprop(0.01, 0.99, 1e-8, 0, 0, false);
  EXPECT_EQ(rule.getSlotNames(), SmallVector<StringRef>{"square_avg"});
  check(rule, {0.900000019999996, 0.922450678721086, 0.916948074800593});
}

TEST_F(OptimizerRulesTest, RMSpropWithMomentumAndWeightDecay) {
  OptimizerRule rule = getRMSprop(0.01, 0.9, 1e-6, 0.1, 0.9, false);
  EXPECT_EQ(rule.getSlotNames(),
            (SmallVector<StringRef>{"square_avg", "momentum"}));
  check(rule, {0.968377390064105, 0.958255569628747, 0.950797082942175});
}

TEST_F(OptimizerRulesTest, RMSpropCentered) {
  OptimizerRule rule = getRMSprop(0.01, 0.9, 1e-6, 0, 0, true);
  EXPECT_EQ(rule.getSlotNames(),
            (SmallVector<StringRef>{"square_avg", "grad_avg"}));
  check(rule, {0.966666888887407, 0.974090768182415, 0.972171370274268});
}

TEST_F(OptimizerRulesTest, RMSpropWithAllOptions) {
  OptimizerRule rule = getRMSprop(0.01, 0.9, 1e-6, 0.1, 0.9, true);
  EXPECT_EQ(rule.getSlotNames(),
            (SmallVector<StringRef>{"square_avg", "grad_avg", "momentum"}));
  check(rule, {0.966666851850823, 0.955870997513131, 0.94797295330666});
}

// In the first step the moments are corrected to gradient and its square: the
// direction is the sign of the gradient plus the decay.
TEST_F(OptimizerRulesTest, LAMBScalesByNorms) {
  auto rule = cast<OptimizerRule>(
      Attribute(LAMBAttr::get(&context, APFloat(0.01), APFloat(0.9),
                              APFloat(0.999), APFloat(0.0), APFloat(0.1))));
  ASSERT_TRUE(rule.hasScale());
  double zeros[] = {0, 0};
  SmallVector<double> terms = rule.getScaleTerms(2, -0.5, zeros, 1);
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_DOUBLE_EQ(terms[0], 4);
  EXPECT_NEAR(terms[1], 0.64, 1e-12);
  EXPECT_NEAR(rule.getScale({4, 0.64}), 2 / 0.8, 1e-12);
  EXPECT_EQ(rule.getScale({0, 0.64}), 1);
  EXPECT_EQ(rule.getScale({4, 0}), 1);

  ScalarProgram program(context);
  OpBuilder &builder = program.getBuilder();
  FloatType type = builder.getF64Type();
  auto number = [&](double value) { return program.number(value, type); };
  SmallVector<Value> scalars = rule.buildStepScalars(
      builder, program.getLoc(), program.integer(1), number(1), type);
  SmallVector<Value> built =
      rule.buildScaleTerms(builder, program.getLoc(), number(2), number(-0.5),
                           {number(0), number(0)}, scalars);
  ASSERT_EQ(built.size(), 2u);
  EXPECT_NEAR(program.evaluate(built[0]), 4, 1e-12);
  EXPECT_NEAR(program.evaluate(built[1]), 0.64, 1e-12);
  auto scale = [&](double a, double b) {
    return program.evaluate(
        rule.buildScale(builder, program.getLoc(), {number(a), number(b)}));
  };
  EXPECT_NEAR(scale(4, 0.64), 2 / 0.8, 1e-12);
  EXPECT_EQ(scale(0, 0.64), 1);
  EXPECT_EQ(scale(4, 0), 1);
}

// SGD by hand: the parameter is 0.95, 0.9625, 0.959375; the average, from 1 on,
// is half of itself and half of that.
// By hand: steps 0.1 f (g + 0.1 p), of which half of the last sum is kept.
TEST_F(OptimizerRulesTest, LARS) {
  auto get = [&](bool nesterov) {
    return cast<OptimizerRule>(Attribute(LARSAttr::get(
        &context, APFloat(0.1), APFloat(0.5), nesterov, APFloat(0.1),
        /*trust_coefficient=*/APFloat(0.5), /*eps=*/APFloat(0.25))));
  };
  OptimizerRule rule = get(false);
  EXPECT_EQ(rule.getSlotNames(), SmallVector<StringRef>{"momentum"});
  check(rule, {0.94, 0.9178, 0.9012805});
  check(get(true), {0.91, 0.906925, 0.89332403125});

  ASSERT_TRUE(rule.hasScale());
  SmallVector<double> terms = rule.getScaleTerms(3, 4, {0.0}, 1);
  ASSERT_EQ(terms.size(), 2u);
  EXPECT_DOUBLE_EQ(terms[0], 9);
  EXPECT_DOUBLE_EQ(terms[1], 4.3 * 4.3);
  // 0.5 * 5 / (0.6 + 0.25); 1 where a norm is 0.
  for (auto [param, direction, scale] :
       {std::array<double, 3>{25, 0.36, 2.5 / 0.85}, {0, 1, 1}, {1, 0, 1}}) {
    EXPECT_DOUBLE_EQ(rule.getScale({param, direction}), scale);
    ScalarProgram program(context);
    FloatType f64 = Float64Type::get(&context);
    Value built = rule.buildScale(
        program.getBuilder(), program.getLoc(),
        {program.number(param, f64), program.number(direction, f64)});
    EXPECT_DOUBLE_EQ(program.evaluate(built), scale);
  }
}

TEST_F(OptimizerRulesTest, EMA) {
  auto rule = cast<OptimizerRule>(Attribute(
      EMAAttr::get(&context, getSGD(0.1, 0, false, 0), APFloat(0.5))));
  EXPECT_EQ(rule.getSlotNames(), SmallVector<StringRef>{"ema_difference"});
  EXPECT_EQ(rule.getLearningRate(), 0.1);
  EXPECT_FALSE(rule.hasScale());
  check(rule, {0.95, 0.9625, 0.959375});
  double param = 1, built = 1;
  SmallVector<double> slots = {0}, builtSlots = {0};
  for (auto [i, average] :
       llvm::enumerate(std::array<double, 3>{0.975, 0.96875, 0.9640625})) {
    rule.update(param, kGradients[i], slots, i + 1, kFactors[i]);
    EXPECT_NEAR(param + slots[0], average, 1e-14) << "step " << i + 1;
    build(rule, built, builtSlots, i);
    EXPECT_NEAR(built + builtSlots[0], average, 1e-14) << "step " << i + 1;
  }
}

// The slot of the average is behind those of the rule, which does not see it.
TEST_F(OptimizerRulesTest, EMAOfRuleWithSlotsAndScale) {
  auto lamb = cast<OptimizerRule>(
      Attribute(LAMBAttr::get(&context, APFloat(0.01), APFloat(0.9),
                              APFloat(0.999), APFloat(1e-6), APFloat(0.1))));
  auto rule = cast<OptimizerRule>(
      Attribute(EMAAttr::get(&context, lamb, APFloat(0.9))));
  EXPECT_EQ(rule.getSlotNames(),
            (SmallVector<StringRef>{"m", "v", "ema_difference"}));
  ASSERT_TRUE(rule.hasScale());
  double alone = 1, averaged = 1, average = 1;
  SmallVector<double> slots(2), allSlots(3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(rule.getScaleTerms(averaged, kGradients[i], allSlots, i + 1),
              lamb.getScaleTerms(alone, kGradients[i], slots, i + 1));
    lamb.update(alone, kGradients[i], slots, i + 1, kFactors[i]);
    rule.update(averaged, kGradients[i], allSlots, i + 1, kFactors[i]);
    EXPECT_EQ(averaged, alone);
    average = 0.9 * average + 0.1 * alone;
    EXPECT_NEAR(averaged + allSlots[2], average, 1e-14);
  }
  EXPECT_EQ(rule.getScale({4, 0.64}), lamb.getScale({4, 0.64}));
}
