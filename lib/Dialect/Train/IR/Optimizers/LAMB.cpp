//===- LAMB.cpp - Layer-wise adaptive moments -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdamMoments.h"
#include "TrustRatio.h"
#include "accrue/Dialect/Train/TrainDialect.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

double LAMBAttr::getLearningRate() const { return getLr().convertToDouble(); }

SmallVector<StringRef> LAMBAttr::getSlotNames() const { return {"m", "v"}; }

//===----------------------------------------------------------------------===//
// One element
//===----------------------------------------------------------------------===//

/// The direction with the weight decay; `slots` are updated.
static double getDirection(LAMBAttr rule, double param, double gradient,
                           MutableArrayRef<double> slots, int64_t step) {
  return getMoments(rule).update(gradient, slots, step) +
         rule.getWeightDecay().convertToDouble() * param;
}

static Value buildDirection(LAMBAttr rule, const ScalarBuilder &s, Value param,
                            Value gradient, ValueRange slots,
                            ValueRange stepScalars,
                            SmallVectorImpl<Value> &newSlots) {
  Value direction =
      getMoments(rule).buildUpdate(s, gradient, slots, stepScalars, newSlots);
  if (rule.getWeightDecay().isZero())
    return direction;
  return s.as("decayed").add(direction,
                             s.mul(s.constant(rule.getWeightDecay()), param));
}

void LAMBAttr::update(double &param, double gradient,
                      MutableArrayRef<double> slots, int64_t step,
                      double factor) const {
  param -= getLr().convertToDouble() * factor *
           getDirection(*this, param, gradient, slots, step);
}

SmallVector<Value> LAMBAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                              Value step, Value factor,
                                              FloatType type) const {
  return getMoments(*this).buildStepScalars({builder, loc, type}, step, factor);
}

Value LAMBAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                            Value gradient, ValueRange slots,
                            ValueRange stepScalars,
                            SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  Value direction =
      buildDirection(*this, s, param, gradient, slots, stepScalars, newSlots);
  return s.sub(param, s.mul(stepScalars[0], direction));
}

//===----------------------------------------------------------------------===//
// The trust ratio |p| / |u|
//===----------------------------------------------------------------------===//

bool LAMBAttr::hasScale() const { return true; }

SmallVector<double> LAMBAttr::getScaleTerms(double param, double gradient,
                                            ArrayRef<double> slots,
                                            int64_t step) const {
  SmallVector<double> newSlots(slots);
  return TrustRatio::getTerms(
      param, getDirection(*this, param, gradient, newSlots, step));
}

double LAMBAttr::getScale(ArrayRef<double> sums) const {
  return TrustRatio().get(sums);
}

SmallVector<Value> LAMBAttr::buildScaleTerms(OpBuilder &builder, Location loc,
                                             Value param, Value gradient,
                                             ValueRange slots,
                                             ValueRange stepScalars) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  SmallVector<Value> newSlots;
  Value direction =
      buildDirection(*this, s, param, gradient, slots, stepScalars, newSlots);
  return TrustRatio::buildTerms(s, param, direction);
}

Value LAMBAttr::buildScale(OpBuilder &builder, Location loc,
                           ValueRange sums) const {
  return TrustRatio().build(builder, loc, sums);
}
