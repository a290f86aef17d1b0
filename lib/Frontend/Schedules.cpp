//===- Schedules.cpp - The schedules of the model language ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedules.h"
#include "accrue/Dialect/Train/TrainDialect.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::frontend;
using llvm::APFloat;

using EmitError = function_ref<InFlightDiagnostic()>;

static int64_t steps(double value) { return static_cast<int64_t>(value); }

static Attribute buildConstant(EmitError emitError, MLIRContext *context,
                               ArrayRef<double> values) {
  return train::ConstantScheduleAttr::getChecked(emitError, context,
                                                 steps(values[0]));
}

/// A schedule that ends: `values` are its end, its warm-up and its floor.
template <typename AttrTy>
static Attribute buildDecay(EmitError emitError, MLIRContext *context,
                            ArrayRef<double> values) {
  return AttrTy::getChecked(emitError, context, steps(values[1]),
                            steps(values[0]), APFloat(values[2]));
}

static Attribute buildInverseSqrt(EmitError emitError, MLIRContext *context,
                                  ArrayRef<double> values) {
  return train::InverseSqrtAttr::getChecked(emitError, context,
                                            steps(values[0]));
}

static Attribute buildStep(EmitError emitError, MLIRContext *context,
                           ArrayRef<double> values) {
  return train::StepScheduleAttr::getChecked(emitError, context,
                                             steps(values[2]), steps(values[0]),
                                             APFloat(values[1]));
}

/// With the warm-up in front, where its name is.
static Attribute buildWarmupCosine(EmitError emitError, MLIRContext *context,
                                   ArrayRef<double> values) {
  return buildDecay<train::WarmupCosineAttr>(emitError, context,
                                             {values[1], values[0], values[2]});
}

ArrayRef<ScheduleKind> frontend::getSchedules() {
  constexpr ScheduleOptionType number = ScheduleOptionType::Number;
  constexpr ScheduleOptionType rate = ScheduleOptionType::Rate;
  constexpr ScheduleOptionType steps = ScheduleOptionType::Steps;
  static const ScheduleKind schedules[] = {
      {"constant", {{"warmup", steps, 0}}, buildConstant},
      {"cosine",
       {{"steps", steps, {}}, {"warmup", steps, 0}, {"min_lr", rate, 0}},
       buildDecay<train::WarmupCosineAttr>},
      {"inverse_sqrt", {{"warmup", steps, {}}}, buildInverseSqrt},
      {"linear",
       {{"steps", steps, {}}, {"warmup", steps, 0}, {"min_lr", rate, 0}},
       buildDecay<train::LinearScheduleAttr>},
      {"step",
       {{"every", steps, {}}, {"gamma", number, 0.1}, {"warmup", steps, 0}},
       buildStep},
      {"warmup_cosine",
       {{"warmup", steps, {}}, {"steps", steps, {}}, {"min_lr", rate, 0}},
       buildWarmupCosine},
  };
  return schedules;
}
