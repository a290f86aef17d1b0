//===- TrainingRun.cpp - A run from its options to its end ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/TrainingRun.h"

#include "runtime/io/Progress.h"

#include <csignal>

using namespace accrue;

io::Status accrue::checkRequest(const RunRequest &request) {
  struct Need {
    bool given;
    const char *option;
    bool met;
    const char *needed;
  };
  const Need needs[] = {
      {request.saveEvery.value_or(0) > 0, "--save-every", !request.save.empty(),
       "--save"},
      {request.evalEvery.value_or(0) > 0, "--eval-every",
       !request.evalData.empty(), "--eval-data"},
  };
  for (const Need &need : needs)
    if (need.given && !need.met)
      return io::fail("expected {} with {}", need.needed, need.option);
  if (request.init.empty() && !request.weights.empty())
    return io::fail("expected --init with --init-prefix, --init-ignore and "
                    "--init-transpose");
  if (!request.init.empty() && !request.resume.empty())
    return io::fail("expected one of --init and --resume, got both");
  const std::pair<const char *, std::optional<int64_t>> numbers[] = {
      {"--save-every", request.saveEvery},
      {"--eval-every", request.evalEvery},
      {"--log-every", request.logEvery}};
  for (auto [option, number] : numbers)
    if (number && *number <= 0)
      return io::fail("expected {} to be positive, got {}", option, *number);
  if (request.steps.value_or(0) < 0)
    return io::fail("expected --steps not to be negative, got {}",
                    *request.steps);
  if (request.seed.value_or(0) < 0)
    return io::fail("expected --seed not to be negative");
  return io::Status::success();
}

io::Result<int64_t> accrue::getSteps(const RunRequest &request,
                                     int64_t modelSteps) {
  int64_t steps = request.steps.value_or(modelSteps);
  if (steps == 0 && !request.steps)
    return io::fail("expected --steps: the model's schedule has no end");
  return steps;
}

io::Status TrainingRun::open() {
  state.model = model.name;
  state.batch = model.batch;
  state.keepTail = request.keepTail;
  state.seed = request.seed.value_or(0);
  // The seed belongs to the run that is resumed.
  if (!request.resume.empty() && !request.seed) {
    io::Result<RunState> saved = readRunState(request.resume);
    if (!saved)
      return saved.status();
    state.seed = saved->seed;
  }
  sampling.batch = model.batch;
  sampling.keepTail = request.keepTail;
  sampling.seed = state.seed;
  io::Result<io::DataLoader> opened =
      openData(model.inputs, request.data, sampling);
  if (!opened)
    return opened.status();
  data.emplace(std::move(*opened));
  state.samples = data->samples();
  if (request.evalData.empty())
    return io::Status::success();
  io::Result<io::DataLoader> held =
      openEvalData(model.inputs, request.evalData);
  if (!held)
    return held.status();
  evalData.emplace(std::move(*held));
  return io::Status::success();
}

std::vector<ProgramInfo> TrainingRun::getPrograms() const {
  std::vector<ProgramInfo> programs = {{ProgramKind::Step, model.batch}};
  if (int64_t tail = data->tailSize())
    programs.push_back({ProgramKind::Step, tail});
  if (evalData)
    programs.push_back({ProgramKind::Evaluation, evalData->samples()});
  return programs;
}

io::Status TrainingRun::prepareState(Executable &executable) {
  state.config = model.config;
  if (request.resume.empty()) {
    if (request.init.empty())
      return initializeParameters(executable, model.initializers, state.seed);
    // What the file may not have.
    if (io::Status status =
            initializeState(executable, model.initializers, state.seed);
        !status)
      return status;
    return loadWeights(request.init, request.weights, executable);
  }
  io::Result<RunState> saved = loadCheckpoint(request.resume, executable);
  if (!saved)
    return saved.status();
  if (io::Status status = checkResumable(request.resume, *saved, state);
      !status)
    return status;
  if (saved->hasData && saved->config != state.config)
    fmt::print(stderr,
               "{}: warning: {}: the model, its training options, the split of "
               "the batch or the target have changed since: other bits from "
               "here on\n",
               request.program, request.resume);
  state.batchIndex = saved->batchIndex;
  state.norms = saved->norms;
  state.skippedInARow = saved->skippedInARow;
  return io::Status::success();
}

/// Says how the run ended; returns its exit status.
static int report(const TrainingSummary &summary, const std::string &save) {
  if (summary.skipped > 0)
    fmt::print(stderr,
               "skipped {} steps whose loss or gradients were not finite\n",
               summary.skipped);
  if (summary.saved)
    fmt::print(stderr, "saved   {} after batch {}\n", save,
               io::groupDigits(summary.batches));
  if (summary.signal == 0)
    return 0;
  fmt::print(stderr, "stopped by {} after batch {}{}\n",
             summary.signal == SIGINT ? "SIGINT" : "SIGTERM",
             io::groupDigits(summary.batches),
             summary.saved ? ": --resume continues"
                           : ": nothing saved, there is no --save");
  return 128 + summary.signal;
}

io::Result<int> TrainingRun::train(Executable &executable, InspectStep begin,
                                   InspectStep explain) {
  if (io::Status status = prepareState(executable); !status)
    return status;
  TrainingOptions options;
  options.steps = model.steps;
  options.evalEvery = request.evalEvery.value_or(0);
  options.saveEvery = request.saveEvery.value_or(0);
  options.logEvery = request.logEvery.value_or(options.logEvery);
  options.save = request.save;
  options.log = request.log;
  options.begin = std::move(begin);
  options.explain = std::move(explain);
  if (!request.resume.empty() && state.batchIndex >= options.steps) {
    fmt::print(stderr, "nothing to do: {} is after batch {} of {}\n",
               request.resume, io::groupDigits(state.batchIndex),
               io::groupDigits(options.steps));
    return 0;
  }
  io::Result<TrainingSummary> summary =
      trainModel(executable, model, *data, evalData ? &*evalData : nullptr,
                 options, state);
  if (!summary)
    return summary.status();
  return report(*summary, request.save);
}
