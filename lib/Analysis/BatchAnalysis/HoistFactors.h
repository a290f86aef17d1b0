//===- HoistFactors.h - Late factors behind the loop ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_HOISTFACTORS_H
#define ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_HOISTFACTORS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace accrue {

/// Rewrites `function`, a step, so that numbers (values of rank 0) that depend
/// on samples multiply sums over samples rather than their terms, where the
/// results are the same: every op between is homogeneous in what carries the
/// number, and the number is finite, and not 0 where it divides
/// (`NumberRanges`). `partialSums` are the values that are sums over
/// micro-batches. Returns the ops whose results are multiplied now, in program
/// order.
llvm::SmallVector<mlir::Operation *>
hoistFactors(mlir::FunctionOpInterface function,
             const llvm::DenseSet<mlir::Value> &partialSums);

} // namespace accrue

#endif // ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_HOISTFACTORS_H
