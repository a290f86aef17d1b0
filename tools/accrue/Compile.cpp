//===- Compile.cpp - accrue compile ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Notes.h"
#include "Output.h"
#include "PTX.h"
#include "Plan.h"

#include "accrue/Target/CPU/CodeGen.h"
#include "accrue/Target/CUDA/Export.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// The phase called `name`, which `getPhases` has.
static const PhaseInfo &findPhase(StringRef name) {
  return *llvm::find_if(
      getPhases(), [&](const PhaseInfo &info) { return info.name == name; });
}

/// Sets the target of `session` from --target and --emit, which may not
/// contradict each other. Returns the exit status.
static int chooseTarget(Session &session) {
  const CommandLine &options = session.options;
  StringRef target = options.compileTarget.getValue();
  if (!target.empty() && !checkWord("--target", target, {"cpu", "cuda"}))
    return kUsage;
  if (!options.emit.empty()) {
    StringRef needed = findPhase(options.emit).target;
    if (target.empty())
      target = needed;
    if (!needed.empty() && target != needed)
      return usageError("expected --target " + needed + " with --emit " +
                        options.emit + ", got " + target);
  }
  if (target != "cuda") {
    if (!options.entries.empty())
      return usageError("expected --target cuda with --entries");
    if (!options.evalBatch.empty())
      return usageError("expected --target cuda with --eval-batch");
    return kSuccess;
  }
  session.pipeline.planning = cuda::getPlanOptions();
  return session.chooseKinds(
      {ProgramKind::Step, ProgramKind::Gradients, ProgramKind::Evaluation});
}

/// Emits CUDA C++ or PTX from the planned program.
static int emitForGPU(const Session &session, ModuleOp planned, Phase phase) {
  const CommandLine &options = session.options;
  cuda::ExportOptions exportOptions;
  // PTX comes from a file that exists for a moment only.
  exportOptions.selfContained = options.selfContained || phase == Phase::PTX;
  if (options.noGraph)
    exportOptions.graphs = cuda::GraphMode::none;
  exportOptions.notes = describeBuild(session);
  StringRef path = options.output.empty() ? "-" : StringRef(options.output);
  if (phase == Phase::CUDA)
    return succeeded(cuda::emitCUDA(planned, exportOptions, path)) ? kSuccess
                                                                   : kFailure;
  FailureOr<std::string> text = compileToPTX(planned, exportOptions);
  return succeeded(text) ? writeOutput(options, *text) : kFailure;
}

/// Stops after the phase of --emit and prints it.
static int emitPhase(Session &session, Phase phase) {
  FailureOr<OwningOpRef<ModuleOp>> module =
      compileTo(std::min(phase, Phase::Planned), session.input->getModule(),
                llvm::map_to_vector(session.getPrograms(),
                                    [&](const ProgramInfo &program) {
                                      return session.getOptions(program);
                                    }));
  if (failed(module))
    return kFailure;
  SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  switch (phase) {
  case Phase::LLVM:
    if (failed(cpu::emitLLVM(**module, os)))
      return kFailure;
    break;
  case Phase::Object:
    if (failed(cpu::emitObject(**module, os)))
      return kFailure;
    break;
  case Phase::CUDA:
  case Phase::PTX:
    return emitForGPU(session, **module, phase);
  default:
    (*module)->print(os);
  }
  return writeOutput(session.options, text);
}

/// Options of emitted CUDA C++ say nothing about other stages.
static int checkCUDAOptions(const CommandLine &options) {
  for (const llvm::cl::opt<bool> *option :
       {&options.selfContained, &options.noGraph})
    if (*option && options.emit != "cuda")
      return usageError("expected --emit cuda with --" + option->ArgStr);
  return kSuccess;
}

int tool::runCompile(const CommandLine &options) {
  SmallVector<StringRef> phases;
  for (const PhaseInfo &info : getPhases())
    phases.push_back(info.name);
  if (!options.emit.empty() && !checkWord("--emit", options.emit, phases))
    return kUsage;
  if (!options.explain.empty() &&
      !checkWord("--explain", options.explain,
                 {"scaling", "batch", "memory", "all"}))
    return kUsage;
  if (!options.emit.empty() && !options.explain.empty())
    return usageError("expected one of --emit and --explain, got both");
  if (!checkWord("--tail", options.tail, {"keep", "drop"}))
    return kUsage;
  if (int status = checkCUDAOptions(options))
    return status;
  Session session(options);
  if (int status = chooseTarget(session))
    return status;
  if (int status = session.start())
    return status;
  if (options.emit.empty() && session.batches.size() > 1)
    return usageError("expected --emit with several sizes of --batch");
  if (options.emit.empty())
    return printPlanAndReasons(session);
  if (int status = fitMemory(session, session.getPrograms()))
    return status;
  return emitPhase(session, findPhase(options.emit).phase);
}
