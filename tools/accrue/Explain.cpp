//===- Explain.cpp - The plan and its reasons -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executables.h"
#include "MicroStatistics.h"
#include "Output.h"
#include "Plan.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

int tool::printPlanAndReasons(Session &session) {
  const CommandLine &options = session.options;
  auto explains = [&](StringRef topic) {
    return options.explain == topic || options.explain == "all";
  };
  std::optional<EpochPlan> epoch;
  SmallVector<ProgramInfo> programs = session.getPrograms();
  int64_t samples = 0;
  if (int status =
          countSamples(session, options.data, /*shuffled=*/true, samples))
    return status;
  if (samples > 0) {
    int64_t tail = samples % *session.batch.batch;
    if (tail > 0 && options.tail == "keep")
      for (ProgramKind kind : session.kinds)
        if (kind != ProgramKind::Evaluation)
          programs.push_back({kind, tail});
  }
  if (int status = fitMemory(session, programs))
    return status;
  if (samples > 0)
    epoch = planEpoch(session, samples, options.tail == "keep",
                      session.getLastStep());
  FailureOr<AnalyzedStep> step = analyzeStep(session);
  if (failed(step))
    return kFailure;

  std::string text;
  llvm::raw_string_ostream os(text);
  os << session.input->getFunction().getSymName() << ": "
     << describeParameters(session.signature) << '\n';
  warnOfReordered(*step);
  warnOfMicroStatistics(session, *step);
  printPlan(session, *step, epoch, os);
  if (failed(printMemory(session, os)))
    return kFailure;
  if (explains("scaling")) {
    os << '\n';
    printScaling(explainScaling(step->function, step->plan), session.spans,
                 *session.batch.batch, os);
  }
  if (explains("batch")) {
    os << '\n';
    printBatchStates(step->function, step->plan, *session.batch.batch, os);
  }
  if (explains("memory")) {
    FailureOr<MemoryPlan> plan =
        planMemory(session, ArrayRef(programs).take_front());
    if (failed(plan))
      return kFailure;
    os << '\n';
    plan->printBuffers(os);
  }
  return writeOutput(options, text);
}
