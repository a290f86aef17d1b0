//===- CUDAPrograms.cpp - What is emitted for CUDA ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes are fixed when a program is compiled: the tail of an epoch and the
// held-out samples have to be known then, as numbers or from the files.
//
//===----------------------------------------------------------------------===//

#include "CUDAPrograms.h"

#include "Executables.h"
#include "Notes.h"
#include "Plan.h"
#include "accrue/Training/Training.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

int tool::getEmittedPrograms(const Session &session, Phase phase,
                             std::vector<ProgramInfo> &programs) {
  const CommandLine &options = session.options;
  auto add = [&](ProgramInfo wanted) {
    if (llvm::none_of(programs, [&](const ProgramInfo &program) {
          return program.kind == wanted.kind && program.batch == wanted.batch;
        }))
      programs.push_back(wanted);
  };
  for (const ProgramInfo &program : session.getPrograms())
    add(program);
  if (phase != Phase::CUDA && phase != Phase::CUDADriver)
    return kSuccess;
  int64_t samples = 0, held = 0;
  if (int status =
          countSamples(session, options.data, /*shuffled=*/true, samples))
    return status;
  if (int status =
          countSamples(session, options.evalData, /*shuffled=*/false, held))
    return status;
  int64_t tail = samples % *session.batch.batch;
  if (tail > 0 && options.tail == "keep")
    add({ProgramKind::Step, tail});
  if (held > 0)
    add({ProgramKind::Evaluation, held});
  return kSuccess;
}

cuda::ExportOptions tool::getExportOptions(const Session &session) {
  cuda::ExportOptions options;
  options.selfContained = session.options.selfContained;
  if (session.options.noGraph)
    options.graphs = cuda::GraphMode::none;
  options.notes = describeBuild(session);
  return options;
}

FailureOr<cuda::DriverOptions> tool::getDriverOptions(const Session &session) {
  FailureOr<RunModel> model =
      describeModel(session.input->getFunction(), session.signature);
  if (failed(model))
    return failure();
  cuda::DriverOptions options;
  options.model = std::move(*model);
  options.model.batch = *session.batch.batch;
  options.model.steps = session.getLastStep();
  options.model.config = session.hashStep("cuda");
  options.learningRate = getLearningRateSource(session.signature);
  options.size = describeParameters(session.signature);
  options.split =
      llvm::formatv("{0} samples per optimizer step = {1}",
                    *session.batch.batch, formatSpans(session.spans));
  return options;
}
