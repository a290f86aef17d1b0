//===- NumberRanges.h - Bounds of the values of a function ------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_NUMBERRANGES_H
#define ACCRUE_ANALYSIS_NUMBERRANGES_H

#include "accrue/Interfaces/NumberRange.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace accrue {

/// The ranges of values, by the rules of their ops (`NumberRangeOpInterface`),
/// found when they are asked for. Ops may be added meanwhile, but none changed.
class NumberRanges {
public:
  /// The range of `value`; none if it may be infinite or NaN, or if an op that
  /// it is computed by has no rule.
  MaybeNumberRange get(mlir::Value value);

private:
  void compute(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, MaybeNumberRange> ranges;
};

} // namespace accrue

#endif // ACCRUE_ANALYSIS_NUMBERRANGES_H
