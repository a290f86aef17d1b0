//===- CommandLine.h - The options of accrue --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All options of all commands. What several commands have is one option here,
// registered with each of them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_COMMANDLINE_H
#define ACCRUE_TOOLS_ACCRUE_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"
#include <string>

namespace accrue::tool {

/// How a command ends; see `accrue --help`.
enum ExitCode { kSuccess = 0, kFailure = 1, kUsage = 2 };

/// Prints `accrue: error: MESSAGE` and returns `kUsage`.
int usageError(const llvm::Twine &message);
/// Prints `accrue: error: MESSAGE` and returns `kFailure`.
int reportError(const llvm::Twine &message);

class CommandLine {
public:
  CommandLine();

  /// Parses the arguments of the program. Prints an error and returns false
  /// where they are not understood.
  bool parse(int argc, char **argv);

  llvm::cl::SubCommand compile, train, eval, verify, generate, bench, build;

private:
  llvm::cl::OptionCategory category;
  std::string stages;

public:
  // The model.
  llvm::cl::opt<std::string> model, modelName;
  llvm::cl::list<std::string> overrides;
  // The batch.
  llvm::cl::list<long> batch, evalBatch, microBatches;
  llvm::cl::opt<long> microBatch, accumulate;
  llvm::cl::opt<std::string> memory, batchNorm, coupled, gatherLimit,
      plantFault, remat, tail;
  // What to print.
  llvm::cl::opt<std::string> emit, explain, output;
  llvm::cl::list<std::string> entries;
  llvm::cl::opt<bool> selfContained, noGraph, ema, checkNumerics;
  llvm::cl::opt<std::string> compileTarget;
  // Data and runs.
  llvm::cl::opt<std::string> target, benchTarget;
  llvm::cl::list<std::string> data, evalData;
  llvm::cl::opt<std::string> load, init, resume, save, log;
  llvm::cl::opt<std::string> initPrefix;
  llvm::cl::list<std::string> initIgnore, initTranspose;
  llvm::cl::opt<long> steps, saveEvery, evalEvery, logEvery;
  llvm::cl::opt<long> seed;
  // Generated text.
  llvm::cl::opt<std::string> prompt, vocabulary;
  llvm::cl::opt<long> tokens, topK;
  llvm::cl::opt<double> temperature;
  // Measurements.
  llvm::cl::opt<long> repeat;
  // Programs for a GPU.
  llvm::cl::list<std::string> arch;
  llvm::cl::opt<std::string> keep;
  llvm::cl::opt<bool> json;

private:
  bool checkArguments(int argc, char **argv);
};

/// The commands; each returns the exit status.
int runCompile(const CommandLine &options);
int runTrain(const CommandLine &options);
int runEval(const CommandLine &options);
int runGenerate(const CommandLine &options);
int runVerify(const CommandLine &options);
int runBench(const CommandLine &options);
int runBuild(const CommandLine &options);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_COMMANDLINE_H
