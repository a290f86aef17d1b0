//===- Executables.cpp - Programs for a target ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executables.h"

#include "accrue/Target/CPU/CPUExecutable.h"
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
  bool interpreted = session.options.target == "reference";
  SmallVector<OwningOpRef<ModuleOp>> modules;
  for (const ProgramInfo &program : programs) {
    FailureOr<OwningOpRef<ModuleOp>> module =
        compileTo(interpreted ? Phase::Optimized : Phase::Planned,
                  session.input->getModule(), session.getOptions(program));
    if (failed(module))
      return nullptr;
    modules.push_back(std::move(*module));
  }
  if (interpreted) {
    std::vector<ReferenceProgram> interpretable;
    for (auto [program, module] : llvm::zip_equal(programs, modules))
      interpretable.push_back({program, std::move(module)});
    return createReferenceExecutable(std::move(interpretable));
  }
  std::vector<cpu::Program> native;
  for (auto [program, module] : llvm::zip_equal(programs, modules))
    native.push_back({*module, program.kind});
  FailureOr<std::unique_ptr<Executable>> executable =
      cpu::createExecutable(native);
  return succeeded(executable) ? std::move(*executable) : nullptr;
}
