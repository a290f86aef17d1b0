//===- PlanCosts.h - Work and bytes of nodes of a plan ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_PLANCOSTS_H
#define ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_PLANCOSTS_H

#include "accrue/Analysis/PlanGraph.h"

namespace accrue {

/// The work that `Coupled::Auto` accepts, relative to the full batch.
inline constexpr double kAutomaticWork = 1.10;

/// Elements and bytes of a tensor of `type` for `batch` samples.
double countElements(mlir::RankedTensorType type, int64_t batch);
double countBytes(mlir::RankedTensorType type, int64_t batch);

/// The power of the batch in the number of elements of `type`.
int64_t getBatchPower(mlir::RankedTensorType type);

/// Floating point operations of `node` in a visit of the whole batch.
double getFlops(const PlanNode &node, int64_t batch);

} // namespace accrue

#endif // ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_PLANCOSTS_H
