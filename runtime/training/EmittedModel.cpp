//===- EmittedModel.cpp - The main of emitted programs --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/EmittedModel.h"

#include "runtime/io/Progress.h"
#include "runtime/training/EmittedExecutable.h"
#include "runtime/training/RunLength.h"
#include "runtime/training/RunOptions.h"

#include <algorithm>

using namespace accrue;

/// As those of `accrue`.
enum ExitCode { kSuccess = 0, kFailure = 1, kUsage = 2 };

/// Fails where the program lacks an entry point that the data ask for: its
/// sizes were fixed when it was compiled.
static io::Status checkPrograms(const EmittedModel &model,
                                const TrainingRun &run) {
  for (const ProgramInfo &wanted : run.getPrograms()) {
    if (std::any_of(model.programs.begin(), model.programs.end(),
                    [&](const EmittedProgram &program) {
                      return program.kind == wanted.kind &&
                             program.batch == wanted.batch;
                    }))
      continue;
    if (wanted.kind == ProgramKind::Evaluation)
      return io::fail("compiled without an evaluation of {} samples: compile "
                      "with --eval-data",
                      wanted.batch);
    return io::fail("compiled without a step of {} samples, the tail of an "
                    "epoch of {}: compile with --data or --batch {},{}, or "
                    "train with --tail drop",
                    wanted.batch, run.getData().samples(), model.batch,
                    wanted.batch);
  }
  return io::Status::success();
}

static void describe(const EmittedModel &model, const TrainingRun &run) {
  fmt::print(stderr, "{}: {}, {} train", model.name, model.size,
             io::groupDigits(run.getData().samples()));
  if (const io::DataLoader *held = run.getEvalData())
    fmt::print(stderr, " / {} held-out", io::groupDigits(held->samples()));
  fmt::print(stderr, " samples, {}\nplan    {}\n", model.target, model.split);
  RunLength length(run.getData().samples(), run.getSampling());
  for (const std::string &line :
       length.describe(run.getSteps(), model.schedule))
    fmt::print(stderr, "        {}\n", line);
}

static io::Result<int> train(const EmittedModel &model, TrainingRun &run) {
  if (io::Status status = run.open(); !status)
    return status;
  if (io::Status status = checkPrograms(model, run); !status)
    return status;
  io::Result<std::unique_ptr<Executable>> executable = createExecutable(model);
  if (!executable)
    return executable.status();
  describe(model, run);
  return run.train(**executable);
}

double accrue::readNumber(io::DType dtype, const void *data) {
  double value = 0;
  if (io::ConvertFn convert = io::findConversion(dtype, io::DType::F64))
    convert(data, &value, 1);
  return value;
}

int accrue::trainEmittedModel(int argc, char **argv,
                              const EmittedModel &model) {
  if (asksForHelp(argc, argv)) {
    fmt::print("Trains {} ({}), {}.\n\n{}", model.name, model.target,
               model.split, kRunOptions);
    return kSuccess;
  }
  std::string program = argc > 0 ? argv[0] : "";
  program = program.substr(program.rfind('/') + 1);
  auto fail = [&](const std::string &message, ExitCode code) {
    fmt::print(stderr, "{}: error: {}\n", program, message);
    return code;
  };
  io::Result<RunRequest> request = parseRunOptions(argc, argv);
  if (!request)
    return fail(request.message(), kUsage);
  io::Result<int64_t> steps = getSteps(*request, model.steps);
  if (!steps)
    return fail(steps.message(), kUsage);
  RunModel description = model;
  description.steps = *steps;
  TrainingRun run(std::move(*request), std::move(description));
  io::Result<int> status = train(model, run);
  return status ? *status : fail(status.message(), kFailure);
}
