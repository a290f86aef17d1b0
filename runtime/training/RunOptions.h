//===- RunOptions.h - The options of a run ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_RUNOPTIONS_H
#define ACCRUE_RUNTIME_TRAINING_RUNOPTIONS_H

#include "runtime/training/TrainingRun.h"

namespace accrue {

/// The options that `parseRunOptions` knows, for people.
extern const char kRunOptions[];

/// Whether the arguments ask for help.
bool asksForHelp(int argc, char **argv);

/// Reads the options of `accrue train` that concern a run from the arguments of
/// a process. Fails, as wrong usage, where they are not understood.
io::Result<RunRequest> parseRunOptions(int argc, char **argv);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_RUNOPTIONS_H
