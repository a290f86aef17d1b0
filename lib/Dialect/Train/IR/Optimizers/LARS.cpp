//===- LARS.cpp - Layer-wise adaptive rate scaling ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The momentum is one of steps, not of directions: each was scaled by the norms
// and the learning rate of its time.
//
//===----------------------------------------------------------------------===//

#include "TrustRatio.h"
#include "accrue/Dialect/Train/TrainDialect.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

double LARSAttr::getLearningRate() const { return getLr().convertToDouble(); }

SmallVector<StringRef> LARSAttr::getSlotNames() const {
  if (getMomentum().isZero())
    return {};
  return {"momentum"};
}

void LARSAttr::update(double &param, double gradient,
                      MutableArrayRef<double> slots, int64_t,
                      double factor) const {
  double momentum = getMomentum().convertToDouble();
  double direction = gradient + getWeightDecay().convertToDouble() * param;
  double step = getLr().convertToDouble() * factor * direction;
  if (!slots.empty()) {
    slots[0] = momentum * slots[0] + step;
    step = getNesterov() ? step + momentum * slots[0] : slots[0];
  }
  param -= step;
}

SmallVector<Value> LARSAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                              Value, Value factor,
                                              FloatType type) const {
  ScalarBuilder s{builder, loc, type};
  return {s.learningRate(getLr(), factor)};
}

Value LARSAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                            Value gradient, ValueRange slots,
                            ValueRange stepScalars,
                            SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  Value direction = s.decayGradient(getWeightDecay(), gradient, param);
  Value step = s.mul(stepScalars[0], direction);
  if (!slots.empty()) {
    Value momentum = s.constant(getMomentum());
    Value buffer = s.add(s.mul(momentum, slots[0]), step);
    newSlots.push_back(buffer);
    step = getNesterov() ? s.as("step").add(step, s.mul(momentum, buffer))
                         : buffer;
  }
  return s.sub(param, step);
}

//===----------------------------------------------------------------------===//
// The trust ratio
//===----------------------------------------------------------------------===//

static TrustRatio getTrustRatio(LARSAttr rule) {
  return {rule.getTrustCoefficient().convertToDouble(),
          rule.getEps().convertToDouble()};
}

bool LARSAttr::hasScale() const { return true; }

SmallVector<double> LARSAttr::getScaleTerms(double param, double gradient,
                                            ArrayRef<double>, int64_t) const {
  return TrustRatio::getTerms(
      param, gradient + getWeightDecay().convertToDouble() * param);
}

double LARSAttr::getScale(ArrayRef<double> sums) const {
  return getTrustRatio(*this).get(sums);
}

SmallVector<Value> LARSAttr::buildScaleTerms(OpBuilder &builder, Location loc,
                                             Value param, Value gradient,
                                             ValueRange, ValueRange) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  return TrustRatio::buildTerms(
      s, param, s.decayGradient(getWeightDecay(), gradient, param));
}

Value LARSAttr::buildScale(OpBuilder &builder, Location loc,
                           ValueRange sums) const {
  return getTrustRatio(*this).build(builder, loc, sums);
}
