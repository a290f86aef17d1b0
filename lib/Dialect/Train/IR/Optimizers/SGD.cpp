//===- SGD.cpp - Stochastic gradient descent ------------------------------===//
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

double SGDAttr::getLearningRate() const { return getLr().convertToDouble(); }

SmallVector<StringRef> SGDAttr::getSlotNames() const {
  if (getMomentum().isZero())
    return {};
  return {"momentum"};
}

void SGDAttr::update(double &param, double gradient,
                     MutableArrayRef<double> slots, int64_t,
                     double factor) const {
  double momentum = getMomentum().convertToDouble();
  gradient += getWeightDecay().convertToDouble() * param;
  if (!slots.empty()) {
    slots[0] = momentum * slots[0] + gradient;
    gradient = getNesterov() ? gradient + momentum * slots[0] : slots[0];
  }
  param -= getLr().convertToDouble() * factor * gradient;
}

SmallVector<Value> SGDAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                             Value, Value factor,
                                             FloatType type) const {
  ScalarBuilder s{builder, loc, type};
  return {s.learningRate(getLr(), factor)};
}

Value SGDAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                           Value gradient, ValueRange slots,
                           ValueRange stepScalars,
                           SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  gradient = s.decayGradient(getWeightDecay(), gradient, param);
  if (!slots.empty()) {
    Value momentum = s.constant(getMomentum());
    Value buffer = s.add(s.mul(momentum, slots[0]), gradient);
    newSlots.push_back(buffer);
    gradient = getNesterov()
                   ? s.as("direction").add(gradient, s.mul(momentum, buffer))
                   : buffer;
  }
  return s.sub(param, s.mul(stepScalars[0], gradient));
}
