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
#include <limits>
#include <optional>

using namespace accrue;

namespace {
class TrainingLoop {
public:
  TrainingLoop(Executable &executable, const RunModel &model,
               io::DataLoader &data, io::DataLoader *evalData,
               const TrainingOptions &options, RunState &state)
      : executable(executable), model(model), data(data), evalData(evalData),
        options(options), state(state) {}

  io::Result<TrainingSummary> run();

private:
  io::Status runBatch(io::Progress &progress);
  /// A step that was not finite. Fails where it ends the run.
  io::Status handleSkipped(LoaderInput &input, const RunResults &results,
                           io::Progress &progress);
  io::Status writeLine(const io::Batch &batch, const RunResults &results,
                       double rate, bool evaluated);
  io::Status save();
  /// After an error, saves what was trained so far.
  void rescue(io::Progress &progress);
  io::Status readCompletedSteps();
  void showProgress(io::Progress &progress, const RunResults &results,
                    int64_t samples);

  Executable &executable;
  const RunModel &model;
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

void TrainingLoop::rescue(io::Progress &progress) {
  if (!options.save.empty() && state.batchIndex > 0 && save())
    progress.note(
        fmt::format("saved {} after batch {}", options.save, state.batchIndex));
}

io::Status TrainingLoop::handleSkipped(LoaderInput &input,
                                       const RunResults &results,
                                       io::Progress &progress) {
  if (++summary.skipped == 1)
    progress.note(fmt::format(
        "batch {}: loss or gradients are not finite: step skipped, nothing "
        "changed",
        state.batchIndex));
  if (options.explain) {
    io::Status status =
        options.explain(executable, input, input.getBatch(), state.seed);
    if (!status)
      return status;
    return io::fail("batch {} is not finite (loss {}, gradient norm {}): "
                    "stopped by --check-numerics",
                    state.batchIndex, results.loss, results.gradNorm);
  }
  if (state.skippedInARow < kMaxSkippedInARow)
    return io::Status::success();
  // Who resumes has other data, or a reason.
  state.skippedInARow = 0;
  return io::fail(
      "batch {}: {} steps in a row were not finite (now loss {}, gradient norm "
      "{}); nothing has changed since batch {}; 'accrue train "
      "--check-numerics' names the first value that is not finite",
      state.batchIndex, kMaxSkippedInARow, results.loss, results.gradNorm,
      state.batchIndex - kMaxSkippedInARow);
}

/// What gradients of norm `gradNorm` are multiplied by, in the type `T` of the
/// step.
template <typename T>
static double getClipCoefficient(double gradNorm, double clipNorm) {
  auto limit = static_cast<T>(clipNorm);
  return limit / std::max(static_cast<T>(gradNorm), limit);
}

static double getClipCoefficient(const RunResults &results,
                                 const RunModel &model) {
  // Gradients that are not finite were not multiplied by anything.
  if (!results.finite)
    return std::numeric_limits<double>::quiet_NaN();
  if (model.normType == io::DType::F64)
    return getClipCoefficient<double>(results.gradNorm, *model.clipNorm);
  return getClipCoefficient<float>(results.gradNorm, *model.clipNorm);
}

io::Status TrainingLoop::writeLine(const io::Batch &batch,
                                   const RunResults &results, double rate,
                                   bool evaluated) {
  io::JsonLine line;
  line.add("batch", state.batchIndex)
      .add("epoch", batch.epoch)
      .add("samples", batch.size());
  addNumber(line, "loss", results.loss);
  addNumber(line, "grad_norm", results.gradNorm);
  line.add("grad_norm_median", state.norms.getMedian().value_or(
                                   std::numeric_limits<double>::quiet_NaN()))
      .add("spike", state.norms.isSpike(results.gradNorm));
  if (model.clipNorm)
    addNumber(line, "clip_coef", getClipCoefficient(results, model));
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
  return log->write(line);
}

io::Status TrainingLoop::runBatch(io::Progress &progress) {
  LoaderInput input(executable, data, data.batchAt(state.batchIndex));
  int64_t samples = input.getBatch().size();
  std::optional<unsigned> program =
      findProgram(executable, ProgramKind::Step, samples);
  assert(program && "compiled for every batch size of the data");
  double rate = model.learningRate(completed);
  RunResults results;
  if (io::Status status = executable.run(*program, input, results); !status) {
    // Nothing has changed: what was trained so far is worth keeping.
    rescue(progress);
    return status;
  }

  ++state.batchIndex;
  bool last = state.batchIndex == options.steps;
  bool due = options.evalEvery > 0 && state.batchIndex % options.evalEvery == 0;
  bool evaluated = evalData && (last || due);
  if (evaluated) {
    io::Result<RunResults> held = evaluate(executable, *evalData);
    if (!held)
      return held.status();
    evaluation = *held;
  }
  if (log)
    if (io::Status status =
            writeLine(input.getBatch(), results, rate, evaluated);
        !status)
      return status;
  if (results.finite) {
    ++completed;
    state.skippedInARow = 0;
    state.norms.add(results.gradNorm);
  } else {
    ++state.skippedInARow;
    if (io::Status status = handleSkipped(input, results, progress); !status) {
      rescue(progress);
      return status;
    }
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
  if (options.begin && state.batchIndex < options.steps) {
    LoaderInput input(executable, data, data.batchAt(state.batchIndex));
    if (io::Status status =
            options.begin(executable, input, input.getBatch(), state.seed);
        !status)
      return status;
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
accrue::trainModel(Executable &executable, const RunModel &model,
                   io::DataLoader &data, io::DataLoader *evalData,
                   const TrainingOptions &options, RunState state) {
  return TrainingLoop(executable, model, data, evalData, options, state).run();
}
