//===- LinearOperands.h - In which operands an op is linear -----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_LINEAROPERANDS_H
#define ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_LINEAROPERANDS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include <optional>

namespace accrue {

/// The smallest set of operands around `contained` that satisfies `isLinear`,
/// of equally small ones the first in binary order; none if there is none. Of
/// many operands, as those of a concatenation, only `contained` and all are
/// tried.
std::optional<llvm::SmallBitVector> findLinearOperands(
    const llvm::SmallBitVector &contained,
    llvm::function_ref<bool(const llvm::SmallBitVector &)> isLinear);

} // namespace accrue

#endif // ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_LINEAROPERANDS_H
