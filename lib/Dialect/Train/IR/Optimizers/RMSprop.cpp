//===- RMSprop.cpp - Root mean square propagation -------------------------===//
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

double RMSpropAttr::getLearningRate() const {
  return getLr().convertToDouble();
}

SmallVector<StringRef> RMSpropAttr::getSlotNames() const {
  SmallVector<StringRef> names = {"square_avg"};
  if (getCentered())
    names.push_back("grad_avg");
  if (!getMomentum().isZero())
    names.push_back("momentum");
  return names;
}

void RMSpropAttr::update(double &param, double gradient,
                         MutableArrayRef<double> slots, int64_t,
                         double factor) const {
  double alpha = getAlpha().convertToDouble();
  gradient += getWeightDecay().convertToDouble() * param;
  slots[0] = alpha * slots[0] + (1 - alpha) * gradient * gradient;
  double variance = slots[0];
  if (getCentered()) {
    slots[1] = alpha * slots[1] + (1 - alpha) * gradient;
    variance = std::max(0.0, variance - slots[1] * slots[1]);
  }
  double direction =
      gradient / (std::sqrt(variance) + getEps().convertToDouble());
  if (!getMomentum().isZero()) {
    slots.back() = getMomentum().convertToDouble() * slots.back() + direction;
    direction = slots.back();
  }
  param -= getLr().convertToDouble() * factor * direction;
}

SmallVector<Value> RMSpropAttr::buildStepScalars(OpBuilder &builder,
                                                 Location loc, Value,
                                                 Value factor,
                                                 FloatType type) const {
  ScalarBuilder s{builder, loc, type};
  return {s.learningRate(getLr(), factor)};
}

Value RMSpropAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                               Value gradient, ValueRange slots,
                               ValueRange stepScalars,
                               SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  gradient = s.decayGradient(getWeightDecay(), gradient, param);
  Value variance = s.average(getAlpha(), slots[0], s.mul(gradient, gradient));
  newSlots.push_back(variance);
  if (getCentered()) {
    Value mean = s.average(getAlpha(), slots[1], gradient);
    newSlots.push_back(mean);
    // Rounding may take the difference below 0.
    variance = s.max(s.sub(variance, s.mul(mean, mean)), s.constant(0.0));
  }
  Value direction =
      s.as("direction")
          .div(gradient, s.add(s.sqrt(variance), s.constant(getEps())));
  if (!getMomentum().isZero()) {
    direction =
        s.add(s.mul(s.constant(getMomentum()), slots.back()), direction);
    newSlots.push_back(direction);
  }
  return s.sub(param, s.mul(stepScalars[0], direction));
}
