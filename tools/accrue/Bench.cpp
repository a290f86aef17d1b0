//===- Bench.cpp - accrue bench -------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the CPU the step and each of its kernels are compiled and measured here.
// For CUDA the result is a program that measures itself where it is run.
//
//===----------------------------------------------------------------------===//

#include "Notes.h"
#include "Output.h"
#include "Plan.h"

#include "accrue/Benchmark/Benchmark.h"
#include "accrue/Target/CPU/CPUExecutable.h"
#include "accrue/Target/CUDA/Export.h"
#include "accrue/Training/Training.h"
#include "runtime/cpu/Parallel.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// The function of the planned step.
static func::FuncOp getStep(ModuleOp planned) {
  auto functions = planned.getOps<func::FuncOp>();
  return *llvm::find_if(functions, [](func::FuncOp function) {
    return function->hasAttr(kernel::attrs::kPlan);
  });
}

/// Compiles and measures the planned step of `session` on this processor.
static int measureOnCPU(Session &session, ModuleOp planned) {
  const CommandLine &options = session.options;
  FailureOr<std::vector<bench::IsolatedCall>> calls =
      bench::isolateCalls(getStep(planned));
  if (failed(calls))
    return kFailure;
  std::vector<cpu::Program> programs = {{planned, ProgramKind::Step}};
  for (const bench::IsolatedCall &call : *calls)
    programs.push_back({*call.program, ProgramKind::Step});
  FailureOr<std::unique_ptr<Executable>> executable =
      cpu::createExecutable(programs);
  if (failed(executable))
    return kFailure;
  if (io::Status status = initializeParameters(
          **executable, getInitializers(session.signature), options.seed);
      !status)
    return reportError(status.message());

  bench::Report report;
  report.model = session.input->getFunction().getSymName();
  report.target = "cpu";
  report.device = (llvm::sys::getHostCPUName() + ", " +
                   Twine(accrue_num_threads()) + " threads")
                      .str();
  report.batch = *session.batch.batch;
  report.microBatch = session.getLargestMicroBatch();
  bench::Options measurement;
  measurement.repeat = options.repeat;
  if (io::Status status =
          bench::measure(**executable, *calls, measurement, report);
      !status)
    return reportError(status.message());
  SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  if (options.json)
    report.printJSON(os);
  else
    report.printTable(os);
  return writeOutput(options, text);
}

/// Emits a program that measures the planned step of `session` where it runs.
static int emitForCUDA(const Session &session, ModuleOp planned) {
  const CommandLine &options = session.options;
  cuda::ExportOptions exportOptions;
  exportOptions.selfContained = options.selfContained;
  if (options.noGraph)
    exportOptions.graphs = cuda::GraphMode::none;
  exportOptions.notes = describeBuild(session);
  exportOptions.benchmark = true;
  exportOptions.microBatch = session.getLargestMicroBatch();
  StringRef path = options.output.empty() ? "-" : StringRef(options.output);
  return succeeded(cuda::emitCUDA(planned, exportOptions, path)) ? kSuccess
                                                                 : kFailure;
}

int tool::runBench(const CommandLine &options) {
  if (!checkWord("--target", options.benchTarget, {"cpu", "cuda"}))
    return kUsage;
  if (options.repeat.getNumOccurrences() > 0 && options.repeat <= 0)
    return usageError("expected --repeat to be positive, got " +
                      Twine(options.repeat.getValue()));
  Session session(options);
  if (int status = session.start())
    return status;
  if (session.batches.size() > 1)
    return usageError("expected one size of --batch with bench");
  ProgramInfo program = {ProgramKind::Step, *session.batch.batch};
  bool isCUDA = options.benchTarget == "cuda";
  if (isCUDA && options.repeat.getNumOccurrences() > 0)
    return usageError("expected --repeat with --target cpu: the program of "
                      "--target cuda has an option of its own");
  if (isCUDA)
    session.pipeline.planning = cuda::getPlanOptions();
  if (int status = fitMemory(session, program))
    return status;
  FailureOr<OwningOpRef<ModuleOp>> planned = compileTo(
      Phase::Planned, session.input->getModule(), session.getOptions(program));
  if (failed(planned))
    return kFailure;
  return isCUDA ? emitForCUDA(session, **planned)
                : measureOnCPU(session, **planned);
}
