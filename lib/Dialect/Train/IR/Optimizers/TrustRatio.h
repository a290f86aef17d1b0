//===- TrustRatio.h - Learning rates by norms of parameters -----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_TRUSTRATIO_H
#define ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_TRUSTRATIO_H

#include "ScalarBuilder.h"
#include <cmath>

namespace accrue::train {

/// coefficient * |p| / (|u| + eps) for a parameter p and the direction u of its
/// step: what LARS and LAMB multiply the learning rate by. Where one of the
/// norms is 0, it is 1, or a parameter would stay at 0 for good.
struct TrustRatio {
  double coefficient = 1, eps = 0;

  static llvm::SmallVector<double> getTerms(double param, double direction) {
    return {param * param, direction * direction};
  }
  /// From the sums of the terms over all elements.
  double get(llvm::ArrayRef<double> sums) const {
    if (!(sums[0] > 0 && sums[1] > 0))
      return 1;
    return coefficient * std::sqrt(sums[0]) / (std::sqrt(sums[1]) + eps);
  }

  /// The same as ops.
  static llvm::SmallVector<mlir::Value>
  buildTerms(const ScalarBuilder &s, mlir::Value param, mlir::Value direction) {
    return {s.mul(param, param), s.mul(direction, direction)};
  }
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::ValueRange sums) const {
    using mlir::Value;
    namespace arith = mlir::arith;
    ScalarBuilder s{builder, loc,
                    llvm::cast<mlir::FloatType>(sums[0].getType())};
    Value zero = s.constant(0.0);
    auto isPositive = [&](Value value) -> Value {
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                                   value, zero);
    };
    Value both = arith::AndIOp::create(builder, loc, isPositive(sums[0]),
                                       isPositive(sums[1]));
    Value length = s.sqrt(sums[0]), step = s.sqrt(sums[1]);
    if (coefficient != 1)
      length = s.mul(s.constant(coefficient), length);
    if (eps != 0)
      step = s.add(step, s.constant(eps));
    return arith::SelectOp::create(builder, s.as("trust_ratio").loc, both,
                                   s.div(length, step), s.constant(1.0));
  }
};

} // namespace accrue::train

#endif // ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_TRUSTRATIO_H
