//===- Output.h - Where artefacts go ----------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_OUTPUT_H
#define ACCRUE_TOOLS_ACCRUE_OUTPUT_H

#include "CommandLine.h"

namespace accrue::tool {

/// Writes an artefact to stdout or `-o`. A file appears whole or not at all.
/// Returns the exit status.
int writeOutput(const CommandLine &options, llvm::StringRef text);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_OUTPUT_H
