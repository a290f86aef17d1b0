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

  /// The factor, from the number and from what is built, in f32.
  void check(Schedule schedule, int64_t completed, double expected) {
    EXPECT_NEAR(schedule.getFactor(completed), expected, 1e-15)
        << "after " << completed;
    ScalarProgram program(context);
    Value factor = schedule.buildFactor(program.getBuilder(), program.getLoc(),
                                        program.integer(completed));
    EXPECT_NEAR(program.evaluate(factor), expected, 1e-6)
        << "built, after " << completed;
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
    EXPECT_TRUE(failed(
        WarmupCosineAttr::verify(error, warmup, /*steps=*/10, APFloat(0.0))))
        << warmup;
}
