//===- MicroBatches.cpp - How a batch is cut ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/MicroBatches.h"

using namespace mlir;
using namespace accrue;

FailureOr<SmallVector<MicroBatchSpan, 2>>
accrue::cutBatch(int64_t batch, int64_t microBatch, int64_t accumulate,
                 std::string &error, int64_t group) {
  auto fail = [&](std::string message) {
    error = std::move(message);
    return failure();
  };
  if (batch <= 0)
    return fail("expected a positive batch, got " + std::to_string(batch));
  if (microBatch < 0 || accumulate < 0)
    return fail("expected a positive micro-batch or number of micro-batches");
  if (microBatch != 0 && accumulate != 0)
    return fail(
        "expected a micro-batch or a number of micro-batches, got both");
  if (batch % group != 0 || microBatch % group != 0)
    return fail("expected a batch and micro-batches of whole groups of " +
                std::to_string(group) + " samples");
  if (microBatch > batch)
    return fail("expected a micro-batch of at most the batch of " +
                std::to_string(batch) + " samples, got " +
                std::to_string(microBatch));
  int64_t groups = batch / group;
  if (accumulate > groups)
    return fail("expected at most " + std::to_string(groups) +
                " micro-batches for a batch of " + std::to_string(batch) +
                " samples, got " + std::to_string(accumulate));
  SmallVector<MicroBatchSpan, 2> spans;
  auto append = [&](int64_t count, int64_t size) {
    if (count == 0 || size == 0)
      return;
    int64_t offset = spans.empty() ? 0 : spans.back().count * spans.back().size;
    spans.push_back({count, size, offset});
  };
  if (accumulate != 0) {
    int64_t size = groups / accumulate * group, larger = groups % accumulate;
    append(larger, size + group);
    append(accumulate - larger, size);
  } else {
    int64_t size = microBatch != 0 ? microBatch : batch;
    append(batch / size, size);
    append(1, batch % size);
  }
  return spans;
}
