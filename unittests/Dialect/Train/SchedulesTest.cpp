//===- SchedulesTest.cpp - Tests of the schedules -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"
#include "accrue/Dialect/Train/TrainDialect.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {
class SchedulesTest : public ::testing::Test {
protected:
  SchedulesTest() { context.loadDialect<TrainDialect>(); }

  Schedule getWarmupCosine(int64_t warmup, int64_t steps, double floor) {
    return cast<Schedule>(Attribute(
        WarmupCosineAttr::get(&context, warmup, steps, APFloat(floor))));
  }

  Schedule getConstant(int64_t warmup) {
    return cast<Schedule>(
        Attribute(ConstantScheduleAttr::get(&context, warmup)));
  }
  Schedule getLinear(int64_t warmup, int64_t steps, double floor) {
    return cast<Schedule>(Attribute(
        LinearScheduleAttr::get(&context, warmup, steps, APFloat(floor))));
  }
  Schedule getInverseSqrt(int64_t warmup) {
    return cast<Schedule>(Attribute(InverseSqrtAttr::get(&context, warmup)));
  }
  Schedule getStep(int64_t warmup, int64_t every, double gamma) {
    return cast<Schedule>(Attribute(
        StepScheduleAttr::get(&context, warmup, every, APFloat(gamma))));
  }

  /// The factor, from the number and from what is built, in f32 and f64.
  void check(Schedule schedule, int64_t completed, double expected) {
    EXPECT_NEAR(schedule.getFactor(completed), expected, 1e-15)
        << "after " << completed;
    ScalarProgram program(context);
    auto build = [&](FloatType type) {
      Value factor =
          schedule.buildFactor(program.getBuilder(), program.getLoc(),
                               program.integer(completed), type);
      EXPECT_EQ(factor.getType(), type);
      return program.evaluate(factor);
    };
    EXPECT_NEAR(build(Float32Type::get(&context)), expected, 1e-6)
        << "built, after " << completed;
    EXPECT_NEAR(build(Float64Type::get(&context)), expected, 1e-15)
        << "built in f64, after " << completed;
  }

  MLIRContext context;
};
} // namespace

TEST_F(SchedulesTest, Constant) {
  auto schedule =
      cast<Schedule>(Attribute(ConstantScheduleAttr::get(&context)));
  check(schedule, 0, 1);
  check(schedule, 1000000, 1);
}

TEST_F(SchedulesTest, ConstantWithWarmup) {
  Schedule schedule = getConstant(4);
  check(schedule, 0, 0.25);
  check(schedule, 2, 0.75);
  check(schedule, 3, 1);
  check(schedule, 4, 1);
  check(schedule, 1000000, 1);
  EXPECT_EQ(schedule.getWarmupSteps(), 4);
  EXPECT_EQ(schedule.getLastStep(), 0);
}

TEST_F(SchedulesTest, Linear) {
  Schedule schedule = getLinear(4, 14, 0.2);
  check(schedule, 0, 0.25);
  check(schedule, 3, 1);
  check(schedule, 4, 1);
  // A tenth and a half of the way from 1 to 0.2.
  check(schedule, 5, 0.92);
  check(schedule, 9, 0.6);
  check(schedule, 14, 0.2);
  check(schedule, 1000000000, 0.2);
  EXPECT_EQ(schedule.getLastStep(), 14);
  check(getLinear(0, 10, 0), 0, 1);
  check(getLinear(0, 10, 0), 4, 0.6);
}

TEST_F(SchedulesTest, InverseSqrt) {
  Schedule schedule = getInverseSqrt(4);
  check(schedule, 0, 0.25);
  check(schedule, 3, 1);
  // Steps 16, 100 and 40000 have the roots of 4/16, 4/100 and 4/40000.
  check(schedule, 15, 0.5);
  check(schedule, 99, 0.2);
  check(schedule, 39999, 0.01);
  EXPECT_EQ(schedule.getLastStep(), 0);
  check(getInverseSqrt(1), 0, 1);
  check(getInverseSqrt(1), 3, 0.5);
}

TEST_F(SchedulesTest, Step) {
  Schedule schedule = getStep(2, 10, 0.5);
  check(schedule, 0, 0.5);
  check(schedule, 1, 1);
  check(schedule, 9, 1);
  check(schedule, 10, 0.5);
  check(schedule, 19, 0.5);
  check(schedule, 20, 0.25);
  check(schedule, 35, 0.125);
  check(getStep(0, 1, 0.1), 3, 0.001);
  // The quotient of the steps is exact where that of their floats is not.
  check(getStep(0, 100000000, 0.5), 99999999, 1);
}

// What emitted programs are compiled with.
TEST_F(SchedulesTest, Source) {
  EXPECT_EQ(getConstant(0).getFactorSource(),
            "accrue::constantFactor(completed, 0)");
  EXPECT_EQ(getLinear(4, 14, 0.2).getFactorSource(),
            "accrue::linearFactor(completed, 4, 14, 0.2)");
  EXPECT_EQ(getWarmupCosine(4, 14, 0).getFactorSource(),
            "accrue::cosineFactor(completed, 4, 14, 0)");
  EXPECT_EQ(getInverseSqrt(4).getFactorSource(),
            "accrue::inverseSqrtFactor(completed, 4)");
  EXPECT_EQ(getStep(2, 10, 0.5).getFactorSource(),
            "accrue::stepFactor(completed, 2, 10, 0.5)");
}

TEST_F(SchedulesTest, WarmupCosine) {
  Schedule schedule = getWarmupCosine(4, 14, 0);
  // A quarter, a half, all.
  check(schedule, 0, 0.25);
  check(schedule, 1, 0.5);
  check(schedule, 3, 1);
  // The decay starts at 1, passes the middle and ends at the floor for good.
  check(schedule, 4, 1);
  check(schedule, 9, 0.5);
  check(schedule, 14, 0);
  check(schedule, 15, 0);
  check(schedule, 1000000000, 0);
}

TEST_F(SchedulesTest, Floor) {
  Schedule schedule = getWarmupCosine(4, 14, 0.1);
  check(schedule, 3, 1);
  check(schedule, 9, 0.55);
  check(schedule, 20, 0.1);
}

TEST_F(SchedulesTest, NoWarmup) {
  Schedule schedule = getWarmupCosine(0, 10, 0);
  check(schedule, 0, 1);
  check(schedule, 5, 0.5);
}

TEST_F(SchedulesTest, RefusesWarmupBeyondTheEnd) {
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  auto error = [&] { return emitError(UnknownLoc::get(&context)); };
  for (int64_t warmup : {10, 11, -1})
    for (auto verify : {WarmupCosineAttr::verify, LinearScheduleAttr::verify})
      EXPECT_TRUE(failed(verify(error, warmup, /*steps=*/10, APFloat(0.0))))
          << warmup;
}

TEST_F(SchedulesTest, RefusesOptionsThatDoNotGoTogether) {
  ScopedDiagnosticHandler silence(&context, [](Diagnostic &) {});
  auto error = [&] { return emitError(UnknownLoc::get(&context)); };
  EXPECT_TRUE(failed(ConstantScheduleAttr::verify(error, -1)));
  EXPECT_TRUE(failed(InverseSqrtAttr::verify(error, 0)));
  EXPECT_TRUE(failed(StepScheduleAttr::verify(error, 0, 0, APFloat(0.5))));
  EXPECT_TRUE(failed(StepScheduleAttr::verify(error, 11, 10, APFloat(0.5))));
  EXPECT_TRUE(failed(StepScheduleAttr::verify(error, -1, 10, APFloat(0.5))));
  EXPECT_TRUE(failed(StepScheduleAttr::verify(error, 0, 10, APFloat(0.0))));
  EXPECT_TRUE(succeeded(StepScheduleAttr::verify(error, 10, 10, APFloat(0.5))));
}
