//===- Plan.cpp - The plan of a command -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

FailureOr<AnalyzedStep> tool::analyzeStep(Session &session) {
  PipelineOptions options;
  options.gradientsOnly = true;
  FailureOr<OwningOpRef<ModuleOp>> module =
      compileTo(Phase::Step, session.input->getModule(), options);
  if (failed(module))
    return failure();
  AnalyzedStep step;
  step.module = std::move(*module);
  step.function = *step.module->getOps<func::FuncOp>().begin();
  FailureOr<BatchPlan> plan = analyzeBatch(step.function);
  if (failed(plan))
    return failure();
  step.plan = std::move(*plan);
  return step;
}

EpochPlan tool::planEpoch(const Session &session, int64_t samples,
                          bool keepTail, int64_t steps) {
  EpochPlan epoch;
  epoch.samples = samples;
  epoch.keepTail = keepTail;
  epoch.steps = steps;
  int64_t tail = samples % *session.batch.batch;
  if (keepTail && tail > 0) {
    std::string error;
    epoch.tailSpans = *cutBatch(
        tail, std::min(tail, session.getLargestMicroBatch()), 0, error);
  }
  return epoch;
}

void tool::printPlan(Session &session, const AnalyzedStep &step,
                     const std::optional<EpochPlan> &epoch, raw_ostream &os) {
  PlanReport report;
  report.batch = *session.batch.batch;
  report.spans = session.spans;
  report.epoch = epoch;
  report.recompute = session.pipeline.remat == train::RematPolicy::Full;
  report.scaling = explainScaling(step.function, step.plan);
  report.print(*session.input, os);
}
