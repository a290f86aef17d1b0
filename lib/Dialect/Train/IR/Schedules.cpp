//===- Schedules.cpp - Schedules of the learning rate ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers are those of runtime/training/Schedules.h, which programs that
// report the learning rate use too.
//
//===----------------------------------------------------------------------===//

#include "runtime/training/Schedules.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {
/// Arithmetic in `type` on numbers of steps in i64.
struct FactorBuilder {
  OpBuilder &builder;
  Location loc;
  FloatType type;

  /// A builder of ops whose results are called `name`, in emitted code too.
  FactorBuilder as(StringRef name) const {
    return {builder, NameLoc::get(builder.getStringAttr(name), loc), type};
  }

  Value constant(double value) const {
    return arith::ConstantOp::create(builder, loc, FloatAttr::get(type, value));
  }
  Value integer(int64_t value) const {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  }
  Value toFloat(Value value) const {
    return arith::SIToFPOp::create(builder, loc, type, value);
  }
  Value add(Value a, Value b) const {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) const {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) const {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) const {
    return arith::DivFOp::create(builder, loc, a, b);
  }

  /// The number of the step that comes after `completed` ones.
  Value next(Value completed) const {
    return toFloat(arith::AddIOp::create(builder, loc, completed, integer(1)));
  }
  /// `getProgress`. Integers are exact up to 2^63; the subtraction is done
  /// before rounding.
  Value progress(Value completed, int64_t warmup, int64_t steps) const {
    Value past = toFloat(
        arith::SubIOp::create(builder, loc, completed, integer(warmup)));
    Value part = div(past, constant(static_cast<double>(steps - warmup)));
    return arith::MinimumFOp::create(builder, as("progress").loc, constant(1.0),
                                     part);
  }
  /// `floor + (1 - floor) * x`.
  Value aboveFloor(const APFloat &floor, Value x, double scale = 1) const {
    double least = floor.convertToDouble();
    return as("decayed").add(constant(least),
                             mul(x, constant((1 - least) * scale)));
  }
  /// `warmUp`.
  Value warmUp(Value completed, int64_t warmup, Value factor) const {
    if (warmup == 0)
      return factor;
    Value rising = as("rising").div(next(completed),
                                    constant(static_cast<double>(warmup)));
    Value warming = arith::CmpIOp::create(builder, as("is_warmup").loc,
                                          arith::CmpIPredicate::slt, completed,
                                          integer(warmup));
    return arith::SelectOp::create(builder, loc, warming, rising, factor);
  }
};
} // namespace

/// Fails unless a schedule that ends at `steps` has room for its warm-up.
static LogicalResult verifyEnd(function_ref<InFlightDiagnostic()> error,
                               int64_t warmup, int64_t steps) {
  if (warmup < 0 || steps <= warmup)
    return error() << "expected 0 <= warmup < steps, got warmup " << warmup
                   << " and steps " << steps;
  return success();
}

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

LogicalResult
ConstantScheduleAttr::verify(function_ref<InFlightDiagnostic()> error,
                             int64_t warmup) {
  if (warmup < 0)
    return error() << "expected warmup not to be negative, got " << warmup;
  return success();
}

int64_t ConstantScheduleAttr::getLastStep() const { return 0; }

int64_t ConstantScheduleAttr::getWarmupSteps() const { return getWarmup(); }

double ConstantScheduleAttr::getFactor(int64_t completed) const {
  return constantFactor(completed, getWarmup());
}

std::string ConstantScheduleAttr::getFactorSource() const {
  return fmt::format("accrue::constantFactor(completed, {})", getWarmup());
}

Value ConstantScheduleAttr::buildFactor(OpBuilder &builder, Location loc,
                                        Value completed, FloatType type) const {
  FactorBuilder f{builder, loc, type};
  return f.warmUp(completed, getWarmup(), f.constant(1.0));
}

//===----------------------------------------------------------------------===//
// Linear
//===----------------------------------------------------------------------===//

LogicalResult
LinearScheduleAttr::verify(function_ref<InFlightDiagnostic()> error,
                           int64_t warmup, int64_t steps, APFloat) {
  return verifyEnd(error, warmup, steps);
}

int64_t LinearScheduleAttr::getLastStep() const { return getSteps(); }

int64_t LinearScheduleAttr::getWarmupSteps() const { return getWarmup(); }

double LinearScheduleAttr::getFactor(int64_t completed) const {
  return linearFactor(completed, getWarmup(), getSteps(),
                      getFloor().convertToDouble());
}

std::string LinearScheduleAttr::getFactorSource() const {
  return fmt::format("accrue::linearFactor(completed, {}, {}, {})", getWarmup(),
                     getSteps(), getFloor().convertToDouble());
}

Value LinearScheduleAttr::buildFactor(OpBuilder &builder, Location loc,
                                      Value completed, FloatType type) const {
  FactorBuilder f{builder, loc, type};
  Value rest =
      f.sub(f.constant(1.0), f.progress(completed, getWarmup(), getSteps()));
  return f.warmUp(completed, getWarmup(), f.aboveFloor(getFloor(), rest));
}

//===----------------------------------------------------------------------===//
// Cosine
//===----------------------------------------------------------------------===//

LogicalResult WarmupCosineAttr::verify(function_ref<InFlightDiagnostic()> error,
                                       int64_t warmup, int64_t steps, APFloat) {
  return verifyEnd(error, warmup, steps);
}

int64_t WarmupCosineAttr::getLastStep() const { return getSteps(); }

int64_t WarmupCosineAttr::getWarmupSteps() const { return getWarmup(); }

double WarmupCosineAttr::getFactor(int64_t completed) const {
  return cosineFactor(completed, getWarmup(), getSteps(),
                      getFloor().convertToDouble());
}

std::string WarmupCosineAttr::getFactorSource() const {
  return fmt::format("accrue::cosineFactor(completed, {}, {}, {})", getWarmup(),
                     getSteps(), getFloor().convertToDouble());
}

Value WarmupCosineAttr::buildFactor(OpBuilder &builder, Location loc,
                                    Value completed, FloatType type) const {
  FactorBuilder f{builder, loc, type};
  Value angle = f.mul(f.constant(llvm::numbers::pi),
                      f.progress(completed, getWarmup(), getSteps()));
  Value cosine = math::CosOp::create(builder, loc, angle);
  Value height = f.add(f.constant(1.0), cosine);
  return f.warmUp(completed, getWarmup(),
                  f.aboveFloor(getFloor(), height, /*scale=*/0.5));
}

//===----------------------------------------------------------------------===//
// Inverse square root
//===----------------------------------------------------------------------===//

LogicalResult InverseSqrtAttr::verify(function_ref<InFlightDiagnostic()> error,
                                      int64_t warmup) {
  if (warmup < 1)
    return error() << "expected warmup to be at least 1, got " << warmup;
  return success();
}

int64_t InverseSqrtAttr::getLastStep() const { return 0; }

int64_t InverseSqrtAttr::getWarmupSteps() const { return getWarmup(); }

double InverseSqrtAttr::getFactor(int64_t completed) const {
  return inverseSqrtFactor(completed, getWarmup());
}

std::string InverseSqrtAttr::getFactorSource() const {
  return fmt::format("accrue::inverseSqrtFactor(completed, {})", getWarmup());
}

Value InverseSqrtAttr::buildFactor(OpBuilder &builder, Location loc,
                                   Value completed, FloatType type) const {
  FactorBuilder f{builder, loc, type};
  Value ratio =
      f.div(f.constant(static_cast<double>(getWarmup())), f.next(completed));
  Value decayed = math::SqrtOp::create(builder, f.as("decayed").loc, ratio);
  return f.warmUp(completed, getWarmup(), decayed);
}

//===----------------------------------------------------------------------===//
// Step
//===----------------------------------------------------------------------===//

LogicalResult StepScheduleAttr::verify(function_ref<InFlightDiagnostic()> error,
                                       int64_t warmup, int64_t every,
                                       APFloat gamma) {
  if (warmup < 0 || every < std::max<int64_t>(warmup, 1))
    return error() << "expected 0 <= warmup <= every and every to be positive, "
                      "got warmup "
                   << warmup << " and every " << every;
  if (!(gamma.convertToDouble() > 0))
    return error() << "expected gamma to be positive, got "
                   << gamma.convertToDouble();
  return success();
}

int64_t StepScheduleAttr::getLastStep() const { return 0; }

int64_t StepScheduleAttr::getWarmupSteps() const { return getWarmup(); }

double StepScheduleAttr::getFactor(int64_t completed) const {
  return stepFactor(completed, getWarmup(), getEvery(),
                    getGamma().convertToDouble());
}

std::string StepScheduleAttr::getFactorSource() const {
  return fmt::format("accrue::stepFactor(completed, {}, {}, {})", getWarmup(),
                     getEvery(), getGamma().convertToDouble());
}

Value StepScheduleAttr::buildFactor(OpBuilder &builder, Location loc,
                                    Value completed, FloatType type) const {
  FactorBuilder f{builder, loc, type};
  Value drops = f.toFloat(arith::DivSIOp::create(
      builder, f.as("drops").loc, completed, f.integer(getEvery())));
  Value decayed =
      math::PowFOp::create(builder, f.as("decayed").loc,
                           f.constant(getGamma().convertToDouble()), drops);
  return f.warmUp(completed, getWarmup(), decayed);
}
