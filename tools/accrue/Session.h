//===- Session.h - What every command starts with ---------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_SESSION_H
#define ACCRUE_TOOLS_ACCRUE_SESSION_H

#include "CommandLine.h"
#include "accrue/Dialect/Train/Signature.h"
#include "accrue/Driver/BatchOptions.h"
#include "accrue/Driver/ModelInput.h"
#include "accrue/Pipelines/Pipelines.h"
#include "runtime/training/Executable.h"

namespace accrue::tool {

/// The model of a command, and the options that say how it is compiled.
class Session {
public:
  explicit Session(const CommandLine &options);

  /// Loads the model and checks the options against it. Returns kSuccess, or
  /// after an error the exit status.
  int start();

  /// Splits the batch into micro-batches of `microBatch` samples.
  void split(int64_t microBatch, train::RematPolicy remat);

  /// Samples in the largest micro-batch of the step.
  int64_t getLargestMicroBatch() const;

  /// The program of `program`: the step of the logical batch as asked for,
  /// every other in micro-batches no larger.
  PipelineOptions getOptions(const ProgramInfo &program) const;

  /// Chooses `kinds`, by --entries where it is given. Returns the exit status.
  int chooseKinds(llvm::ArrayRef<ProgramKind> byDefault);

  /// The programs of all kinds for all sizes of --batch.
  llvm::SmallVector<ProgramInfo> getPrograms() const;

  /// The step at which the model's schedule ends; 0 for none.
  int64_t getLastStep() const {
    return signature.schedule ? signature.schedule.getLastStep() : 0;
  }

  /// Warns where the batch is not the model's, on which the learning rate does
  /// not depend.
  void warnOfLearningRate() const;

  /// A hash of all that decides the bits of a step: the model with its training
  /// options, the split of the batch, recomputation and target.
  std::string hashStep(llvm::StringRef target) const;

  const CommandLine &options;
  mlir::MLIRContext context;
  std::unique_ptr<ModelInput> input;
  /// With the batch resolved; empty before `start`.
  BatchOptions batch;
  /// All sizes of --batch: B, then those of further entry points.
  std::vector<int64_t> batches;
  /// What is compiled for a batch.
  llvm::SmallVector<ProgramKind, 3> kinds = {ProgramKind::Step};
  /// How the micro-batches cut B.
  llvm::SmallVector<MicroBatchSpan, 2> spans;
  PipelineOptions pipeline;
  train::Signature signature;
};

/// `word`, checked against `words`; prints a usage error for the option `name`
/// where it is none of them.
bool checkWord(llvm::StringRef name, llvm::StringRef word,
               llvm::ArrayRef<llvm::StringRef> words);

/// Checks --target.
bool checkTarget(const CommandLine &options);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_SESSION_H
