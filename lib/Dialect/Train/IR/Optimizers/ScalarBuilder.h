//===- ScalarBuilder.h - Formulas on scalars --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the optimizer rules share to build their updates.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_SCALARBUILDER_H
#define ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_SCALARBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace accrue::train {

/// Float arithmetic on scalars of one type, to write rules like formulas.
struct ScalarBuilder {
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::FloatType type;

  using Value = mlir::Value;

  /// A builder of ops whose results are called `name`, in emitted code too.
  ScalarBuilder as(llvm::StringRef name) const {
    return {builder, mlir::NameLoc::get(builder.getStringAttr(name), loc),
            type};
  }

  Value constant(double value) const {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           mlir::FloatAttr::get(type, value));
  }
  Value constant(const llvm::APFloat &value) const {
    return constant(value.convertToDouble());
  }
  Value add(Value a, Value b) const {
    return mlir::arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) const {
    return mlir::arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) const {
    return mlir::arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) const {
    return mlir::arith::DivFOp::create(builder, loc, a, b);
  }
  Value max(Value a, Value b) const {
    return mlir::arith::MaximumFOp::create(builder, loc, a, b);
  }
  Value sqrt(Value a) const {
    return mlir::math::SqrtOp::create(builder, loc, a);
  }
  /// -1, 0 or 1.
  Value sign(Value a) const {
    using Predicate = mlir::arith::CmpFPredicate;
    Value zero = constant(0.0);
    auto compare = [&](Predicate predicate) -> Value {
      return mlir::arith::CmpFOp::create(builder, loc, predicate, a, zero);
    };
    auto select = [&](Value condition, Value x, Value y) -> Value {
      return mlir::arith::SelectOp::create(builder, loc, condition, x, y);
    };
    Value negative = select(compare(Predicate::OLT), constant(-1.0), zero);
    return select(compare(Predicate::OGT), constant(1.0), negative);
  }
  /// decay * average + (1 - decay) * value.
  Value average(const llvm::APFloat &decay, Value average, Value value) const {
    double weight = decay.convertToDouble();
    return add(mul(constant(weight), average),
               mul(constant(1 - weight), value));
  }
  /// gradient + weightDecay * param: the gradient of a penalty on the weights.
  Value decayGradient(const llvm::APFloat &weightDecay, Value gradient,
                      Value param) const {
    if (weightDecay.isZero())
      return gradient;
    return as("decayed").add(gradient, mul(constant(weightDecay), param));
  }
  /// param - lr * weightDecay * param: a decay beside the gradient.
  Value decayParam(const llvm::APFloat &weightDecay, Value lr,
                   Value param) const {
    if (weightDecay.isZero())
      return param;
    Value decay = as("decay").mul(lr, constant(weightDecay));
    return as("decayed").sub(param, mul(decay, param));
  }
  Value convert(Value a) const {
    if (a.getType() == type)
      return a;
    if (a.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      return mlir::arith::ExtFOp::create(builder, loc, type, a);
    return mlir::arith::TruncFOp::create(builder, loc, type, a);
  }
  /// A builder for numbers of steps, which do not fit 16 bits.
  ScalarBuilder widen() const {
    if (type.getIntOrFloatBitWidth() >= 32)
      return *this;
    return {builder, loc, builder.getF32Type()};
  }
  /// The i64 number of the step as a float.
  Value step(Value number) const {
    return mlir::arith::SIToFPOp::create(builder, as("t").loc, type, number);
  }
  /// The learning rate `base` times the schedule's factor.
  Value learningRate(const llvm::APFloat &base, Value factor) const {
    return as("lr").mul(constant(base), convert(factor));
  }
};

} // namespace accrue::train

#endif // ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_SCALARBUILDER_H
