//===- NNVJPMath.cpp - Derivatives of functions of one operand ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule reads the result rather than the operand where it has the choice: the
// result is what the next op has to keep anyway. Those of activation functions
// that need both read the operand only, so that one value is kept.
//
//===----------------------------------------------------------------------===//

#include "TensorBuilder.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

using Predicate = ComparePredicate;

//===----------------------------------------------------------------------===//
// The cotangent of the operand from the cotangent `c` of the result
//===----------------------------------------------------------------------===//

static Value getCotangent(NegOp, TensorBuilder t, Value c) { return t.neg(c); }

static Value getCotangent(ExpOp op, TensorBuilder t, Value c) {
  return t.mul(c, op.getResult());
}

static Value getCotangent(LogOp op, TensorBuilder t, Value c) {
  return t.div(c, op.getInput());
}

/// 1 - y^2
static Value getCotangent(TanhOp op, TensorBuilder t, Value c) {
  Value one = t.splat(op.getResult(), 1.0);
  Value squared = t.square(op.getResult());
  Value slope = t.sub(one, squared);
  return t.mul(c, slope);
}

/// y (1 - y); 1 - y is exact where y is close to 1.
static Value getCotangent(SigmoidOp op, TensorBuilder t, Value c) {
  Value one = t.splat(op.getResult(), 1.0);
  Value rest = t.sub(one, op.getResult());
  Value slope = t.mul(op.getResult(), rest);
  return t.mul(c, slope);
}

/// The result is positive exactly where the operand is.
static Value getCotangent(ReluOp op, TensorBuilder t, Value c) {
  Value zero = t.splat(op.getResult(), 0.0);
  Value positive = t.compare(Predicate::gt, op.getResult(), zero);
  return t.select(positive, c, zero);
}

/// 1 / (2 y)
static Value getCotangent(SqrtOp op, TensorBuilder t, Value c) {
  Value twice = t.add(op.getResult(), op.getResult());
  return t.div(c, twice);
}

static Value getCotangent(SquareOp op, TensorBuilder t, Value c) {
  Value twice = t.add(op.getInput(), op.getInput());
  return t.mul(c, twice);
}

static Value getCotangent(AbsOp op, TensorBuilder t, Value c) {
  Value sign = t.unary<SignOp>(op.getInput());
  return t.mul(c, sign);
}

/// Constant between jumps.
static Value getCotangent(SignOp, TensorBuilder, Value) { return nullptr; }
static Value getCotangent(FloorOp, TensorBuilder, Value) { return nullptr; }

/// 2 / sqrt(pi) exp(-x^2)
static Value getCotangent(ErfOp op, TensorBuilder t, Value c) {
  Value squared = t.square(op.getInput());
  Value negated = t.neg(squared);
  Value density = t.exp(negated);
  Value slope = t.scale(density, M_2_SQRTPI);
  return t.mul(c, slope);
}

static Value getCotangent(Log1pOp op, TensorBuilder t, Value c) {
  Value shifted = t.shift(op.getInput(), 1.0);
  return t.div(c, shifted);
}

/// exp(x) = y + 1
static Value getCotangent(Expm1Op op, TensorBuilder t, Value c) {
  Value slope = t.shift(op.getResult(), 1.0);
  return t.mul(c, slope);
}

/// -y^3 / 2
static Value getCotangent(RsqrtOp op, TensorBuilder t, Value c) {
  Value squared = t.square(op.getResult());
  Value cubed = t.mul(squared, op.getResult());
  Value slope = t.scale(cubed, -0.5);
  return t.mul(c, slope);
}

/// -y^2
static Value getCotangent(ReciprocalOp op, TensorBuilder t, Value c) {
  Value squared = t.square(op.getResult());
  Value product = t.mul(c, squared);
  return t.neg(product);
}

static Value getCotangent(SinOp op, TensorBuilder t, Value c) {
  Value slope = t.unary<CosOp>(op.getInput());
  return t.mul(c, slope);
}

static Value getCotangent(CosOp op, TensorBuilder t, Value c) {
  Value sin = t.unary<SinOp>(op.getInput());
  Value slope = t.neg(sin);
  return t.mul(c, slope);
}

/// s (1 + x (1 - s)) with s = sigmoid(x)
static Value getCotangent(SiluOp op, TensorBuilder t, Value c) {
  Value s = t.sigmoid(op.getInput());
  Value one = t.splat(s, 1.0);
  Value rest = t.sub(one, s);
  Value weighted = t.mul(op.getInput(), rest);
  Value factor = t.add(one, weighted);
  Value slope = t.mul(s, factor);
  return t.mul(c, slope);
}

static Value getCotangent(SoftplusOp op, TensorBuilder t, Value c) {
  Value slope = t.sigmoid(op.getInput());
  return t.mul(c, slope);
}

/// P(x) + x p(x), with the standard normal distribution P and its density p.
static Value getExactGeluSlope(GeluOp op, TensorBuilder t) {
  Value x = op.getInput();
  Value scaled = t.scale(x, M_SQRT1_2);
  Value erf = t.unary<ErfOp>(scaled);
  Value shifted = t.shift(erf, 1.0);
  Value distribution = t.scale(shifted, 0.5);
  Value squared = t.square(x);
  Value exponent = t.scale(squared, -0.5);
  Value exp = t.exp(exponent);
  Value density = t.scale(exp, 0.5 * M_2_SQRTPI * M_SQRT1_2);
  Value weighted = t.mul(x, density);
  return t.add(distribution, weighted);
}

/// (1 + h) / 2 + x (1 - h^2) u' / 2 with h = tanh(u(x)).
static Value getTanhGeluSlope(GeluOp op, TensorBuilder t) {
  constexpr double scale = M_2_SQRTPI * M_SQRT1_2, cubic = 0.044715;
  Value x = op.getInput();
  Value squared = t.square(x);
  Value relative = t.scale(squared, scale * cubic);
  Value factor = t.shift(relative, scale);
  Value u = t.mul(x, factor);
  Value h = t.unary<TanhOp>(u);
  Value one = t.splat(x, 1.0);
  Value upper = t.add(one, h);
  Value squaredTanh = t.square(h);
  Value tanhSlope = t.sub(one, squaredTanh);
  Value slopeRelative = t.scale(squared, 3 * scale * cubic);
  Value uSlope = t.shift(slopeRelative, scale);
  Value inner = t.mul(tanhSlope, uSlope);
  Value weighted = t.mul(x, inner);
  Value sum = t.add(upper, weighted);
  return t.scale(sum, 0.5);
}

static Value getCotangent(GeluOp op, TensorBuilder t, Value c) {
  Value slope =
      op.getApproximate() ? getTanhGeluSlope(op, t) : getExactGeluSlope(op, t);
  return t.mul(c, slope);
}

static Value getCotangent(ClampOp op, TensorBuilder t, Value c) {
  Value x = op.getInput();
  Value zero = t.splat(x, 0.0);
  Value least = t.splat(x, op.getMin().convertToDouble());
  Value most = t.splat(x, op.getMax().convertToDouble());
  Value above = t.compare(Predicate::ge, x, least);
  Value below = t.compare(Predicate::le, x, most);
  Value inside = t.binary<AndOp>(above, below);
  return t.select(inside, c, zero);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

#define ACCRUE_UNARY_VJP(OP)                                                   \
  LogicalResult OP::buildVJP(OpBuilder &builder, ValueRange resultCotangents,  \
                             ArrayRef<bool> wanted,                            \
                             SmallVectorImpl<Value> &operandCotangents) {      \
    if (wanted[0])                                                             \
      operandCotangents[0] = getCotangent(                                     \
          *this, TensorBuilder{builder, getLoc()}, resultCotangents[0]);       \
    return success();                                                          \
  }

ACCRUE_UNARY_VJP(NegOp)
ACCRUE_UNARY_VJP(ExpOp)
ACCRUE_UNARY_VJP(LogOp)
ACCRUE_UNARY_VJP(TanhOp)
ACCRUE_UNARY_VJP(SigmoidOp)
ACCRUE_UNARY_VJP(ReluOp)
ACCRUE_UNARY_VJP(SqrtOp)
ACCRUE_UNARY_VJP(SquareOp)
ACCRUE_UNARY_VJP(AbsOp)
ACCRUE_UNARY_VJP(SignOp)
ACCRUE_UNARY_VJP(FloorOp)
ACCRUE_UNARY_VJP(ErfOp)
ACCRUE_UNARY_VJP(Log1pOp)
ACCRUE_UNARY_VJP(Expm1Op)
ACCRUE_UNARY_VJP(RsqrtOp)
ACCRUE_UNARY_VJP(ReciprocalOp)
ACCRUE_UNARY_VJP(SinOp)
ACCRUE_UNARY_VJP(CosOp)
ACCRUE_UNARY_VJP(SiluOp)
ACCRUE_UNARY_VJP(SoftplusOp)
ACCRUE_UNARY_VJP(GeluOp)
ACCRUE_UNARY_VJP(ClampOp)

#undef ACCRUE_UNARY_VJP

LogicalResult StopGradientOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                       SmallVectorImpl<Value> &) {
  return success();
}

bool StopGradientOp::isInactiveOperand(unsigned) { return true; }
