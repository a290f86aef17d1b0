//===- Executables.cpp - Programs for a target ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executables.h"

#include "accrue/Target/Reference/ReferenceExecutable.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

bool tool::parseDataFiles(const llvm::cl::list<std::string> &option,
                          DataFiles &files) {
  for (const std::string &text : option) {
    auto [name, path] = StringRef(text).split('=');
    if (name.empty() || path.empty()) {
      usageError("expected --" + option.ArgStr + " input=file,..., got '" +
                 text + "'");
      return false;
    }
    files.emplace_back(name.trim(), path);
  }
  return true;
}

std::unique_ptr<Executable>
tool::buildExecutable(Session &session, ArrayRef<ProgramInfo> programs) {
  std::vector<ReferenceProgram> compiled;
  for (const ProgramInfo &program : programs) {
    FailureOr<OwningOpRef<ModuleOp>> module =
        compileTo(Phase::Optimized, session.input->getModule(),
                  session.getOptions(program));
    if (failed(module))
      return nullptr;
    compiled.push_back({program, std::move(*module)});
  }
  return createReferenceExecutable(std::move(compiled));
}
