//===- BatchOptions.h - What was asked of the batch -------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The batch contract of the command line. B is always the number of samples
// per optimizer step; at most one of a micro-batch, a number of micro-batches
// and a memory limit says how it is split.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DRIVER_BATCHOPTIONS_H
#define ACCRUE_DRIVER_BATCHOPTIONS_H

#include "accrue/Analysis/MicroBatches.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>

namespace accrue {

/// Options as given; none where absent.
struct BatchOptions {
  std::optional<int64_t> batch;
  std::optional<int64_t> microBatch;
  std::optional<int64_t> accumulate;
  std::optional<int64_t> memoryLimit;
};

/// Fills in the batch of the model (0: it has none) and checks that the
/// options agree. On failure `error` says which do not.
llvm::LogicalResult resolveBatch(BatchOptions &options, int64_t modelBatch,
                                 std::string &error);

/// `4 x 128`, `3 x 128 + 29`.
std::string formatSpans(llvm::ArrayRef<MicroBatchSpan> spans);

/// The weights m/B of the micro-batches as fractions: `1/4` for equal ones,
/// `128/413, 29/413` for two sizes.
std::string formatWeights(llvm::ArrayRef<MicroBatchSpan> spans);

} // namespace accrue

#endif // ACCRUE_DRIVER_BATCHOPTIONS_H
