//===- NNReferenceElementwise.cpp - Meaning of elementwise ops ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op computes an element in double and rounds it once to the type of the
// result (not at all in f64). Integers wrap around at their declared width.
// Functions of one operand are in NNReferenceMath.cpp.
//
//===----------------------------------------------------------------------===//

#include "NNReference.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using accrue::reference::EvaluationContext;
using accrue::reference::Rounding;
using accrue::reference::Tensor;

/// `value` modulo 2^width, as a signed number (i1: 0 or 1).
static int64_t wrap(uint64_t value, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  return width == 1 ? value & 1 : llvm::SignExtend64(value, width);
}

/// A tensor of numbers from two, element by element.
template <typename FloatFn, typename IntFn>
static LogicalResult evaluateBinary(Operation *op, ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results,
                                    FloatFn onFloats, IntFn onInts) {
  Tensor result(operands[0].getType());
  Type type = result.getElementType();
  if (result.isFloat()) {
    Rounding round = context.getRounding(type);
    ArrayRef<double> lhs = operands[0].getFloats();
    ArrayRef<double> rhs = operands[1].getFloats();
    MutableArrayRef<double> output = result.getMutableFloats();
    for (size_t i = 0, e = lhs.size(); i != e; ++i)
      output[i] = round(onFloats(lhs[i], rhs[i]));
  } else {
    ArrayRef<int64_t> lhs = operands[0].getInts();
    ArrayRef<int64_t> rhs = operands[1].getInts();
    MutableArrayRef<int64_t> output = result.getMutableInts();
    for (size_t i = 0, e = lhs.size(); i != e; ++i)
      output[i] = wrap(
          onInts(static_cast<uint64_t>(lhs[i]), static_cast<uint64_t>(rhs[i])),
          type);
  }
  results.push_back(std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Constants and conversions
//===----------------------------------------------------------------------===//

LogicalResult ConstantOp::evaluate(ArrayRef<Tensor>, EvaluationContext &,
                                   SmallVectorImpl<Tensor> &results) {
  std::optional<Tensor> value = Tensor::get(getValue());
  if (!value)
    return emitOpError("expected a value that lists its elements");
  results.push_back(std::move(*value));
  return success();
}

LogicalResult ExtentOp::evaluate(ArrayRef<Tensor>, EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  if (context.getBatch() <= 0)
    return emitOpError("expected the batch to be given");
  std::optional<int64_t> extent =
      getProduct(getExtents().getExtents()).evaluate(context.getBatch());
  if (!extent)
    return emitOpError("has no integer value for a batch of ")
           << context.getBatch();
  Type type = cast<RankedTensorType>(getType()).getElementType();
  if (auto floatType = dyn_cast<FloatType>(type))
    results.push_back(
        Tensor::getScalar(floatType, context.getRounding(type)(*extent)));
  else
    results.push_back(Tensor::getIntScalar(type, wrap(*extent, type)));
  return success();
}

/// `value` truncated towards zero; none where the type does not hold it.
static std::optional<int64_t> truncate(double value, Type type) {
  double bound = std::ldexp(1.0, type.getIntOrFloatBitWidth() - 1);
  double truncated = std::trunc(value);
  if (!(truncated >= -bound && truncated < bound))
    return std::nullopt;
  return static_cast<int64_t>(truncated);
}

LogicalResult ConvertOp::evaluate(ArrayRef<Tensor> operands,
                                  EvaluationContext &context,
                                  SmallVectorImpl<Tensor> &results) {
  const Tensor &input = operands[0];
  Type type = cast<RankedTensorType>(getType()).getElementType();
  Tensor result(RankedTensorType::get(input.getShape(), type));
  int64_t count = input.getNumElements();
  if (result.isFloat()) {
    Rounding round = context.getRounding(type);
    MutableArrayRef<double> output = result.getMutableFloats();
    for (int64_t i = 0; i < count; ++i)
      output[i] =
          round(input.isFloat() ? input.getFloats()[i]
                                : static_cast<double>(input.getInts()[i]));
  } else {
    MutableArrayRef<int64_t> output = result.getMutableInts();
    bool toBool = type.isInteger(1);
    for (int64_t i = 0; i < count; ++i) {
      if (!input.isFloat()) {
        int64_t value = input.getInts()[i];
        output[i] = toBool ? value != 0 : wrap(value, type);
        continue;
      }
      double value = input.getFloats()[i];
      std::optional<int64_t> integer =
          toBool ? int64_t(value != 0) : truncate(value, type);
      if (!integer)
        return emitOpError("expected values in the range of ")
               << type << ", got " << value << " at element " << i;
      output[i] = *integer;
    }
  }
  results.push_back(std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Binary ops
//===----------------------------------------------------------------------===//

LogicalResult AddOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateBinary(
      *this, operands, context, results,
      [](double a, double b) { return a + b; },
      [](uint64_t a, uint64_t b) { return a + b; });
}

LogicalResult SubOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateBinary(
      *this, operands, context, results,
      [](double a, double b) { return a - b; },
      [](uint64_t a, uint64_t b) { return a - b; });
}

LogicalResult MulOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateBinary(
      *this, operands, context, results,
      [](double a, double b) { return a * b; },
      [](uint64_t a, uint64_t b) { return a * b; });
}

LogicalResult DivOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  if (!operands[1].isFloat())
    for (auto [i, divisor] : llvm::enumerate(operands[1].getInts()))
      if (divisor == 0)
        return emitOpError("expected divisors other than 0, got 0 at element ")
               << i;
  return evaluateBinary(
      *this, operands, context, results,
      [](double a, double b) { return a / b; },
      [](uint64_t a, uint64_t b) -> uint64_t {
        // The one quotient that does not fit wraps, as a negation.
        if (static_cast<int64_t>(b) == -1)
          return 0 - a;
        return static_cast<int64_t>(a) / static_cast<int64_t>(b);
      });
}

LogicalResult MaxOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateBinary(
      *this, operands, context, results,
      [](double a, double b) {
        if (std::isnan(a) || std::isnan(b))
          return std::numeric_limits<double>::quiet_NaN();
        return std::max(a, b);
      },
      [](uint64_t a, uint64_t b) -> uint64_t {
        return std::max(static_cast<int64_t>(a), static_cast<int64_t>(b));
      });
}

LogicalResult MinOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateBinary(
      *this, operands, context, results,
      [](double a, double b) {
        if (std::isnan(a) || std::isnan(b))
          return std::numeric_limits<double>::quiet_NaN();
        return std::min(a, b);
      },
      [](uint64_t a, uint64_t b) -> uint64_t {
        return std::min(static_cast<int64_t>(a), static_cast<int64_t>(b));
      });
}

LogicalResult PowOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateBinary(
      *this, operands, context, results,
      [](double a, double b) { return std::pow(a, b); },
      [](uint64_t, uint64_t) -> uint64_t {
        llvm_unreachable("a power of integers");
      });
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

/// Booleans from the booleans of the operands, element by element.
template <typename Fn>
static LogicalResult evaluateLogical(ArrayRef<Tensor> operands,
                                     SmallVectorImpl<Tensor> &results, Fn fn) {
  Tensor result(operands.front().getType());
  MutableArrayRef<int64_t> output = result.getMutableInts();
  for (size_t i = 0, e = output.size(); i != e; ++i)
    output[i] = fn(operands.front().getInts()[i] != 0,
                   operands.back().getInts()[i] != 0);
  results.push_back(std::move(result));
  return success();
}

LogicalResult AndOp::evaluate(ArrayRef<Tensor> operands, EvaluationContext &,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateLogical(operands, results,
                         [](bool a, bool b) { return a && b; });
}

LogicalResult OrOp::evaluate(ArrayRef<Tensor> operands, EvaluationContext &,
                             SmallVectorImpl<Tensor> &results) {
  return evaluateLogical(operands, results,
                         [](bool a, bool b) { return a || b; });
}

LogicalResult NotOp::evaluate(ArrayRef<Tensor> operands, EvaluationContext &,
                              SmallVectorImpl<Tensor> &results) {
  return evaluateLogical(operands, results, [](bool a, bool) { return !a; });
}

//===----------------------------------------------------------------------===//
// Comparison and choice
//===----------------------------------------------------------------------===//

template <typename T>
static bool compare(ComparePredicate predicate, T a, T b) {
  switch (predicate) {
  case ComparePredicate::eq:
    return a == b;
  case ComparePredicate::ne:
    return a != b;
  case ComparePredicate::lt:
    return a < b;
  case ComparePredicate::le:
    return a <= b;
  case ComparePredicate::gt:
    return a > b;
  case ComparePredicate::ge:
    return a >= b;
  }
  llvm_unreachable("unknown predicate");
}

LogicalResult CompareOp::evaluate(ArrayRef<Tensor> operands,
                                  EvaluationContext &context,
                                  SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  MutableArrayRef<int64_t> output = result->getMutableInts();
  withElement(operands[0], [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> lhs = operands[0].getData<T>();
    ArrayRef<T> rhs = operands[1].getData<T>();
    for (size_t i = 0, e = lhs.size(); i != e; ++i)
      output[i] = compare(getPredicate(), lhs[i], rhs[i]);
  });
  results.push_back(std::move(*result));
  return success();
}

LogicalResult SelectOp::evaluate(ArrayRef<Tensor> operands, EvaluationContext &,
                                 SmallVectorImpl<Tensor> &results) {
  Tensor result(operands[1].getType());
  ArrayRef<int64_t> condition = operands[0].getInts();
  withElement(result, [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> ifTrue = operands[1].getData<T>();
    ArrayRef<T> ifFalse = operands[2].getData<T>();
    MutableArrayRef<T> output = result.getMutableData<T>();
    for (size_t i = 0, e = output.size(); i != e; ++i)
      output[i] = condition[i] ? ifTrue[i] : ifFalse[i];
  });
  results.push_back(std::move(result));
  return success();
}

LogicalResult WhenTrainingOp::evaluate(ArrayRef<Tensor> operands,
                                       EvaluationContext &,
                                       SmallVectorImpl<Tensor> &results) {
  results.push_back(operands[0]);
  return success();
}

LogicalResult IotaOp::evaluate(ArrayRef<Tensor>, EvaluationContext &context,
                               SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<int64_t> shape = result->getShape();
  int64_t extent = shape[getDim()], inner = 1;
  for (int64_t size : shape.drop_front(getDim() + 1))
    inner *= size;
  Type type = result->getElementType();
  Rounding round = context.getRounding(type);
  for (int64_t i = 0, e = result->getNumElements(); i != e; ++i) {
    int64_t index = i / inner % extent;
    if (result->isFloat())
      result->getMutableFloats()[i] = round(static_cast<double>(index));
    else
      result->getMutableInts()[i] = wrap(index, type);
  }
  results.push_back(std::move(*result));
  return success();
}
