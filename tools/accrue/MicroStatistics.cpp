//===- MicroStatistics.cpp - What --batch-norm micro changes --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MicroStatistics.h"

#include "StepArguments.h"
#include "accrue/Reference/StatisticsSpread.h"
#include "fmt/format.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// What the interpreter does in about a second.
static constexpr double kMeasuredFlops = 1e9;

/// Warns of the ops that take statistics of micro-batches, at `op`, one of
/// them. A note is to say how far off they are.
static InFlightDiagnostic emitStatisticsWarning(const Session &session,
                                                const AnalyzedStep &step,
                                                Operation *op) {
  InFlightDiagnostic warning = emitWarning(op->getLoc());
  warning << "'" << op->getName() << "'";
  size_t others = step.plan.microStatistics.size() - 1;
  if (others > 0)
    warning << " and " << others << (others == 1 ? " other op" : " other ops");
  warning << (others == 0 ? " takes" : " take")
          << " the statistics of micro-batches of "
          << session.getLargestMicroBatch() << " samples, not of all "
          << *session.batch.batch << ": another step than that of the batch";
  return warning;
}

/// "means are off by 0.2, deviations by 0.1 of the batch's deviation".
static std::string describeSpread(const StatisticsSpread &spread) {
  return fmt::format("means are off by {:.2g}, deviations by {:.2g} of the "
                     "batch's deviation",
                     spread.mean, spread.deviation);
}

/// Warns with the figures of sampling theory, for the op with the fewest values
/// in one statistic.
static void warnOfExpected(const Session &session, const AnalyzedStep &step,
                           const MicroStatisticsOfStep &statistics) {
  // An op that is no formula of mean and variance.
  if (statistics.ops.empty()) {
    emitStatisticsWarning(session, step, step.plan.microStatistics.front());
    return;
  }
  int64_t size = session.getLargestMicroBatch(), batch = *session.batch.batch;
  const MicroStatistics *worst = llvm::min_element(
      statistics.ops, [&](const MicroStatistics &a, const MicroStatistics &b) {
        return a.countValues(size) < b.countValues(size);
      });
  double values = worst->countValues(size), all = worst->countValues(batch);
  double perSample = values / size;
  InFlightDiagnostic warning = emitStatisticsWarning(session, step, worst->op);
  Diagnostic &note = warning.attachNote();
  // The values of a sample, such as pixels, say much the same.
  note << "expected of independent samples, worst here: "
       << describeSpread(perSample > 1 ? expectSpread(size, batch)
                                       : expectSpread(values, all));
  if (perSample > 1) {
    StatisticsSpread least = expectSpread(values, all);
    note << fmt::format(" where the {:g} values of a sample agree, by {:.2g} "
                        "and {:.2g} where they are independent",
                        perSample, least.mean, least.deviation);
  }
}

/// The statistics of the ops that the warning is about.
static MicroStatisticsOfStep collect(const Session &session,
                                     const AnalyzedStep &step) {
  BatchAnalysisOptions options;
  options.batch = *session.batch.batch;
  return collectMicroStatistics(step.function, step.plan, options);
}

/// The spread of `statistics` on `batch`. Fails, without an error, where that
/// takes long or is not finite; `status` says where data cannot be read.
static FailureOr<SmallVector<StatisticsSpread>>
measure(const Session &session, const AnalyzedStep &step,
        const MicroStatisticsOfStep &statistics, Executable &executable,
        InputProvider &inputs, const io::Batch &batch, uint64_t seed,
        io::Status &status) {
  // A resumed run may start with the smaller batch of an epoch's end.
  if (statistics.ops.empty() || batch.size() != *session.batch.batch ||
      statistics.getFlops(batch.size()) > kMeasuredFlops)
    return failure();
  return reference::measureSpread(
      statistics, session.spans,
      [&](int64_t first,
          int64_t count) -> FailureOr<SmallVector<reference::Tensor>> {
        io::Result<SmallVector<reference::Tensor>> arguments = readArguments(
            step.function, executable, inputs, batch, seed, first, count);
        if (arguments)
          return std::move(*arguments);
        status = arguments.status();
        return failure();
      });
}

void tool::warnOfMicroStatistics(const Session &session,
                                 const AnalyzedStep &step) {
  if (!step.plan.microStatistics.empty())
    warnOfExpected(session, step, collect(session, step));
}

int tool::warnOfMicroStatistics(Session &session) {
  if (session.pipeline.batchNorm != train::BatchNorm::Micro)
    return kSuccess;
  FailureOr<AnalyzedStep> step = analyzeStep(session);
  if (failed(step))
    return kFailure;
  warnOfMicroStatistics(session, *step);
  return kSuccess;
}

InspectStep tool::warnOfMeasuredStatistics(const Session &session,
                                           const AnalyzedStep &step) {
  if (step.plan.microStatistics.empty())
    return nullptr;
  return [&](Executable &executable, InputProvider &inputs,
             const io::Batch &batch, uint64_t seed) {
    MicroStatisticsOfStep statistics = collect(session, step);
    io::Status status = io::Status::success();
    FailureOr<SmallVector<StatisticsSpread>> spreads = measure(
        session, step, statistics, executable, inputs, batch, seed, status);
    if (!status)
      return status;
    if (failed(spreads)) {
      warnOfExpected(session, step, statistics);
      return status;
    }
    const auto *worst = llvm::max_element(
        *spreads, [](const StatisticsSpread &a, const StatisticsSpread &b) {
          return a.getLarger() < b.getLarger();
        });
    emitStatisticsWarning(session, step,
                          statistics.ops[worst - spreads->begin()].op)
            .attachNote()
        << "measured on the first batch, worst here: "
        << describeSpread(*worst);
    return status;
  };
}
