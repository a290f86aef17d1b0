//===- Executables.h - Programs for a target --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_EXECUTABLES_H
#define ACCRUE_TOOLS_ACCRUE_EXECUTABLES_H

#include "Session.h"
#include "runtime/training/Data.h"
#include "runtime/training/Weights.h"

namespace accrue::tool {

/// Input names and files of --data or --eval-data. False after a usage error.
bool parseDataFiles(const llvm::cl::list<std::string> &option,
                    DataFiles &files);

/// How the file of --init is read.
WeightOptions getWeightOptions(const CommandLine &options);

/// Checks that --load or --init of `command`, which needs weights, is given.
/// Returns kSuccess or kUsage.
int checkWeights(const CommandLine &options, llvm::StringRef command);

/// Reads the weights of --load or --init to evaluate them. Returns the exit
/// status.
int readWeights(const CommandLine &options, Executable &executable);

/// The samples in the files of --data (which are shuffled) or --eval-data; 0
/// without files. Returns the exit status.
int countSamples(const Session &session,
                 const llvm::cl::list<std::string> &option, bool shuffled,
                 int64_t &samples);

/// Compiles `programs` of the session's model for the target of --target and
/// loads them. Null after an error.
std::unique_ptr<Executable>
buildExecutable(Session &session, llvm::ArrayRef<ProgramInfo> programs);

/// The same for steps of the logical batch that are compiled in different ways.
std::unique_ptr<Executable>
buildExecutable(Session &session, llvm::ArrayRef<PipelineOptions> variants);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_EXECUTABLES_H
