//===- WrongMerge.h - Planted faults of merges ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_TRAIN_TRANSFORMS_WRONGMERGE_H
#define ACCRUE_LIB_DIALECT_TRAIN_TRANSFORMS_WRONGMERGE_H

#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Interfaces/BatchOpInterface.h"

namespace accrue::train {

/// What `op.buildMerge(builder, stacked, weights)` builds, with the fault, if
/// it is one of merges: for tests, which have to notice.
llvm::FailureOr<llvm::SmallVector<mlir::Value>>
buildWrongMerge(AnalysisFault fault, BatchOpInterface op,
                mlir::OpBuilder &builder, mlir::ValueRange stacked,
                mlir::Value weights);

} // namespace accrue::train

#endif // ACCRUE_LIB_DIALECT_TRAIN_TRANSFORMS_WRONGMERGE_H
