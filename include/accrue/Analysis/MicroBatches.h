//===- MicroBatches.h - How a batch is cut ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_MICROBATCHES_H
#define ACCRUE_ANALYSIS_MICROBATCHES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace accrue {

/// `count` micro-batches of `size` samples from sample `offset` on.
struct MicroBatchSpan {
  int64_t count = 0;
  int64_t size = 0;
  int64_t offset = 0;

  bool operator==(const MicroBatchSpan &other) const {
    return count == other.count && size == other.size && offset == other.offset;
  }
};

/// Cuts `batch` samples into micro-batches of `microBatch`, the last one
/// smaller where it does not divide; or, if `microBatch` is 0, into
/// `accumulate` ones whose sizes differ by at most one, larger first; or, if
/// both are 0, into a single one; always between groups of `group` samples. One
/// or two spans. On failure `error` says why (batch not positive, both given,
/// either larger than the batch, or no multiple of the group), lower case,
/// without a full stop.
mlir::FailureOr<llvm::SmallVector<MicroBatchSpan, 2>>
cutBatch(int64_t batch, int64_t microBatch, int64_t accumulate,
         std::string &error, int64_t group = 1);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_MICROBATCHES_H
