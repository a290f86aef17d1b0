//===- NNReferenceMath.cpp - Meaning of functions of one operand ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements are computed in double, in forms that do not overflow, and rounded
// once to the type of the result.
//
//===----------------------------------------------------------------------===//

#include "NNReference.h"
#include "accrue/Dialect/NN/NNOps.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using accrue::reference::EvaluationContext;
using accrue::reference::Rounding;
using accrue::reference::Tensor;

/// A tensor of floats from one, element by element.
template <typename Fn>
static LogicalResult evaluateUnary(ArrayRef<Tensor> operands,
                                   EvaluationContext &context,
                                   SmallVectorImpl<Tensor> &results, Fn fn) {
  Tensor result(operands[0].getType());
  Rounding round = context.getRounding(result.getElementType());
  ArrayRef<double> input = operands[0].getFloats();
  MutableArrayRef<double> output = result.getMutableFloats();
  for (size_t i = 0, e = input.size(); i != e; ++i)
    output[i] = round(fn(input[i]));
  results.push_back(std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static double negate(double x) { return -x; }
static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
static double relu(double x) { return x > 0 || std::isnan(x) ? x : 0.0; }
static double square(double x) { return x * x; }
/// Of zeros and NaN the operand itself.
static double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
static double rsqrt(double x) { return 1 / std::sqrt(x); }
static double reciprocal(double x) { return 1 / x; }
static double silu(double x) { return x / (1 + std::exp(-x)); }

static double softplus(double x) {
  double positive = x > 0 || std::isnan(x) ? x : 0.0;
  return positive + std::log1p(std::exp(-std::fabs(x)));
}

static double gelu(double x) { return 0.5 * x * (1 + std::erf(x * M_SQRT1_2)); }

static double geluTanh(double x) {
  double inner = M_2_SQRTPI * M_SQRT1_2 * (x + 0.044715 * x * x * x);
  return 0.5 * x * (1 + std::tanh(inner));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

#define ACCRUE_EVALUATE_UNARY(OP, FUNCTION)                                    \
  LogicalResult OP::evaluate(ArrayRef<Tensor> operands,                        \
                             EvaluationContext &context,                       \
                             SmallVectorImpl<Tensor> &results) {               \
    return evaluateUnary(operands, context, results,                           \
                         [&](double x) -> double { return FUNCTION; });        \
  }

ACCRUE_EVALUATE_UNARY(NegOp, negate(x))
ACCRUE_EVALUATE_UNARY(ExpOp, std::exp(x))
ACCRUE_EVALUATE_UNARY(LogOp, std::log(x))
ACCRUE_EVALUATE_UNARY(TanhOp, std::tanh(x))
ACCRUE_EVALUATE_UNARY(SigmoidOp, sigmoid(x))
ACCRUE_EVALUATE_UNARY(ReluOp, relu(x))
ACCRUE_EVALUATE_UNARY(SqrtOp, std::sqrt(x))
ACCRUE_EVALUATE_UNARY(SquareOp, square(x))
ACCRUE_EVALUATE_UNARY(AbsOp, std::fabs(x))
ACCRUE_EVALUATE_UNARY(SignOp, sign(x))
ACCRUE_EVALUATE_UNARY(FloorOp, std::floor(x))
ACCRUE_EVALUATE_UNARY(ErfOp, std::erf(x))
ACCRUE_EVALUATE_UNARY(Log1pOp, std::log1p(x))
ACCRUE_EVALUATE_UNARY(Expm1Op, std::expm1(x))
ACCRUE_EVALUATE_UNARY(RsqrtOp, rsqrt(x))
ACCRUE_EVALUATE_UNARY(ReciprocalOp, reciprocal(x))
ACCRUE_EVALUATE_UNARY(SinOp, std::sin(x))
ACCRUE_EVALUATE_UNARY(CosOp, std::cos(x))
ACCRUE_EVALUATE_UNARY(SiluOp, silu(x))
ACCRUE_EVALUATE_UNARY(SoftplusOp, softplus(x))
ACCRUE_EVALUATE_UNARY(GeluOp, getApproximate() ? geluTanh(x) : gelu(x))
ACCRUE_EVALUATE_UNARY(StopGradientOp, x)

#undef ACCRUE_EVALUATE_UNARY

LogicalResult ClampOp::evaluate(ArrayRef<Tensor> operands,
                                EvaluationContext &context,
                                SmallVectorImpl<Tensor> &results) {
  Rounding round = context.getRounding(operands[0].getElementType());
  double least = round(getMin().convertToDouble());
  double most = round(getMax().convertToDouble());
  return evaluateUnary(operands, context, results, [&](double x) {
    return x < least ? least : x > most ? most : x;
  });
}
