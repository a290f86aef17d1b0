//===- Adam.cpp - Adam, with either weight decay --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdamMoments.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

SmallVector<Value> AdamMoments::buildStepScalars(const ScalarBuilder &s,
                                                 Value step,
                                                 Value factor) const {
  OpBuilder &builder = s.builder;
  ScalarBuilder w = s.widen();
  Value t = w.step(step);
  // beta^t = exp(t * log(beta)): the logarithm is a constant; beta = 0 is
  // constant 0 for every t >= 1. Where beta^t is close to 1, as in the first
  // steps, 1 - beta^t would keep only a few of f32's digits; f64 has plenty.
  auto correction = [&](StringRef name, const APFloat &beta) -> Value {
    if (beta.isZero())
      return s.constant(1.0);
    Value exponent = w.mul(t, w.constant(std::log(beta.convertToDouble())));
    if (w.type.isF64())
      return w.as(name).sub(w.constant(1.0),
                            math::ExpOp::create(builder, s.loc, exponent));
    Value difference = math::ExpM1Op::create(builder, s.loc, exponent);
    return s.convert(
        arith::NegFOp::create(builder, w.as(name).loc, difference));
  };
  return {s.learningRate(lr, factor), correction("bias_correction1", beta1),
          correction("bias_correction2", beta2)};
}

//===----------------------------------------------------------------------===//
// Adam
//===----------------------------------------------------------------------===//

double AdamAttr::getLearningRate() const { return getLr().convertToDouble(); }

SmallVector<StringRef> AdamAttr::getSlotNames() const { return {"m", "v"}; }

void AdamAttr::update(double &param, double gradient,
                      MutableArrayRef<double> slots, int64_t step,
                      double factor) const {
  gradient += getWeightDecay().convertToDouble() * param;
  param -= getLr().convertToDouble() * factor *
           getMoments(*this).update(gradient, slots, step);
}

SmallVector<Value> AdamAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                              Value step, Value factor,
                                              FloatType type) const {
  return getMoments(*this).buildStepScalars({builder, loc, type}, step, factor);
}

Value AdamAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                            Value gradient, ValueRange slots,
                            ValueRange stepScalars,
                            SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  gradient = s.decayGradient(getWeightDecay(), gradient, param);
  Value direction =
      getMoments(*this).buildUpdate(s, gradient, slots, stepScalars, newSlots);
  return s.sub(param, s.mul(stepScalars[0], direction));
}

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

double AdamWAttr::getLearningRate() const { return getLr().convertToDouble(); }

SmallVector<StringRef> AdamWAttr::getSlotNames() const { return {"m", "v"}; }

void AdamWAttr::update(double &param, double gradient,
                       MutableArrayRef<double> slots, int64_t step,
                       double factor) const {
  double lr = getLr().convertToDouble() * factor;
  param -= lr * getWeightDecay().convertToDouble() * param;
  param -= lr * getMoments(*this).update(gradient, slots, step);
}

SmallVector<Value> AdamWAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                               Value step, Value factor,
                                               FloatType type) const {
  return getMoments(*this).buildStepScalars({builder, loc, type}, step, factor);
}

Value AdamWAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                             Value gradient, ValueRange slots,
                             ValueRange stepScalars,
                             SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  param = s.decayParam(getWeightDecay(), stepScalars[0], param);
  Value direction =
      getMoments(*this).buildUpdate(s, gradient, slots, stepScalars, newSlots);
  return s.sub(param, s.mul(stepScalars[0], direction));
}
