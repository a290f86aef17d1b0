//===- StatisticsSpread.cpp - Measured statistics -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/StatisticsSpread.h"

#include "accrue/Reference/Interpreter.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

/// A deviation that is smaller, relative to the mean, is rounding.
static constexpr double kRounding = 1e-10;

namespace {
/// One mean and variance per micro-batch, with the shares of the micro-batches
/// in the batch.
struct Element {
  SmallVector<double> means, variances;
  ArrayRef<double> shares;

  /// Adds the squares of the distances of the first `counted` micro-batches to
  /// `sums`. False where the batch has no deviation to measure them by.
  bool addTo(StatisticsSpread &sums, size_t counted) const;
};
} // namespace

bool Element::addTo(StatisticsSpread &sums, size_t counted) const {
  // Those of the batch follow from those of its parts (Chan, Golub, LeVeque).
  double mean = 0, variance = 0;
  for (auto [share, part] : llvm::zip_equal(shares, means))
    mean += share * part;
  for (auto [share, part, within] : llvm::zip_equal(shares, means, variances))
    variance += share * (within + (part - mean) * (part - mean));
  double deviation = std::sqrt(variance);
  if (deviation <= kRounding * std::abs(mean))
    return false;
  for (size_t i = 0; i < counted; ++i) {
    sums.mean += std::pow((means[i] - mean) / deviation, 2);
    sums.deviation += std::pow(std::sqrt(variances[i]) / deviation - 1, 2);
  }
  return true;
}

FailureOr<SmallVector<StatisticsSpread>>
reference::measureSpread(const MicroStatisticsOfStep &statistics,
                         ArrayRef<MicroBatchSpan> spans,
                         GetArguments getArguments) {
  auto function = cast<func::FuncOp>(statistics.function.get().getOperation());
  ScopedDiagnosticHandler quiet(function->getContext(),
                                [](Diagnostic &) { return success(); });
  int64_t batch = spans.back().offset + spans.back().count * spans.back().size;
  SmallVector<SmallVector<Tensor>> results;
  SmallVector<double> shares;
  for (const MicroBatchSpan &span : spans)
    for (int64_t i = 0; i < span.count; ++i) {
      FailureOr<SmallVector<Tensor>> arguments =
          getArguments(span.offset + i * span.size, span.size);
      if (failed(arguments))
        return failure();
      InterpreterOptions options;
      options.batch = span.size;
      FailureOr<SmallVector<Tensor>> values =
          interpret(function, *arguments, options);
      if (failed(values))
        return failure();
      results.push_back(std::move(*values));
      shares.push_back(static_cast<double>(span.size) / batch);
    }

  SmallVector<StatisticsSpread> spreads(statistics.ops.size());
  size_t counted = spans.front().count;
  for (auto [op, spread] : llvm::enumerate(spreads)) {
    int64_t terms = 0;
    for (int64_t i = 0, e = results.front()[2 * op].getNumElements(); i != e;
         ++i) {
      Element element;
      element.shares = shares;
      for (ArrayRef<Tensor> values : results) {
        element.means.push_back(values[2 * op].getFloats()[i]);
        element.variances.push_back(values[2 * op + 1].getFloats()[i]);
      }
      if (element.addTo(spread, counted))
        terms += counted;
    }
    if (terms == 0)
      continue;
    spread.mean = std::sqrt(spread.mean / terms);
    spread.deviation = std::sqrt(spread.deviation / terms);
    if (!std::isfinite(spread.getLarger()))
      return failure();
  }
  return spreads;
}
