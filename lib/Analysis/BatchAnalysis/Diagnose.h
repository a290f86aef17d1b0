//===- Diagnose.h - What diagnostics of a plan share ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_DIAGNOSE_H
#define ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_DIAGNOSE_H

#include "accrue/Analysis/PlanGraph.h"
#include "mlir/IR/Diagnostics.h"

namespace accrue {

/// "batch input 'pixels'", "argument 4" or "'nn.matmul'".
std::string describe(mlir::Value value);

/// Whether `node` is an op that puts the elements of its operand elsewhere, or
/// repeats them.
bool isMovement(const PlanNode &node);

/// Notes, at a batch input, by which ops `node` depends on it, on the shortest
/// way; nothing where it depends on none. Without `acrossLoops` the way is
/// through values per micro-batch only.
void attachChainToInput(mlir::InFlightDiagnostic &error, PlanNode *node,
                        bool acrossLoops);

} // namespace accrue

#endif // ACCRUE_LIB_ANALYSIS_BATCHANALYSIS_DIAGNOSE_H
