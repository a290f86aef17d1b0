//===- EMA.cpp - Averages of parameters -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last slot belongs to the average, the others to the rule that moves the
// parameter.
//
//===----------------------------------------------------------------------===//

#include "ScalarBuilder.h"
#include "accrue/Dialect/Train/TrainDialect.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

double EMAAttr::getLearningRate() const { return getRule().getLearningRate(); }

SmallVector<StringRef> EMAAttr::getSlotNames() const {
  SmallVector<StringRef> names = getRule().getSlotNames();
  names.push_back(kSlot);
  return names;
}

void EMAAttr::update(double &param, double gradient,
                     MutableArrayRef<double> slots, int64_t step,
                     double factor) const {
  double before = param;
  getRule().update(param, gradient, slots.drop_back(), step, factor);
  slots.back() =
      getDecay().convertToDouble() * (slots.back() + (before - param));
}

SmallVector<Value> EMAAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                             Value step, Value factor,
                                             FloatType type) const {
  return getRule().buildStepScalars(builder, loc, step, factor, type);
}

Value EMAAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                           Value gradient, ValueRange slots,
                           ValueRange stepScalars,
                           SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  Value updated = getRule().buildUpdate(
      builder, loc, param, gradient, slots.drop_back(), stepScalars, newSlots);
  Value difference = s.add(slots.back(), s.sub(param, updated));
  newSlots.push_back(
      s.as("ema_difference").mul(s.constant(getDecay()), difference));
  return updated;
}

//===----------------------------------------------------------------------===//
// The scale of the rule
//===----------------------------------------------------------------------===//

bool EMAAttr::hasScale() const { return getRule().hasScale(); }

SmallVector<double> EMAAttr::getScaleTerms(double param, double gradient,
                                           ArrayRef<double> slots,
                                           int64_t step) const {
  return getRule().getScaleTerms(param, gradient, slots.drop_back(), step);
}

double EMAAttr::getScale(ArrayRef<double> sums) const {
  return getRule().getScale(sums);
}

SmallVector<Value> EMAAttr::buildScaleTerms(OpBuilder &builder, Location loc,
                                            Value param, Value gradient,
                                            ValueRange slots,
                                            ValueRange stepScalars) const {
  return getRule().buildScaleTerms(builder, loc, param, gradient,
                                   slots.drop_back(), stepScalars);
}

Value EMAAttr::buildScale(OpBuilder &builder, Location loc,
                          ValueRange sums) const {
  return getRule().buildScale(builder, loc, sums);
}
