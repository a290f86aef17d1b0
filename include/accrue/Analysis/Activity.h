//===- Activity.h - Values that take part in a derivative -------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activity analysis of one block: a float value is active when it depends on a
// value with respect to which is differentiated and the loss depends on it.
// Only active values have cotangents, and only ops with an active result need a
// derivative.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_ACTIVITY_H
#define ACCRUE_ANALYSIS_ACTIVITY_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace accrue {

/// The active values of the derivative of `loss` with respect to `wrt`. All of
/// these are results of ops, or arguments, of one block.
class Activity {
public:
  Activity(mlir::Value loss, mlir::ValueRange wrt);

  /// True when `value` depends on one of `wrt` and `loss` depends on it.
  bool isActive(mlir::Value value) const {
    return sources.contains(value) && useful.contains(value);
  }

  /// True when a result of `op` is active.
  bool isActive(mlir::Operation *op) const {
    return llvm::any_of(op->getResults(),
                        [&](mlir::Value value) { return isActive(value); });
  }

  /// The first of `wrt` on which `value` depends; null where it depends on
  /// none.
  mlir::Value getSource(mlir::Value value) const {
    return sources.lookup(value);
  }

private:
  /// Values that depend on one of `wrt`, with the first such.
  llvm::DenseMap<mlir::Value, mlir::Value> sources;
  /// Values on which the loss depends.
  llvm::DenseSet<mlir::Value> useful;
};

} // namespace accrue

#endif // ACCRUE_ANALYSIS_ACTIVITY_H
