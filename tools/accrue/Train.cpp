//===- Train.cpp - accrue train -------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executables.h"
#include "Plan.h"

#include "accrue/Driver/ByteSize.h"
#include "accrue/Target/Describe.h"
#include "accrue/Training/Training.h"
#include "runtime/cpu/Parallel.h"
#include "runtime/io/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"

#include <chrono>
#include <csignal>

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// Checks the options that have a meaning only together.
static int checkOptions(const CommandLine &options) {
  struct Need {
    bool given;
    StringRef option;
    bool met;
    StringRef needed;
  };
  const Need needs[] = {
      {options.saveEvery > 0, "--save-every", !options.save.empty(), "--save"},
      {options.evalEvery > 0, "--eval-every", !options.evalData.empty(),
       "--eval-data"},
      {true, "train", !options.data.empty(), "--data"},
  };
  for (const Need &need : needs)
    if (need.given && !need.met)
      return usageError("expected " + need.needed + " with " + need.option);
  if (!options.init.empty() && !options.resume.empty())
    return usageError("expected one of --init and --resume, got both");
  for (const llvm::cl::opt<long> *option :
       {&options.steps, &options.saveEvery, &options.evalEvery,
        &options.logEvery})
    if (option->getNumOccurrences() > 0 && option->getValue() <= 0)
      return usageError("expected --" + option->ArgStr +
                        " to be positive, got " + Twine(option->getValue()));
  if (options.seed < 0)
    return usageError("expected --seed not to be negative");
  if (!checkWord("--tail", options.tail, {"keep", "drop"}) ||
      !checkTarget(options))
    return kUsage;
  return kSuccess;
}

/// A hash of all that decides the bits of a step: the model with its training
/// options, the split of the batch, recomputation and target.
static std::string hashStep(const Session &session) {
  std::string text;
  llvm::raw_string_ostream os(text);
  session.input->getModule().print(os);
  os << formatSpans(session.spans) << ' '
     << static_cast<int>(session.pipeline.remat) << ' '
     << session.options.target;
  return llvm::formatv("{0:x-16}", llvm::xxh3_64bits(text));
}

namespace {
/// One `accrue train`.
class TrainCommand {
public:
  explicit TrainCommand(const CommandLine &options)
      : options(options), session(options) {}

  int run();

private:
  int openFiles();
  int compile();
  int checkAllocation();
  int prepareState();
  int finish(const TrainingSummary &summary);

  const CommandLine &options;
  Session session;
  std::optional<io::DataLoader> data, evalData;
  std::unique_ptr<Executable> executable;
  TrainingOptions training;
  RunState state;
};
} // namespace

int TrainCommand::openFiles() {
  state.seed = options.seed;
  // The seed belongs to the run that is resumed.
  if (!options.resume.empty() && options.seed.getNumOccurrences() == 0) {
    io::Result<RunState> saved = readRunState(options.resume);
    if (!saved)
      return reportError(saved.message());
    state.seed = saved->seed;
  }
  FailureOr<std::vector<InputInfo>> inputs =
      describeInputs(session.input->getFunction(), session.signature);
  if (failed(inputs))
    return kFailure;
  DataFiles files, evalFiles;
  if (!parseDataFiles(options.data, files) ||
      !parseDataFiles(options.evalData, evalFiles))
    return kUsage;
  io::SamplerOptions sampler;
  sampler.batch = *session.batch.batch;
  sampler.keepTail = options.tail == "keep";
  sampler.seed = state.seed;
  io::Result<io::DataLoader> opened = openData(*inputs, files, sampler);
  if (!opened)
    return reportError(opened.message());
  data.emplace(std::move(*opened));
  if (evalFiles.empty())
    return kSuccess;
  io::Result<io::DataLoader> held = openEvalData(*inputs, evalFiles);
  if (!held)
    return reportError(held.message());
  evalData.emplace(std::move(*held));
  return kSuccess;
}

int TrainCommand::compile() {
  auto started = std::chrono::steady_clock::now();
  std::vector<ProgramInfo> programs = {
      {ProgramKind::Step, *session.batch.batch}};
  if (int64_t tail = data->tailSize())
    programs.push_back({ProgramKind::Step, tail});
  if (evalData)
    programs.push_back({ProgramKind::Evaluation, evalData->samples()});
  if (int status = fitMemory(session, programs))
    return status;
  FailureOr<AnalyzedStep> step = analyzeStep(session);
  if (failed(step))
    return kFailure;
  executable = buildExecutable(session, programs);
  if (!executable)
    return kFailure;
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - started;

  llvm::errs() << session.input->getFunction().getSymName() << ": "
               << describeParameters(session.signature) << ", "
               << io::groupDigits(data->samples()) << " train";
  if (evalData)
    llvm::errs() << " / " << io::groupDigits(evalData->samples())
                 << " held-out";
  llvm::errs() << " samples, " << options.target;
  if (options.target == "cpu")
    llvm::errs() << " (" << accrue_num_threads() << " threads)";
  llvm::errs() << ", compiled in " << io::formatDuration(elapsed.count())
               << '\n';
  printPlan(session, *step,
            planEpoch(session, data->samples(), state.keepTail, training.steps),
            llvm::errs());
  if (failed(printMemory(session, llvm::errs())))
    return kFailure;
  return checkAllocation();
}

int TrainCommand::checkAllocation() {
  int64_t planned = 0, allocated = 0;
  for (const ArenaUsage &arena : executable->getArenas()) {
    planned += arena.planned;
    allocated += arena.allocated;
  }
  if (planned != allocated)
    return reportError("planned " + io::groupDigits(planned) +
                       " bytes, but allocated " + io::groupDigits(allocated));
  if (planned > 0)
    llvm::errs()
        << "        allocated as planned, for all programs of the run: "
        << formatByteSize(planned) << '\n';
  return kSuccess;
}

int TrainCommand::prepareState() {
  state.model = session.input->getFunction().getSymName();
  state.batch = *session.batch.batch;
  state.samples = data->samples();
  state.config = hashStep(session);
  if (!options.resume.empty()) {
    io::Result<RunState> saved = loadCheckpoint(options.resume, *executable);
    if (!saved)
      return reportError(saved.message());
    if (io::Status status = checkResumable(options.resume, *saved, state);
        !status)
      return reportError(status.message());
    if (saved->config != state.config)
      llvm::WithColor::warning(llvm::errs(), "accrue")
          << options.resume
          << ": the model, its training options, the split of the batch or the "
             "target have changed since: other bits from here on\n";
    state.batchIndex = saved->batchIndex;
    return kSuccess;
  }
  io::Status status =
      options.init.empty()
          ? initializeParameters(*executable, session.signature, state.seed)
          : loadWeights(options.init, *executable);
  return status ? kSuccess : reportError(status.message());
}

int TrainCommand::finish(const TrainingSummary &summary) {
  if (summary.skipped > 0)
    llvm::errs() << "skipped " << summary.skipped
                 << " steps whose loss or gradients were not finite\n";
  if (summary.saved)
    llvm::errs() << "saved   " << options.save << " after batch "
                 << io::groupDigits(summary.batches) << '\n';
  if (summary.signal == 0)
    return kSuccess;
  llvm::errs() << "stopped by "
               << (summary.signal == SIGINT ? "SIGINT" : "SIGTERM")
               << " after batch " << io::groupDigits(summary.batches)
               << (summary.saved ? ": --resume continues\n"
                                 : ": nothing saved, there is no --save\n");
  return 128 + summary.signal;
}

int TrainCommand::run() {
  if (int status = checkOptions(options))
    return status;
  if (int status = session.start())
    return status;
  training.steps = options.steps;
  if (training.steps == 0 && session.signature.schedule)
    training.steps = session.signature.schedule.getLastStep();
  if (training.steps == 0)
    return usageError("expected --steps: the model's schedule has no end");
  training.evalEvery = options.evalEvery;
  training.saveEvery = options.saveEvery;
  training.logEvery = options.logEvery;
  training.save = options.save;
  training.log = options.log;
  state.keepTail = options.tail == "keep";

  for (auto stage : {&TrainCommand::openFiles, &TrainCommand::compile,
                     &TrainCommand::prepareState})
    if (int status = (this->*stage)())
      return status;
  if (state.batchIndex >= training.steps) {
    llvm::errs() << "nothing to do: " << options.resume << " is after batch "
                 << io::groupDigits(state.batchIndex) << " of "
                 << io::groupDigits(training.steps) << '\n';
    return kSuccess;
  }
  io::Result<TrainingSummary> summary =
      trainModel(*executable, session.signature, *data,
                 evalData ? &*evalData : nullptr, training, state);
  if (!summary)
    return reportError(summary.message());
  return finish(*summary);
}

int tool::runTrain(const CommandLine &options) {
  return TrainCommand(options).run();
}
