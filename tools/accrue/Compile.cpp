//===- Compile.cpp - accrue compile ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "accrue/Driver/ModelInput.h"
#include "accrue/Driver/Suggestions.h"
#include "accrue/Pipelines/Pipelines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// The phase called `name`; none after an error.
static std::optional<Phase> findPhase(StringRef name) {
  SmallVector<StringRef> names;
  for (const PhaseInfo &info : getPhases()) {
    if (info.name == name)
      return info.phase;
    names.push_back(info.name);
  }
  StringRef nearest = suggestWord(name, names);
  usageError("unknown stage '" + name + "' of --emit" +
             (nearest.empty() ? ": expected " + llvm::join(names, ", ")
                              : ": did you mean '" + nearest.str() + "'?"));
  return std::nullopt;
}

int tool::runCompile(const CommandLine &options) {
  std::optional<Phase> phase = findPhase(options.emit);
  if (!phase)
    return kUsage;
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::unique_ptr<ModelInput> input =
      ModelInput::load(options.model, {}, &context);
  if (!input)
    return kFailure;
  PipelineOptions pipeline;
  FailureOr<OwningOpRef<ModuleOp>> module =
      compileTo(*phase, input->getModule(), pipeline);
  if (failed(module))
    return kFailure;
  std::error_code error;
  std::string path = options.output.empty() ? "-" : options.output.getValue();
  llvm::ToolOutputFile file(path, error, llvm::sys::fs::OF_None);
  if (error)
    return tool::failure(path + ": " + error.message());
  (*module)->print(file.os());
  file.keep();
  return kSuccess;
}
