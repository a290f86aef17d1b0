//===- BatchOptions.cpp - What was asked of the batch ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/BatchOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace accrue;

LogicalResult accrue::resolveBatch(BatchOptions &options, int64_t modelBatch,
                                   std::string &error) {
  SmallVector<StringRef> given;
  for (auto [name, value] :
       {std::pair<StringRef, std::optional<int64_t>>{"--batch", options.batch},
        {"--micro-batch", options.microBatch},
        {"--accumulate", options.accumulate},
        {"--memory", options.memoryLimit}}) {
    if (!value)
      continue;
    if (*value <= 0) {
      error = formatv("expected {0} to be positive, got {1}", name, *value);
      return failure();
    }
    if (name != "--batch")
      given.push_back(name);
  }
  if (given.size() > 1) {
    error = formatv("expected at most one of --micro-batch, --accumulate and "
                    "--memory, got {0}",
                    join(given, " and "));
    return failure();
  }
  if (!options.batch && modelBatch > 0)
    options.batch = modelBatch;
  if (!options.batch) {
    error = "expected --batch: the model has none of its own";
    return failure();
  }
  if (failed(cutBatch(*options.batch, options.microBatch.value_or(0),
                      options.accumulate.value_or(0), error)))
    return failure();
  return success();
}

std::string accrue::formatSpans(ArrayRef<MicroBatchSpan> spans) {
  return join(
      map_range(spans,
                [](const MicroBatchSpan &span) {
                  if (span.count == 1 && span.offset > 0)
                    return std::to_string(span.size);
                  return formatv("{0} x {1}", span.count, span.size).str();
                }),
      " + ");
}

std::string accrue::formatWeights(ArrayRef<MicroBatchSpan> spans) {
  int64_t batch = 0;
  for (const MicroBatchSpan &span : spans)
    batch += span.count * span.size;
  if (spans.size() == 1)
    return spans.front().count == 1
               ? "1"
               : "1/" + std::to_string(spans.front().count);
  return join(map_range(spans,
                        [&](const MicroBatchSpan &span) {
                          return formatv("{0}/{1}", span.size, batch).str();
                        }),
              ", ");
}
