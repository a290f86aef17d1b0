//===- Schedules.cpp - Schedules of the learning rate ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

static Value buildFloat(OpBuilder &builder, Location loc, double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

/// The place of an op whose result is called `name`, in emitted code too.
static Location as(StringRef name, Location loc) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

int64_t ConstantScheduleAttr::getLastStep() const { return 0; }

double ConstantScheduleAttr::getFactor(int64_t) const { return 1.0; }

Value ConstantScheduleAttr::buildFactor(OpBuilder &builder, Location loc,
                                        Value) const {
  return buildFloat(builder, loc, 1.0);
}

LogicalResult WarmupCosineAttr::verify(function_ref<InFlightDiagnostic()> error,
                                       int64_t warmup, int64_t steps,
                                       APFloat floor) {
  if (warmup < 0 || steps <= warmup)
    return error() << "expected 0 <= warmup < steps, got warmup " << warmup
                   << " and steps " << steps;
  return success();
}

int64_t WarmupCosineAttr::getLastStep() const { return getSteps(); }

double WarmupCosineAttr::getFactor(int64_t completed) const {
  if (completed < getWarmup())
    return static_cast<double>(completed + 1) / getWarmup();
  double floor = getFloor().convertToDouble();
  double progress =
      std::min(1.0, static_cast<double>(completed - getWarmup()) /
                        static_cast<double>(getSteps() - getWarmup()));
  return floor + (1 - floor) * (1 + std::cos(llvm::numbers::pi * progress)) / 2;
}

Value WarmupCosineAttr::buildFactor(OpBuilder &builder, Location loc,
                                    Value completed) const {
  Type f32 = builder.getF32Type();
  auto constant = [&](double value) { return buildFloat(builder, loc, value); };
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  auto toFloat = [&](Value value) -> Value {
    return arith::SIToFPOp::create(builder, loc, f32, value);
  };
  auto mul = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(builder, loc, a, b);
  };
  auto add = [&](Location loc, Value a, Value b) -> Value {
    return arith::AddFOp::create(builder, loc, a, b);
  };
  double floor = getFloor().convertToDouble();
  // Integers are exact up to 2^63; the subtraction is done before rounding.
  Value past = toFloat(
      arith::SubIOp::create(builder, loc, completed, integer(getWarmup())));
  Value progress = arith::MinimumFOp::create(
      builder, as("progress", loc), constant(1.0),
      arith::DivFOp::create(
          builder, loc, past,
          constant(static_cast<double>(getSteps() - getWarmup()))));
  Value angle = mul(constant(llvm::numbers::pi), progress);
  Value cosine = math::CosOp::create(builder, loc, angle);
  Value half = mul(add(loc, constant(1.0), cosine), constant((1 - floor) / 2));
  Value decayed = add(as("decayed", loc), constant(floor), half);
  if (getWarmup() == 0)
    return decayed;
  Value next = arith::AddIOp::create(builder, loc, completed, integer(1));
  Value rising = arith::DivFOp::create(builder, as("rising", loc),
                                       toFloat(next), constant(getWarmup()));
  Value warming = arith::CmpIOp::create(builder, as("is_warmup", loc),
                                        arith::CmpIPredicate::slt, completed,
                                        integer(getWarmup()));
  return arith::SelectOp::create(builder, loc, warming, rising, decayed);
}
