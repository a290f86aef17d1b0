//===- Output.cpp - Where artefacts go ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"

#include "runtime/io/AtomicFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace accrue;
using namespace accrue::tool;

int tool::writeOutput(const CommandLine &options, StringRef text) {
  std::string path = options.output.empty() ? "-" : options.output.getValue();
  bool isSpecial = path == "-" || (llvm::sys::fs::exists(path) &&
                                   !llvm::sys::fs::is_regular_file(path));
  if (!isSpecial) {
    io::Status status = io::writeFileAtomically(path, text);
    return status ? kSuccess : reportError(status.message());
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
    return reportError((path == "-" ? "stdout" : path) +
                       ": cannot write: " + error.message());
  return kSuccess;
}
