//===- EvaluationContext.h - What ops may ask while evaluated ---*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The surroundings of `ReferenceOpInterface::evaluate`: the logical batch, the
// precision of every scalar operation, and the evaluation of nested regions.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_EVALUATIONCONTEXT_H
#define ACCRUE_REFERENCE_EVALUATIONCONTEXT_H

#include "accrue/Reference/Tensor.h"
#include "mlir/IR/Region.h"

namespace accrue::reference {

/// How floats are computed.
enum class Precision {
  /// In double, whatever the declared types are.
  F64,
  /// Every scalar result is rounded to the declared type. Sums run
  /// sequentially in the declared type, in f32 for f16 and bf16.
  Declared,
};

/// Rounds doubles to the values of a float type (to nearest, ties to even).
/// Since double has more than twice the digits of f32, an operation in double
/// followed by this is the correctly rounded operation in f32.
class Rounding {
public:
  /// No rounding.
  Rounding() = default;
  /// Rounding to `elementType`; none where it is no float type.
  explicit Rounding(mlir::Type elementType);

  double operator()(double value) const {
    switch (kind) {
    case Kind::None:
      return value;
    case Kind::F32:
      return static_cast<float>(value);
    case Kind::F16:
      return roundToDigits(value, 11, -14, 65504.0);
    case Kind::BF16:
      return roundToDigits(value, 8, -126, 0x1.fep127);
    }
    llvm_unreachable("unknown rounding");
  }

private:
  enum class Kind { None, F32, F16, BF16 };

  /// To `digits` binary digits, with the least normal exponent
  /// `minExponent` and the largest finite value `maximum`.
  static double roundToDigits(double value, int digits, int minExponent,
                              double maximum);

  Kind kind = Kind::None;
};

/// Given to every op that is evaluated.
class EvaluationContext {
public:
  EvaluationContext(int64_t batch, Precision precision)
      : batch(batch), precision(precision) {}
  virtual ~EvaluationContext();

  /// Samples in the logical batch: the value of B in symbolic extents.
  int64_t getBatch() const { return batch; }
  Precision getPrecision() const { return precision; }

  /// The rounding of results of `elementType`.
  Rounding getRounding(mlir::Type elementType) const {
    return precision == Precision::F64 ? Rounding() : Rounding(elementType);
  }

  /// Calls `fn` with a zero of the type in which values of `elementType` are
  /// summed: `double` or `float`.
  template <typename Fn>
  void withAccumulator(mlir::Type elementType, Fn &&fn) const {
    if (precision == Precision::F64 || elementType.isF64())
      fn(double(0));
    else
      fn(float(0));
  }

  /// Evaluates a region of one block on `arguments`; its values may use those
  /// of the enclosing regions. Appends the operands of the terminator.
  virtual llvm::LogicalResult
  evaluateRegion(mlir::Region &region, llvm::ArrayRef<Tensor> arguments,
                 llvm::SmallVectorImpl<Tensor> &yielded) = 0;

private:
  int64_t batch;
  Precision precision;
};

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_EVALUATIONCONTEXT_H
