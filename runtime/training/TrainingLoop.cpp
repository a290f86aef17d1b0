//===- TrainingLoop.cpp - The training loop -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per logical batch: step, evaluation, log line, checkpoint. A line is on the
// disk before the checkpoint that contains its batch, so that a log never lacks
// a batch that the weights have seen.
//
//===----------------------------------------------------------------------===//

#include "runtime/training/TrainingLoop.h"

#include "runtime/io/AtomicFile.h"
#include "runtime/io/Progress.h"
#include "runtime/io/Shutdown.h"
#include "runtime/training/Data.h"
#include "runtime/training/LoaderInput.h"
#include "runtime/training/Results.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>

using namespace accrue;

namespace {
class TrainingLoop {
public:
  TrainingLoop(Executable &executable, const LearningRate &learningRate,
               io::DataLoader &data, io::DataLoader *evalData,
               const TrainingOptions &options, RunState &state)
      : executable(executable), learningRate(learningRate), data(data),
        evalData(evalData), options(options), state(state) {}

  io::Result<TrainingSummary> run();

private:
  io::Status runBatch(io::Progress &progress);
  io::Status save();
  io::Status readCompletedSteps();
  void showProgress(io::Progress &progress, const RunResults &results,
                    int64_t samples);

  Executable &executable;
  const LearningRate &learningRate;
  io::DataLoader &data;
  io::DataLoader *evalData;
  const TrainingOptions &options;
  RunState &state;
  /// Steps that were not skipped, in all runs; the same as the executable's
  /// counter, which may be far away.
  int64_t completed = 0;
  std::optional<io::JsonlWriter> log;
  TrainingSummary summary;
  /// The last evaluation.
  std::optional<RunResults> evaluation;
  std::chrono::steady_clock::time_point started =
      std::chrono::steady_clock::now();
};
} // namespace

io::Status TrainingLoop::readCompletedSteps() {
  if (io::Status status = executable.fetchTensors(); !status)
    return status;
  for (const StateTensor &tensor : executable.getState())
    if (tensor.name == "step")
      std::memcpy(&completed, tensor.data, sizeof(completed));
  return io::Status::success();
}

void TrainingLoop::showProgress(io::Progress &progress,
                                const RunResults &results, int64_t samples) {
  std::vector<io::ProgressField> fields = {{"loss", results.loss},
                                           {"|g|", results.gradNorm}};
  auto addMetrics = [&](const RunResults &from, const std::string &prefix) {
    io::ArrayView<std::string> names = executable.getMetricNames();
    for (size_t i = 0; i < names.size(); ++i)
      fields.push_back({prefix + names[i], from.metrics[i]});
  };
  addMetrics(results, "");
  if (evaluation) {
    fields.push_back({"held-out loss", evaluation->loss});
    addMetrics(*evaluation, "held-out ");
  }
  if (summary.skipped > 0)
    fields.push_back({"skipped", static_cast<double>(summary.skipped)});
  progress.update(state.batchIndex, samples, std::move(fields));
}

io::Status TrainingLoop::save() {
  if (log)
    if (io::Status status = log->sync(); !status)
      return status;
  return saveCheckpoint(options.save, executable, state);
}

io::Status TrainingLoop::runBatch(io::Progress &progress) {
  LoaderInput input(executable, data, data.batchAt(state.batchIndex));
  int64_t samples = input.getBatch().size();
  std::optional<unsigned> program =
      findProgram(executable, ProgramKind::Step, samples);
  assert(program && "compiled for every batch size of the data");
  double rate = learningRate(completed);
  RunResults results;
  if (io::Status status = executable.run(*program, input, results); !status) {
    // Nothing has changed: what was trained so far is worth keeping.
    if (!options.save.empty() && state.batchIndex > 0 && save())
      progress.note(fmt::format("saved {} after batch {}", options.save,
                                state.batchIndex));
    return status;
  }

  ++state.batchIndex;
  if (results.finite)
    ++completed;
  if (!results.finite && ++summary.skipped == 1)
    progress.note(fmt::format(
        "batch {}: loss or gradients are not finite: step skipped, nothing "
        "changed",
        state.batchIndex));
  bool last = state.batchIndex == options.steps;
  bool due = options.evalEvery > 0 && state.batchIndex % options.evalEvery == 0;
  bool evaluated = evalData && (last || due);
  if (evaluated) {
    io::Result<RunResults> held = evaluate(executable, *evalData);
    if (!held)
      return held.status();
    evaluation = *held;
  }

  if (log) {
    io::JsonLine line;
    line.add("batch", state.batchIndex)
        .add("epoch", input.getBatch().epoch)
        .add("samples", samples);
    addNumber(line, "loss", results.loss);
    addNumber(line, "grad_norm", results.gradNorm);
    line.add("lr", rate)
        .add("metrics", formatMetrics(executable, results))
        .add("skipped", !results.finite);
    if (evaluated) {
      io::JsonLine held;
      addNumber(held, "loss", evaluation->loss)
          .add("metrics", formatMetrics(executable, *evaluation));
      line.add("eval", held);
    }
    std::chrono::duration<double> elapsed =
        std::chrono::steady_clock::now() - started;
    line.add("seconds", std::round(elapsed.count() * 1e3) / 1e3);
    if (io::Status status = log->write(line); !status)
      return status;
  }
  if (options.saveEvery > 0 && state.batchIndex % options.saveEvery == 0 &&
      !last)
    if (io::Status status = save(); !status)
      return status;
  showProgress(progress, results, samples);
  return io::Status::success();
}

io::Result<TrainingSummary> TrainingLoop::run() {
  if (io::Status status = readCompletedSteps(); !status)
    return status;
  // Whether the file can be written is better known before hours of training
  // than after; the probe leaves nothing behind.
  if (!options.save.empty()) {
    io::Result<io::AtomicFile> probe = io::AtomicFile::create(options.save);
    if (!probe)
      return probe.status();
  }
  if (!options.log.empty()) {
    if (io::Status status = io::truncateAfter(options.log, state.batchIndex);
        !status)
      return status;
    io::Result<io::JsonlWriter> writer = io::JsonlWriter::open(options.log);
    if (!writer)
      return writer.status();
    log.emplace(std::move(*writer));
  }
  io::ProgressOptions shown;
  shown.total = options.steps;
  shown.start = state.batchIndex;
  shown.plainEvery = options.logEvery;
  io::Progress progress(shown);
  io::installShutdownHandler();
  while (state.batchIndex < options.steps && !io::shutdownRequested())
    if (io::Status status = runBatch(progress); !status)
      return status;
  progress.finish();
  if (!options.save.empty()) {
    if (io::Status status = save(); !status)
      return status;
    summary.saved = true;
  }
  summary.batches = state.batchIndex;
  summary.signal = state.batchIndex < options.steps ? io::shutdownSignal() : 0;
  return summary;
}

io::Result<TrainingSummary>
accrue::trainModel(Executable &executable, const LearningRate &learningRate,
                   io::DataLoader &data, io::DataLoader *evalData,
                   const TrainingOptions &options, RunState state) {
  return TrainingLoop(executable, learningRate, data, evalData, options, state)
      .run();
}
