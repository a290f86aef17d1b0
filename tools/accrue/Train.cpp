//===- Train.cpp - accrue train -------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckNumerics.h"
#include "Executables.h"
#include "MicroStatistics.h"
#include "Plan.h"

#include "accrue/Driver/ByteSize.h"
#include "accrue/Training/Training.h"
#include "runtime/cpu/Parallel.h"
#include "runtime/io/Progress.h"

#include <chrono>

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// The options of the run; returns kSuccess or kUsage.
static int getRequest(const CommandLine &options, RunRequest &request) {
  auto get = [](const llvm::cl::opt<long> &option) -> std::optional<int64_t> {
    if (option.getNumOccurrences() == 0)
      return std::nullopt;
    return option.getValue();
  };
  if (options.data.empty())
    return usageError("expected --data with train");
  request.program = "accrue";
  if (!parseDataFiles(options.data, request.data) ||
      !parseDataFiles(options.evalData, request.evalData) ||
      !checkWord("--tail", options.tail, {"keep", "drop"}) ||
      !checkTarget(options))
    return kUsage;
  request.init = options.init;
  request.weights = getWeightOptions(options);
  request.resume = options.resume;
  request.save = options.save;
  request.log = options.log;
  request.steps = get(options.steps);
  request.saveEvery = get(options.saveEvery);
  request.evalEvery = get(options.evalEvery);
  request.logEvery = get(options.logEvery);
  request.seed = get(options.seed);
  request.keepTail = options.tail == "keep";
  io::Status status = checkRequest(request);
  return status ? kSuccess : usageError(status.message());
}

namespace {
/// One `accrue train`.
class TrainCommand {
public:
  explicit TrainCommand(const CommandLine &options)
      : options(options), session(options) {}

  int run();

private:
  int describe();
  int compile();
  int checkAllocation();

  const CommandLine &options;
  Session session;
  RunRequest request;
  std::optional<TrainingRun> training;
  AnalyzedStep step;
  std::unique_ptr<Executable> executable;
};
} // namespace

int TrainCommand::describe() {
  FailureOr<RunModel> model =
      describeModel(session.input->getFunction(), session.signature);
  if (failed(model))
    return kFailure;
  io::Result<int64_t> steps = getSteps(request, session.getLastStep());
  if (!steps)
    return usageError(steps.message());
  model->batch = *session.batch.batch;
  model->steps = *steps;
  training.emplace(request, std::move(*model));
  io::Status status = training->open();
  return status ? kSuccess : reportError(status.message());
}

int TrainCommand::compile() {
  auto started = std::chrono::steady_clock::now();
  std::vector<ProgramInfo> programs = training->getPrograms();
  if (int status = fitMemory(session, programs))
    return status;
  FailureOr<AnalyzedStep> analyzed = analyzeStep(session);
  if (failed(analyzed))
    return kFailure;
  step = std::move(*analyzed);
  executable = buildExecutable(session, programs);
  if (!executable)
    return kFailure;
  std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - started;

  llvm::errs() << session.input->getFunction().getSymName() << ": "
               << describeParameters(session.signature) << ", "
               << io::groupDigits(training->getData().samples()) << " train";
  if (const io::DataLoader *held = training->getEvalData())
    llvm::errs() << " / " << io::groupDigits(held->samples()) << " held-out";
  llvm::errs() << " samples, " << options.target;
  if (options.target == "cpu")
    llvm::errs() << " (" << accrue_num_threads() << " threads)";
  llvm::errs() << ", compiled in " << io::formatDuration(elapsed.count())
               << '\n';
  warnOfReordered(step);
  printPlan(session, step,
            planEpoch(session, training->getData().samples(), request.keepTail,
                      training->getSteps()),
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

int TrainCommand::run() {
  if (int status = getRequest(options, request))
    return status;
  if (int status = session.start())
    return status;
  session.warnOfLearningRate();
  if (int status = describe())
    return status;
  if (int status = compile())
    return status;
  training->setConfig(session.hashStep(options.target));
  io::Result<int> status = training->train(
      *executable, warnOfMeasuredStatistics(session, step),
      options.checkNumerics ? explainWithInterpreter(step) : nullptr);
  return status ? *status : reportError(status.message());
}

int tool::runTrain(const CommandLine &options) {
  return TrainCommand(options).run();
}
