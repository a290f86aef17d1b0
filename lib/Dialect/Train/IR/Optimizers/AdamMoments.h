//===- AdamMoments.h - The moments of Adam and its kin ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_ADAMMOMENTS_H
#define ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_ADAMMOMENTS_H

#include "ScalarBuilder.h"
#include <cmath>

namespace accrue::train {

/// What Adam, AdamW and LAMB have in common: all but the weight decay and what
/// multiplies the learning rate. The slots are the two moments.
struct AdamMoments {
  llvm::APFloat lr, beta1, beta2, eps;

  /// The direction of the step, from the new moments.
  double update(double gradient, llvm::MutableArrayRef<double> slots,
                int64_t step) const {
    double b1 = beta1.convertToDouble(), b2 = beta2.convertToDouble();
    slots[0] = b1 * slots[0] + (1 - b1) * gradient;
    slots[1] = b2 * slots[1] + (1 - b2) * gradient * gradient;
    double mean = slots[0] / (1 - std::pow(b1, step));
    double variance = slots[1] / (1 - std::pow(b2, step));
    return mean / (std::sqrt(variance) + eps.convertToDouble());
  }

  /// Learning rate and the two bias corrections.
  llvm::SmallVector<mlir::Value> buildStepScalars(const ScalarBuilder &s,
                                                  mlir::Value step,
                                                  mlir::Value factor) const;

  /// The same as `update`.
  mlir::Value buildUpdate(const ScalarBuilder &s, mlir::Value gradient,
                          mlir::ValueRange slots, mlir::ValueRange stepScalars,
                          llvm::SmallVectorImpl<mlir::Value> &newSlots) const {
    mlir::Value m = s.average(beta1, slots[0], gradient);
    mlir::Value v = s.average(beta2, slots[1], s.mul(gradient, gradient));
    newSlots.append({m, v});
    mlir::Value mean = s.as("m_hat").div(m, stepScalars[1]);
    mlir::Value deviation = s.sqrt(s.as("v_hat").div(v, stepScalars[2]));
    return s.div(mean, s.add(deviation, s.constant(eps)));
  }
};

template <typename AttrTy>
AdamMoments getMoments(AttrTy attr) {
  return {attr.getLr(), attr.getBeta1(), attr.getBeta2(), attr.getEps()};
}

} // namespace accrue::train

#endif // ACCRUE_LIB_DIALECT_TRAIN_IR_OPTIMIZERS_ADAMMOMENTS_H
