//===- Adam.cpp - Adam, with either weight decay --------------------------===//
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

namespace {
/// What Adam and AdamW have in common: all but the weight decay.
struct AdamCore {
  APFloat lr, beta1, beta2, eps;

  void update(double &param, double gradient, MutableArrayRef<double> slots,
              int64_t step, double factor) const {
    double b1 = beta1.convertToDouble(), b2 = beta2.convertToDouble();
    slots[0] = b1 * slots[0] + (1 - b1) * gradient;
    slots[1] = b2 * slots[1] + (1 - b2) * gradient * gradient;
    double mean = slots[0] / (1 - std::pow(b1, step));
    double variance = slots[1] / (1 - std::pow(b2, step));
    param -= lr.convertToDouble() * factor * mean /
             (std::sqrt(variance) + eps.convertToDouble());
  }

  SmallVector<Value> buildStepScalars(const ScalarBuilder &s, Value step,
                                      Value factor) const;

  Value buildUpdate(const ScalarBuilder &s, Value param, Value gradient,
                    ValueRange slots, ValueRange stepScalars,
                    SmallVectorImpl<Value> &newSlots) const {
    Value m = s.average(beta1, slots[0], gradient);
    Value v = s.average(beta2, slots[1], s.mul(gradient, gradient));
    newSlots.append({m, v});
    Value mean = s.as("m_hat").div(m, stepScalars[1]);
    Value deviation = s.sqrt(s.as("v_hat").div(v, stepScalars[2]));
    Value direction = s.div(mean, s.add(deviation, s.constant(eps)));
    return s.sub(param, s.mul(stepScalars[0], direction));
  }
};
} // namespace

/// Learning rate and the two bias corrections.
SmallVector<Value> AdamCore::buildStepScalars(const ScalarBuilder &s,
                                              Value step, Value factor) const {
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

template <typename AttrTy>
static AdamCore getCore(AttrTy attr) {
  return {attr.getLr(), attr.getBeta1(), attr.getBeta2(), attr.getEps()};
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
  getCore(*this).update(param, gradient, slots, step, factor);
}

SmallVector<Value> AdamAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                              Value step, Value factor,
                                              FloatType type) const {
  return getCore(*this).buildStepScalars({builder, loc, type}, step, factor);
}

Value AdamAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                            Value gradient, ValueRange slots,
                            ValueRange stepScalars,
                            SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  gradient = s.decayGradient(getWeightDecay(), gradient, param);
  return getCore(*this).buildUpdate(s, param, gradient, slots, stepScalars,
                                    newSlots);
}

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

double AdamWAttr::getLearningRate() const { return getLr().convertToDouble(); }

SmallVector<StringRef> AdamWAttr::getSlotNames() const { return {"m", "v"}; }

void AdamWAttr::update(double &param, double gradient,
                       MutableArrayRef<double> slots, int64_t step,
                       double factor) const {
  param -= getLr().convertToDouble() * factor *
           getWeightDecay().convertToDouble() * param;
  getCore(*this).update(param, gradient, slots, step, factor);
}

SmallVector<Value> AdamWAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                               Value step, Value factor,
                                               FloatType type) const {
  return getCore(*this).buildStepScalars({builder, loc, type}, step, factor);
}

Value AdamWAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                             Value gradient, ValueRange slots,
                             ValueRange stepScalars,
                             SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  param = s.decayParam(getWeightDecay(), stepScalars[0], param);
  return getCore(*this).buildUpdate(s, param, gradient, slots, stepScalars,
                                    newSlots);
}
