//===- NNScalarBodies.cpp - Elementwise ops as scalar code ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One element of every elementwise op with `arith` and `math` ops: all that a
// kernel needs to know about them.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            double value) {
  TypedAttr attr = isa<FloatType>(type)
                       ? TypedAttr(builder.getFloatAttr(type, value))
                       : TypedAttr(builder.getIntegerAttr(
                             type, static_cast<int64_t>(value)));
  return arith::ConstantOp::create(builder, loc, attr);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

Value ConvertOp::buildScalarBody(OpBuilder &builder, Location loc,
                                 ValueRange scalars) {
  Value x = scalars[0];
  Type from = x.getType();
  Type to = getElementTypeOrSelf(getType());
  if (from == to)
    return x;
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (to.isInteger(1)) {
    Value zero = createConstant(builder, loc, from, 0);
    if (fromFloat)
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, x,
                                   zero);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, x,
                                 zero);
  }
  if (from.isInteger(1))
    return toFloat ? Value(arith::UIToFPOp::create(builder, loc, to, x))
                   : Value(arith::ExtUIOp::create(builder, loc, to, x));
  if (fromFloat && !toFloat)
    return arith::FPToSIOp::create(builder, loc, to, x);
  if (!fromFloat && toFloat)
    return arith::SIToFPOp::create(builder, loc, to, x);
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  if (!fromFloat)
    return fromWidth < toWidth
               ? Value(arith::ExtSIOp::create(builder, loc, to, x))
               : Value(arith::TruncIOp::create(builder, loc, to, x));
  if (fromWidth < toWidth)
    return arith::ExtFOp::create(builder, loc, to, x);
  if (fromWidth > toWidth)
    return arith::TruncFOp::create(builder, loc, to, x);
  // f16 and bf16 meet in f32.
  Value wide = arith::ExtFOp::create(builder, loc, builder.getF32Type(), x);
  return arith::TruncFOp::create(builder, loc, to, wide);
}

//===----------------------------------------------------------------------===//
// Unary ops
//===----------------------------------------------------------------------===//

/// Ops that are one op of `arith` or `math`.
#define ACCRUE_SCALAR_UNARY(OP, SCALAR_OP)                                     \
  Value OP::buildScalarBody(OpBuilder &builder, Location loc,                  \
                            ValueRange scalars) {                              \
    return SCALAR_OP::create(builder, loc, scalars[0]);                        \
  }

ACCRUE_SCALAR_UNARY(NegOp, arith::NegFOp)
ACCRUE_SCALAR_UNARY(ExpOp, math::ExpOp)
ACCRUE_SCALAR_UNARY(LogOp, math::LogOp)
ACCRUE_SCALAR_UNARY(TanhOp, math::TanhOp)
ACCRUE_SCALAR_UNARY(SqrtOp, math::SqrtOp)
ACCRUE_SCALAR_UNARY(AbsOp, math::AbsFOp)
ACCRUE_SCALAR_UNARY(FloorOp, math::FloorOp)
ACCRUE_SCALAR_UNARY(ErfOp, math::ErfOp)
ACCRUE_SCALAR_UNARY(Log1pOp, math::Log1pOp)
ACCRUE_SCALAR_UNARY(Expm1Op, math::ExpM1Op)
ACCRUE_SCALAR_UNARY(RsqrtOp, math::RsqrtOp)
ACCRUE_SCALAR_UNARY(SinOp, math::SinOp)
ACCRUE_SCALAR_UNARY(CosOp, math::CosOp)

#undef ACCRUE_SCALAR_UNARY

/// numerator / (1 + exp(-x)): where the exponential overflows, the quotient is
/// 0, as it has to be.
static Value buildLogistic(OpBuilder &builder, Location loc, Value numerator,
                           Value x) {
  Value one = createConstant(builder, loc, x.getType(), 1);
  Value negated = arith::NegFOp::create(builder, loc, x);
  Value exp = math::ExpOp::create(builder, loc, negated);
  Value denominator = arith::AddFOp::create(builder, loc, one, exp);
  return arith::DivFOp::create(builder, loc, numerator, denominator);
}

Value SigmoidOp::buildScalarBody(OpBuilder &builder, Location loc,
                                 ValueRange scalars) {
  Value one = createConstant(builder, loc, scalars[0].getType(), 1);
  return buildLogistic(builder, loc, one, scalars[0]);
}

Value SiluOp::buildScalarBody(OpBuilder &builder, Location loc,
                              ValueRange scalars) {
  return buildLogistic(builder, loc, scalars[0], scalars[0]);
}

Value ReluOp::buildScalarBody(OpBuilder &builder, Location loc,
                              ValueRange scalars) {
  Value zero = createConstant(builder, loc, scalars[0].getType(), 0);
  return arith::MaximumFOp::create(builder, loc, scalars[0], zero);
}

/// Zeros and NaN stay what they are.
Value SignOp::buildScalarBody(OpBuilder &builder, Location loc,
                              ValueRange scalars) {
  Value x = scalars[0];
  Value zero = createConstant(builder, loc, x.getType(), 0);
  Value one = createConstant(builder, loc, x.getType(), 1);
  Value minusOne = createConstant(builder, loc, x.getType(), -1);
  Value positive =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, x, zero);
  Value negative =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, zero);
  Value below = arith::SelectOp::create(builder, loc, negative, minusOne, x);
  return arith::SelectOp::create(builder, loc, positive, one, below);
}

Value ReciprocalOp::buildScalarBody(OpBuilder &builder, Location loc,
                                    ValueRange scalars) {
  Value one = createConstant(builder, loc, scalars[0].getType(), 1);
  return arith::DivFOp::create(builder, loc, one, scalars[0]);
}

/// max(x, 0) + log1p(exp(-|x|)): the exponential is at most 1.
Value SoftplusOp::buildScalarBody(OpBuilder &builder, Location loc,
                                  ValueRange scalars) {
  Value x = scalars[0];
  Value zero = createConstant(builder, loc, x.getType(), 0);
  Value positive = arith::MaximumFOp::create(builder, loc, x, zero);
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value negated = arith::NegFOp::create(builder, loc, magnitude);
  Value exp = math::ExpOp::create(builder, loc, negated);
  Value rest = math::Log1pOp::create(builder, loc, exp);
  return arith::AddFOp::create(builder, loc, positive, rest);
}

Value GeluOp::buildScalarBody(OpBuilder &builder, Location loc,
                              ValueRange scalars) {
  Value x = scalars[0];
  auto constant = [&](double value) {
    return createConstant(builder, loc, x.getType(), value);
  };
  auto times = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(builder, loc, a, b);
  };
  Value sigmoidal;
  if (getApproximate()) {
    // x s (1 + 0.044715 x^2)
    Value squared = times(x, x);
    Value relative = times(squared, constant(0.044715));
    Value factor = arith::AddFOp::create(builder, loc, constant(1), relative);
    Value cubic = times(x, factor);
    Value inner = times(cubic, constant(M_2_SQRTPI * M_SQRT1_2));
    sigmoidal = math::TanhOp::create(builder, loc, inner);
  } else {
    Value scaled = times(x, constant(M_SQRT1_2));
    sigmoidal = math::ErfOp::create(builder, loc, scaled);
  }
  Value shifted = arith::AddFOp::create(builder, loc, constant(1), sigmoidal);
  Value half = times(x, constant(0.5));
  return times(half, shifted);
}

Value ClampOp::buildScalarBody(OpBuilder &builder, Location loc,
                               ValueRange scalars) {
  Type type = scalars[0].getType();
  Value least = createConstant(builder, loc, type, getMin().convertToDouble());
  Value most = createConstant(builder, loc, type, getMax().convertToDouble());
  Value raised = arith::MaximumFOp::create(builder, loc, scalars[0], least);
  return arith::MinimumFOp::create(builder, loc, raised, most);
}

Value StopGradientOp::buildScalarBody(OpBuilder &, Location,
                                      ValueRange scalars) {
  return scalars[0];
}

Value SquareOp::buildScalarBody(OpBuilder &builder, Location loc,
                                ValueRange scalars) {
  return arith::MulFOp::create(builder, loc, scalars[0], scalars[0]);
}

//===----------------------------------------------------------------------===//
// Binary ops
//===----------------------------------------------------------------------===//

/// Ops that are one op on floats, another on integers.
#define ACCRUE_SCALAR_BINARY(OP, FLOAT_OP, INTEGER_OP)                         \
  Value OP::buildScalarBody(OpBuilder &builder, Location loc,                  \
                            ValueRange scalars) {                              \
    if (isa<FloatType>(scalars[0].getType()))                                  \
      return FLOAT_OP::create(builder, loc, scalars[0], scalars[1]);           \
    return INTEGER_OP::create(builder, loc, scalars[0], scalars[1]);           \
  }

ACCRUE_SCALAR_BINARY(AddOp, arith::AddFOp, arith::AddIOp)
ACCRUE_SCALAR_BINARY(SubOp, arith::SubFOp, arith::SubIOp)
ACCRUE_SCALAR_BINARY(MulOp, arith::MulFOp, arith::MulIOp)
ACCRUE_SCALAR_BINARY(DivOp, arith::DivFOp, arith::DivSIOp)
ACCRUE_SCALAR_BINARY(MaxOp, arith::MaximumFOp, arith::MaxSIOp)
ACCRUE_SCALAR_BINARY(MinOp, arith::MinimumFOp, arith::MinSIOp)

#undef ACCRUE_SCALAR_BINARY

Value PowOp::buildScalarBody(OpBuilder &builder, Location loc,
                             ValueRange scalars) {
  return math::PowFOp::create(builder, loc, scalars[0], scalars[1]);
}

//===----------------------------------------------------------------------===//
// Logic, comparison and choice
//===----------------------------------------------------------------------===//

Value AndOp::buildScalarBody(OpBuilder &builder, Location loc,
                             ValueRange scalars) {
  return arith::AndIOp::create(builder, loc, scalars[0], scalars[1]);
}

Value OrOp::buildScalarBody(OpBuilder &builder, Location loc,
                            ValueRange scalars) {
  return arith::OrIOp::create(builder, loc, scalars[0], scalars[1]);
}

Value NotOp::buildScalarBody(OpBuilder &builder, Location loc,
                             ValueRange scalars) {
  Value all =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, loc, scalars[0], all);
}

Value CompareOp::buildScalarBody(OpBuilder &builder, Location loc,
                                 ValueRange scalars) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  F floatPredicate = F::OEQ;
  I integerPredicate = I::eq;
  switch (getPredicate()) {
  case ComparePredicate::eq:
    break;
  case ComparePredicate::ne:
    floatPredicate = F::UNE, integerPredicate = I::ne;
    break;
  case ComparePredicate::lt:
    floatPredicate = F::OLT, integerPredicate = I::slt;
    break;
  case ComparePredicate::le:
    floatPredicate = F::OLE, integerPredicate = I::sle;
    break;
  case ComparePredicate::gt:
    floatPredicate = F::OGT, integerPredicate = I::sgt;
    break;
  case ComparePredicate::ge:
    floatPredicate = F::OGE, integerPredicate = I::sge;
    break;
  }
  if (isa<FloatType>(scalars[0].getType()))
    return arith::CmpFOp::create(builder, loc, floatPredicate, scalars[0],
                                 scalars[1]);
  return arith::CmpIOp::create(builder, loc, integerPredicate, scalars[0],
                               scalars[1]);
}

Value SelectOp::buildScalarBody(OpBuilder &builder, Location loc,
                                ValueRange scalars) {
  return arith::SelectOp::create(builder, loc, scalars[0], scalars[1],
                                 scalars[2]);
}

Value WhenTrainingOp::buildScalarBody(OpBuilder &, Location,
                                      ValueRange scalars) {
  return scalars[0];
}
