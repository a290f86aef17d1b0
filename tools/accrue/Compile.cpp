//===- Compile.cpp - accrue compile ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAPrograms.h"
#include "MicroStatistics.h"
#include "Output.h"
#include "PTX.h"
#include "Plan.h"

#include "accrue/Target/CPU/CodeGen.h"
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
  cuda::ExportOptions options = getExportOptions(session);
  if (phase == Phase::PTX) {
    // It comes from a file that exists for a moment only.
    options.selfContained = true;
    FailureOr<std::string> text = compileToPTX(planned, options);
    return succeeded(text) ? writeOutput(session.options, *text) : kFailure;
  }
  const std::string &output = session.options.output;
  StringRef path = output.empty() ? "-" : StringRef(output);
  if (phase == Phase::CUDA)
    return succeeded(cuda::emitCUDA(planned, options, path)) ? kSuccess
                                                             : kFailure;
  FailureOr<cuda::DriverOptions> driver = getDriverOptions(session);
  if (failed(driver))
    return kFailure;
  return succeeded(cuda::emitCUDA(planned, options, path, &*driver)) ? kSuccess
                                                                     : kFailure;
}

/// Stops after the phase of --emit and prints it.
static int emitPhase(Session &session, Phase phase) {
  std::vector<ProgramInfo> programs;
  if (int status = getEmittedPrograms(session, phase, programs))
    return status;
  if (int status = fitMemory(session, programs))
    return status;
  // What somebody will run, rather than look at.
  if (phase > Phase::Planned)
    if (int status = warnOfMicroStatistics(session))
      return status;
  FailureOr<OwningOpRef<ModuleOp>> module =
      compileTo(std::min(phase, Phase::Planned), session.input->getModule(),
                llvm::map_to_vector(programs, [&](const ProgramInfo &program) {
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
  case Phase::CUDADriver:
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
    if (*option && options.emit != "cuda" && options.emit != "cuda-driver")
      return usageError("expected --emit cuda with --" + option->ArgStr);
  if (!options.evalData.empty() && options.emit != "cuda" &&
      options.emit != "cuda-driver")
    return usageError("expected --emit cuda with --eval-data");
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
  return emitPhase(session, findPhase(options.emit).phase);
}
