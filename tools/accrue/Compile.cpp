//===- Compile.cpp - accrue compile ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executables.h"
#include "PTX.h"
#include "Plan.h"

#include "accrue/Target/CPU/CodeGen.h"
#include "accrue/Target/CUDA/Export.h"
#include "accrue/Target/Describe.h"
#include "accrue/Training/Training.h"
#include "runtime/io/AtomicFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;
using llvm::formatv;

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

/// The programs of --emit: the step, and one for every further size of --batch.
static SmallVector<PipelineOptions> getEmittedPrograms(const Session &session) {
  SmallVector<PipelineOptions> programs;
  for (int64_t batch : session.batches)
    programs.push_back(session.getOptions({ProgramKind::Step, batch}));
  return programs;
}

/// Emits CUDA C++ or PTX from the planned program.
static int emitForGPU(const Session &session, ModuleOp planned, Phase phase) {
  const CommandLine &options = session.options;
  cuda::ExportOptions exportOptions;
  exportOptions.selfContained = true;
  exportOptions.notes.push_back(
      "compiled from " +
      llvm::sys::path::filename(options.model.getValue()).str());
  exportOptions.notes.push_back(formatv("{0} samples per optimizer step = {1}",
                                        *session.batch.batch,
                                        formatSpans(session.spans)));
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
                getEmittedPrograms(session));
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

/// The samples in the files of --data.
static io::Result<int64_t> countSamples(const Session &session,
                                        const DataFiles &files) {
  FailureOr<std::vector<InputInfo>> inputs =
      describeInputs(session.input->getFunction(), session.signature);
  if (failed(inputs))
    return io::fail("the inputs cannot be read from files");
  io::Result<io::DataLoader> data = openEvalData(*inputs, files);
  if (!data)
    return data.status();
  return data->samples();
}

/// Prints the plan and what --explain asks for.
static int explainPlan(Session &session) {
  const CommandLine &options = session.options;
  auto explains = [&](StringRef topic) {
    return options.explain == topic || options.explain == "all";
  };
  DataFiles files;
  if (!parseDataFiles(options.data, files))
    return kUsage;
  std::optional<EpochPlan> epoch;
  std::vector<ProgramInfo> programs = {
      {ProgramKind::Step, *session.batch.batch}};
  int64_t samples = 0;
  if (!files.empty()) {
    io::Result<int64_t> counted = countSamples(session, files);
    if (!counted)
      return reportError(counted.message());
    samples = *counted;
    int64_t tail = samples % *session.batch.batch;
    if (tail > 0 && options.tail == "keep")
      programs.push_back({ProgramKind::Step, tail});
  }
  if (int status = fitMemory(session, programs))
    return status;
  if (samples > 0)
    epoch = planEpoch(session, samples, options.tail == "keep",
                      session.signature.schedule
                          ? session.signature.schedule.getLastStep()
                          : 0);
  FailureOr<AnalyzedStep> step = analyzeStep(session);
  if (failed(step))
    return kFailure;
  if (step->plan.loops > 1 &&
      *session.batch.batch > session.spans.front().size) {
    emitCoupled(step->plan, *session.batch.batch);
    return kFailure;
  }

  std::string text;
  llvm::raw_string_ostream os(text);
  os << session.input->getFunction().getSymName() << ": "
     << describeParameters(session.signature) << '\n';
  printPlan(session, *step, epoch, os);
  if (failed(printMemory(session, os)))
    return kFailure;
  if (explains("scaling")) {
    os << '\n';
    printScaling(explainScaling(step->function, step->plan), session.spans,
                 *session.batch.batch, os);
  }
  if (explains("batch")) {
    os << '\n';
    printBatchStates(step->function, step->plan, os);
  }
  if (explains("memory")) {
    FailureOr<MemoryPlan> plan = planMemory(session, programs.front());
    if (failed(plan))
      return kFailure;
    os << '\n';
    plan->printBuffers(os);
  }
  return writeOutput(options, text);
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
  Session session(options);
  if (int status = session.start())
    return status;
  if (options.emit.empty() && session.batches.size() > 1)
    return usageError("expected --emit with several sizes of --batch");
  if (options.emit.empty())
    return explainPlan(session);
  SmallVector<ProgramInfo> programs;
  for (int64_t batch : session.batches)
    programs.push_back({ProgramKind::Step, batch});
  if (int status = fitMemory(session, programs))
    return status;
  return emitPhase(session, findPhase(options.emit));
}
