//===- Adagrad.cpp - Adaptive gradient ------------------------------------===//
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

double AdagradAttr::getLearningRate() const {
  return getLr().convertToDouble();
}

SmallVector<StringRef> AdagradAttr::getSlotNames() const { return {"sum"}; }

void AdagradAttr::update(double &param, double gradient,
                         MutableArrayRef<double> slots, int64_t step,
                         double factor) const {
  double lr = getLr().convertToDouble() * factor /
              (1 + (step - 1) * getLrDecay().convertToDouble());
  gradient += getWeightDecay().convertToDouble() * param;
  slots[0] += gradient * gradient;
  double sum = getInitialAccumulatorValue().convertToDouble() + slots[0];
  param -= lr * gradient / (std::sqrt(sum) + getEps().convertToDouble());
}

SmallVector<Value> AdagradAttr::buildStepScalars(OpBuilder &builder,
                                                 Location loc, Value step,
                                                 Value factor,
                                                 FloatType type) const {
  ScalarBuilder s{builder, loc, type};
  if (getLrDecay().isZero())
    return {s.learningRate(getLr(), factor)};
  ScalarBuilder w = s.widen();
  Value completed = w.sub(w.step(step), w.constant(1.0));
  Value divisor =
      w.add(w.constant(1.0), w.mul(completed, w.constant(getLrDecay())));
  Value lr = w.learningRate(getLr(), factor);
  return {s.convert(w.as("decayed_lr").div(lr, divisor))};
}

Value AdagradAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                               Value gradient, ValueRange slots,
                               ValueRange stepScalars,
                               SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  gradient = s.decayGradient(getWeightDecay(), gradient, param);
  Value sum = s.add(slots[0], s.mul(gradient, gradient));
  newSlots.push_back(sum);
  if (!getInitialAccumulatorValue().isZero())
    sum = s.add(s.constant(getInitialAccumulatorValue()), sum);
  Value deviation = s.add(s.sqrt(sum), s.constant(getEps()));
  return s.sub(param, s.mul(stepScalars[0], s.div(gradient, deviation)));
}
