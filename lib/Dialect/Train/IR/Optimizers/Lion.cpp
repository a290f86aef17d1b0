//===- Lion.cpp - Evolved sign momentum -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarBuilder.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

double LionAttr::getLearningRate() const { return getLr().convertToDouble(); }

SmallVector<StringRef> LionAttr::getSlotNames() const { return {"m"}; }

void LionAttr::update(double &param, double gradient,
                      MutableArrayRef<double> slots, int64_t,
                      double factor) const {
  double beta1 = getBeta1().convertToDouble();
  double beta2 = getBeta2().convertToDouble();
  double direction = beta1 * slots[0] + (1 - beta1) * gradient;
  double sign = (direction > 0) - (direction < 0);
  slots[0] = beta2 * slots[0] + (1 - beta2) * gradient;
  param -= getLr().convertToDouble() * factor *
           (sign + getWeightDecay().convertToDouble() * param);
}

SmallVector<Value> LionAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                              Value, Value factor,
                                              FloatType type) const {
  ScalarBuilder s{builder, loc, type};
  return {s.learningRate(getLr(), factor)};
}

Value LionAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                            Value gradient, ValueRange slots,
                            ValueRange stepScalars,
                            SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  Value direction = s.as("direction").average(getBeta1(), slots[0], gradient);
  newSlots.push_back(s.average(getBeta2(), slots[0], gradient));
  Value decayed = s.decayParam(getWeightDecay(), stepScalars[0], param);
  return s.sub(decayed, s.mul(stepScalars[0], s.sign(direction)));
}
