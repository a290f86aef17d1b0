//===- OptimizerRules.cpp - Optimizer rules -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {
/// Float arithmetic on scalars of one type, to write rules like formulas.
struct ScalarBuilder {
  OpBuilder &builder;
  Location loc;
  FloatType type;

  /// A builder of ops whose results are called `name`, in emitted code too.
  ScalarBuilder as(StringRef name) const {
    return {builder, NameLoc::get(builder.getStringAttr(name), loc), type};
  }

  Value constant(double value) {
    return arith::ConstantOp::create(builder, loc, FloatAttr::get(type, value));
  }
  Value constant(const APFloat &value) {
    return constant(value.convertToDouble());
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  Value sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }
  Value convert(Value a) {
    if (a.getType() == type)
      return a;
    if (cast<FloatType>(a.getType()).getWidth() < type.getWidth())
      return arith::ExtFOp::create(builder, loc, type, a);
    return arith::TruncFOp::create(builder, loc, type, a);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// SGD
//===----------------------------------------------------------------------===//

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
  return {s.as("lr").mul(s.constant(getLr()), s.convert(factor))};
}

Value SGDAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                           Value gradient, ValueRange slots,
                           ValueRange stepScalars,
                           SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  if (!getWeightDecay().isZero())
    gradient = s.as("decayed").add(gradient,
                                   s.mul(s.constant(getWeightDecay()), param));
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

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

double AdamWAttr::getLearningRate() const { return getLr().convertToDouble(); }

SmallVector<StringRef> AdamWAttr::getSlotNames() const { return {"m", "v"}; }

void AdamWAttr::update(double &param, double gradient,
                       MutableArrayRef<double> slots, int64_t step,
                       double factor) const {
  double lr = getLr().convertToDouble() * factor;
  double beta1 = getBeta1().convertToDouble();
  double beta2 = getBeta2().convertToDouble();
  param -= lr * getWeightDecay().convertToDouble() * param;
  slots[0] = beta1 * slots[0] + (1 - beta1) * gradient;
  slots[1] = beta2 * slots[1] + (1 - beta2) * gradient * gradient;
  double mean = slots[0] / (1 - std::pow(beta1, step));
  double variance = slots[1] / (1 - std::pow(beta2, step));
  param -= lr * mean / (std::sqrt(variance) + getEps().convertToDouble());
}

SmallVector<Value> AdamWAttr::buildStepScalars(OpBuilder &builder, Location loc,
                                               Value step, Value factor,
                                               FloatType type) const {
  ScalarBuilder s{builder, loc, type};
  // The number of steps does not fit 16 bits.
  FloatType wide = type.getWidth() < 32 ? builder.getF32Type() : type;
  ScalarBuilder w{builder, loc, wide};
  Value t = arith::SIToFPOp::create(builder, w.as("t").loc, wide, step);
  // beta^t = exp(t * log(beta)): the logarithm is a constant; beta = 0 is
  // constant 0 for every t >= 1. Where beta^t is close to 1, as in the first
  // steps, 1 - beta^t would keep only a few of f32's digits; f64 has plenty.
  auto correction = [&](StringRef name, const APFloat &beta) -> Value {
    if (beta.isZero())
      return s.constant(1.0);
    Value exponent = w.mul(t, w.constant(std::log(beta.convertToDouble())));
    if (wide.isF64())
      return w.as(name).sub(w.constant(1.0),
                            math::ExpOp::create(builder, loc, exponent));
    Value difference = math::ExpM1Op::create(builder, loc, exponent);
    return s.convert(
        arith::NegFOp::create(builder, w.as(name).loc, difference));
  };
  return {s.as("lr").mul(s.constant(getLr()), s.convert(factor)),
          correction("bias_correction1", getBeta1()),
          correction("bias_correction2", getBeta2())};
}

Value AdamWAttr::buildUpdate(OpBuilder &builder, Location loc, Value param,
                             Value gradient, ValueRange slots,
                             ValueRange stepScalars,
                             SmallVectorImpl<Value> &newSlots) const {
  ScalarBuilder s{builder, loc, cast<FloatType>(param.getType())};
  Value lr = stepScalars[0];
  double beta1 = getBeta1().convertToDouble();
  double beta2 = getBeta2().convertToDouble();
  if (!getWeightDecay().isZero()) {
    Value decay = s.as("decay").mul(lr, s.constant(getWeightDecay()));
    param = s.as("decayed").sub(param, s.mul(decay, param));
  }
  Value m = s.add(s.mul(s.constant(beta1), slots[0]),
                  s.mul(s.constant(1 - beta1), gradient));
  Value v = s.add(s.mul(s.constant(beta2), slots[1]),
                  s.mul(s.constant(1 - beta2), s.mul(gradient, gradient)));
  newSlots.append({m, v});
  Value mean = s.as("m_hat").div(m, stepScalars[1]);
  Value deviation = s.sqrt(s.as("v_hat").div(v, stepScalars[2]));
  Value direction = s.div(mean, s.add(deviation, s.constant(getEps())));
  return s.sub(param, s.mul(lr, direction));
}
