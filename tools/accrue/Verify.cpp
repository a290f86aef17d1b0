//===- Verify.cpp - accrue verify -----------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "VerifyTarget.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// How many consecutive samples micro-batches have to keep together; 1 where
/// the step cannot be analyzed, which verification reports.
static int64_t getSampleGroup(Session &session) {
  ScopedDiagnosticHandler quiet(session.input->getModule().getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<AnalyzedStep> step = analyzeStep(session);
  return succeeded(step) ? step->plan.sampleGroup : 1;
}

int tool::runVerify(const CommandLine &options) {
  if (!checkTarget(options))
    return kUsage;
  Session session(options);
  if (int status = session.start())
    return status;
  reference::VerifyOptions verify;
  verify.batch = *session.batch.batch;
  for (long size : options.microBatches) {
    if (size <= 0 || size > verify.batch)
      return usageError("expected micro-batches from 1 to the batch of " +
                        Twine(verify.batch) + " samples, got " + Twine(size));
    verify.microBatches.push_back(size);
  }
  if (verify.microBatches.empty())
    verify.microBatches = reference::getDefaultMicroBatches(
        verify.batch, getSampleGroup(session));
  verify.microStatistics =
      session.pipeline.batchNorm == train::BatchNorm::Micro;
  verify.frozenStatistics =
      session.pipeline.batchNorm == train::BatchNorm::Frozen;
  verify.coupled = session.pipeline.coupled;
  verify.gatherLimit = session.pipeline.gatherLimit;
  verify.plantFault = options.plantFault;
  verify.recompute = options.remat != "none";
  verify.seed = options.seed;
  if (options.target == "cpu" && options.target.getNumOccurrences() > 0)
    return verifyTarget(session, verify);
  FailureOr<reference::VerifyReport> report =
      reference::verify(session.input->getFunction(), verify);
  if (failed(report))
    return kFailure;
  report->print(llvm::outs());
  return report->passed() ? kSuccess : kFailure;
}
