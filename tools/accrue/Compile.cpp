//===- Compile.cpp - accrue compile ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "runtime/io/AtomicFile.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// The phase called `name`, which `getPhases` has.
static Phase findPhase(StringRef name) {
  return llvm::find_if(getPhases(),
                       [&](const PhaseInfo &info) { return info.name == name; })
      ->phase;
}

/// Writes an artefact to stdout or `-o`. A file appears whole or not at all.
static int writeOutput(const CommandLine &options, StringRef text) {
  std::string path = options.output.empty() ? "-" : options.output.getValue();
  bool isSpecial = path == "-" || (llvm::sys::fs::exists(path) &&
                                   !llvm::sys::fs::is_regular_file(path));
  if (!isSpecial) {
    io::Status status = io::writeFileAtomically(path, text);
    return status ? kSuccess : tool::failure(status.message());
  }
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << text;
    os.flush();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return tool::failure((path == "-" ? "stdout" : path) +
                         ": cannot write: " + error.message());
  return kSuccess;
}

/// Stops after the phase of --emit and prints it.
static int emitPhase(Session &session, Phase phase) {
  FailureOr<OwningOpRef<ModuleOp>> module =
      compileTo(phase, session.input->getModule(), session.pipeline);
  if (failed(module))
    return kFailure;
  std::string text;
  llvm::raw_string_ostream os(text);
  (*module)->print(os);
  return writeOutput(session.options, text);
}

int tool::runCompile(const CommandLine &options) {
  SmallVector<StringRef> phases;
  for (const PhaseInfo &info : getPhases())
    phases.push_back(info.name);
  if (!options.emit.empty() && !checkWord("--emit", options.emit, phases))
    return kUsage;
  Session session(options);
  if (int status = session.start())
    return status;
  return emitPhase(session, findPhase(options.emit));
}
