//===- RangeCheck.h - Values against their bounds ---------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FUZZ_RANGECHECK_H
#define ACCRUE_LIB_FUZZ_RANGECHECK_H

#include "accrue/Analysis/NumberRanges.h"
#include "accrue/Reference/Tensor.h"
#include <string>

namespace accrue::fuzz {

/// Compares what ops compute with the ranges that the analysis gives.
class RangeCheck {
public:
  /// Looks at the results of `op`, which it computed from `operands`.
  void look(mlir::Operation &op, llvm::ArrayRef<reference::Tensor> operands,
            llvm::ArrayRef<reference::Tensor> results);

  /// The first element out of its range: "'nn.tanh' gave 2, expected [-1, 1]";
  /// empty if there is none.
  llvm::StringRef getFault() const { return fault; }

private:
  NumberRanges ranges;
  std::string fault;
  /// Of what is computed from a number that is so large, or an index that does
  /// not exist, nothing is claimed.
  bool isOutside = false;
};

} // namespace accrue::fuzz

#endif // ACCRUE_LIB_FUZZ_RANGECHECK_H
