//===- Plan.cpp - The plan of a command -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "accrue/Driver/ByteSize.h"
#include "accrue/Driver/MemoryReport.h"
#include "accrue/Planner/MemorySearch.h"
#include "accrue/Training/Training.h"
#include "runtime/io/Progress.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

FailureOr<AnalyzedStep> tool::analyzeStep(Session &session) {
  PipelineOptions options;
  options.gradientsOnly = true;
  options.batchNorm = session.pipeline.batchNorm;
  FailureOr<OwningOpRef<ModuleOp>> module =
      compileTo(Phase::Step, session.input->getModule(), options);
  if (failed(module))
    return failure();
  AnalyzedStep step;
  step.module = std::move(*module);
  step.function = *step.module->getOps<func::FuncOp>().begin();
  BatchPlanOptions planning;
  planning.coupled = session.pipeline.coupled;
  planning.gatherLimit = session.pipeline.gatherLimit;
  BatchAnalysisOptions &analysis = planning.analysis;
  analysis.isSplit = session.spans.size() > 1 ||
                     (!session.spans.empty() && session.spans[0].count > 1);
  analysis.batch = session.pipeline.batch;
  analysis.acceptsGroup = [&](int64_t group) {
    std::string error;
    return succeeded(cutBatch(session.pipeline.batch,
                              session.pipeline.microBatch,
                              session.pipeline.accumulate, error, group));
  };
  analysis.microStatistics =
      session.pipeline.batchNorm == train::BatchNorm::Micro;
  FailureOr<BatchPlan> plan = planBatch(step.function, planning);
  if (failed(plan))
    return failure();
  step.plan = std::move(*plan);
  // Micro-batches of a given number come in whole groups of samples.
  std::string error;
  if (auto spans =
          cutBatch(session.pipeline.batch, session.pipeline.microBatch,
                   session.pipeline.accumulate, error, step.plan.sampleGroup);
      succeeded(spans))
    session.spans = std::move(*spans);
  return step;
}

void tool::warnOfReordered(const AnalyzedStep &step) {
  if (step.plan.reordered.empty())
    return;
  OpOperand *operand = step.plan.reordered.front();
  Operation *op = operand->getOwner();
  Value value = operand->get();
  InFlightDiagnostic warning = emitWarning(op->getLoc());
  warning << "'" << op->getName()
          << "' pairs rows of different samples: its operands enumerate the "
             "samples of the batch in different orders";
  Diagnostic &note = warning.attachNote(value.getLoc());
  if (Operation *source = value.getDefiningOp())
    note << "'" << source->getName() << "'";
  else
    note << "this input";
  note << " has another order than the other operand, as time-major rows "
          "[T * batch] beside sample-major ones [batch * T]; unless that is "
          "meant, transpose one of them before it is reshaped";
}

EpochPlan tool::planEpoch(const Session &session, int64_t samples,
                          bool keepTail, int64_t steps) {
  EpochPlan epoch;
  epoch.samples = samples;
  epoch.keepTail = keepTail;
  epoch.steps = steps;
  epoch.schedule = describeSchedule(session.signature);
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
  if (step.plan.loops > 1 && session.spans.front().size != report.batch)
    report.price = getPrice(step.plan, report.batch);
  report.scaling = explainScaling(step.function, step.plan);
  report.print(*session.input, os);
}

FailureOr<MemoryPlan> tool::planMemory(const Session &session,
                                       ArrayRef<PipelineOptions> programs) {
  MemoryPlan merged;
  for (const PipelineOptions &program : programs) {
    FailureOr<OwningOpRef<ModuleOp>> module =
        compileTo(Phase::Planned, session.input->getModule(), program);
    if (failed(module))
      return failure();
    std::vector<MemoryPlan> plans = getMemoryPlans(**module);
    assert(plans.size() == 1 && "one function per program");
    if (merged.arenas.empty())
      merged = std::move(plans.front());
    else
      extendArenas(merged, plans.front());
  }
  return merged;
}

FailureOr<MemoryPlan> tool::planMemory(const Session &session,
                                       ArrayRef<ProgramInfo> programs) {
  return planMemory(
      session, llvm::map_to_vector(programs, [&](const ProgramInfo &program) {
        return session.getOptions(program);
      }));
}

int tool::fitMemory(Session &session, ArrayRef<ProgramInfo> programs) {
  if (!session.batch.memoryLimit)
    return kSuccess;
  FailureOr<AnalyzedStep> step = analyzeStep(session);
  if (failed(step))
    return kFailure;
  // Micro-batches come in whole groups of samples that belong together.
  int64_t batch = *session.batch.batch, group = step->plan.sampleGroup;
  auto getMicroBatch = [&](int64_t groups) {
    return std::min(groups * group, batch);
  };
  auto makePlan = [&](int64_t groups, train::RematPolicy policy) {
    session.split(getMicroBatch(groups), policy);
    return planMemory(session, programs);
  };
  SmallVector<train::RematPolicy> policies = {session.pipeline.remat};
  if (session.options.remat == "auto")
    policies.push_back(train::RematPolicy::Full);
  FailureOr<MemorySearchResult> result = searchMemory(
      llvm::divideCeil(batch, group), *session.batch.memoryLimit, policies,
      [&](int64_t groups, train::RematPolicy policy) -> FailureOr<int64_t> {
        FailureOr<MemoryPlan> plan = makePlan(groups, policy);
        if (failed(plan))
          return failure();
        return plan->getTotalBytes();
      });
  if (failed(result))
    return kFailure;
  if (result->best) {
    session.split(getMicroBatch(result->best->microBatch), result->best->remat);
    return kSuccess;
  }

  const MemoryCandidate &floor = result->floor;
  FailureOr<MemoryPlan> plan = makePlan(floor.microBatch, floor.remat);
  if (failed(plan))
    return kFailure;
  reportError(
      "nothing fits in " + formatByteSize(*session.batch.memoryLimit) +
      ": the least is " + formatByteSize(floor.bytes) +
      ", with micro-batches of " + Twine(getMicroBatch(floor.microBatch)) +
      (floor.remat == train::RematPolicy::Full ? " and recomputed activations"
                                               : ""));
  int64_t fixed = plan->getBytes(kernel::Arena::params) +
                  plan->getBytes(kernel::Arena::gradients) +
                  plan->getBytes(kernel::Arena::slots);
  llvm::WithColor::note(llvm::errs()) << describeArenas(*plan) << '\n';
  llvm::WithColor::note(llvm::errs())
      << "parameters, gradients and optimizer state, " << formatByteSize(fixed)
      << ", are the same for every micro-batch\n";
  return kFailure;
}

LogicalResult tool::printMemory(const Session &session, raw_ostream &os) {
  SmallVector<PipelineOptions> programs, unsplit;
  for (const ProgramInfo &program : session.getPrograms()) {
    programs.push_back(session.getOptions(program));
    unsplit.push_back(programs.back());
    unsplit.back().microBatch = unsplit.back().accumulate = 0;
  }
  SmallVector<MemoryColumn> columns;
  int64_t count = 0;
  for (const MicroBatchSpan &span : session.spans)
    count += span.count;
  if (count > 1) {
    FailureOr<MemoryPlan> whole = planMemory(session, unsplit);
    if (failed(whole))
      return failure();
    columns.push_back({"K = 1", std::move(*whole)});
  }
  FailureOr<MemoryPlan> plan = planMemory(session, programs);
  if (failed(plan))
    return failure();
  columns.push_back({"K = " + io::groupDigits(count), std::move(*plan)});
  printMemoryTable(session.signature, columns, os);
  return success();
}
