//===- TrainingRun.h - A run from its options to its end --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every program that trains does around the loop, whatever it trains on:
// checks the options, opens the files, puts parameters and state in place, and
// says how the run ended.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_TRAININGRUN_H
#define ACCRUE_RUNTIME_TRAINING_TRAININGRUN_H

#include "runtime/training/Data.h"
#include "runtime/training/TrainingLoop.h"
#include "runtime/training/Weights.h"

namespace accrue {

/// The options of a run, as given.
struct RunRequest {
  /// The program that runs, for warnings.
  std::string program;
  DataFiles data, evalData;
  /// Files to start from and to write; empty for none.
  std::string init, resume, save, log;
  /// How `init` is read.
  WeightOptions weights;
  std::optional<int64_t> steps, saveEvery, evalEvery, logEvery, seed;
  bool keepTail = true;
};

/// Whether the options make sense together; a failure is wrong usage.
io::Status checkRequest(const RunRequest &request);

/// The number of steps in all. Fails, as wrong usage, where nobody says.
io::Result<int64_t> getSteps(const RunRequest &request, int64_t modelSteps);

class TrainingRun {
public:
  /// `request` has passed `checkRequest`.
  TrainingRun(RunRequest request, RunModel model)
      : request(std::move(request)), model(std::move(model)) {}

  /// Opens the data.
  io::Status open();

  /// The programs that the data ask for: the step of the whole batch first.
  std::vector<ProgramInfo> getPrograms() const;
  const io::DataLoader &getData() const { return *data; }
  /// Null without --eval-data.
  const io::DataLoader *getEvalData() const {
    return evalData ? &*evalData : nullptr;
  }
  /// See RunModel::config; for who knows it only once the model is compiled.
  void setConfig(std::string config) { model.config = std::move(config); }
  /// How batches are made of the data.
  const io::SamplerOptions &getSampling() const { return sampling; }
  /// Optimizer steps in all.
  int64_t getSteps() const { return model.steps; }

  /// Trains on `executable`, which has the programs of `getPrograms`, and
  /// reports on stderr. `begin` and `explain` are as in TrainingOptions.
  /// Returns the exit status of the process, which is that of a signal where
  /// one has stopped the run.
  io::Result<int> train(Executable &executable, InspectStep begin = nullptr,
                        InspectStep explain = nullptr);

private:
  io::Status prepareState(Executable &executable);

  RunRequest request;
  RunModel model;
  io::SamplerOptions sampling;
  std::optional<io::DataLoader> data, evalData;
  RunState state;
};

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_TRAININGRUN_H
