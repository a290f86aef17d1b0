//===- StatisticsSpread.h - Measured statistics -----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far the statistics of the micro-batches of one batch lie from those of
// that batch, by the reference interpreter.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_STATISTICSSPREAD_H
#define ACCRUE_REFERENCE_STATISTICSSPREAD_H

#include "accrue/Analysis/MicroBatches.h"
#include "accrue/Analysis/MicroStatistics.h"
#include "accrue/Reference/Tensor.h"

namespace accrue::reference {

/// The arguments of the step for samples [first, first + count) of the batch;
/// fails where they cannot be had.
using GetArguments =
    llvm::function_ref<llvm::FailureOr<llvm::SmallVector<Tensor>>(
        int64_t first, int64_t count)>;

/// The spread of each of `statistics.ops` over its elements and the
/// micro-batches of the first of `spans`, the largest; those of the others
/// count for the statistics of the batch only. Every micro-batch is computed
/// with the statistics of its own, as the step does it. Elements that are the
/// same for the whole batch have no deviation and do not count. Fails, without
/// an error, where a micro-batch cannot be interpreted or is not finite.
llvm::FailureOr<llvm::SmallVector<StatisticsSpread>>
measureSpread(const MicroStatisticsOfStep &statistics,
              llvm::ArrayRef<MicroBatchSpan> spans, GetArguments getArguments);

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_STATISTICSSPREAD_H
