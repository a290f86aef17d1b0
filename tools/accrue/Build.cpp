//===- Build.cpp - accrue build -------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the program that trains and lets nvcc compile and link it. The program
// appears under its name when it is complete.
//
//===----------------------------------------------------------------------===//

#include "CUDAPrograms.h"
#include "MicroStatistics.h"
#include "Output.h"
#include "PTX.h"
#include "Plan.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

/// A file or folder beside that of the running program, `bin`.
static std::string getBeside(StringRef name) {
  static int anchor;
  SmallString<128> path(llvm::sys::path::parent_path(
      llvm::sys::fs::getMainExecutable(nullptr, &anchor)));
  llvm::sys::path::append(path, "..", name);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return std::string(path);
}

/// Emits the program to `path` (`model.cu`), its header and its main beside it.
static int emitProgram(const CommandLine &options, StringRef path) {
  Session session(options);
  session.pipeline.planning = cuda::getPlanOptions();
  if (int status =
          session.chooseKinds({ProgramKind::Step, ProgramKind::Evaluation}))
    return status;
  if (int status = session.start())
    return status;
  session.warnOfLearningRate();
  std::vector<ProgramInfo> programs;
  if (int status = getEmittedPrograms(session, Phase::CUDADriver, programs))
    return status;
  if (int status = fitMemory(session, programs))
    return status;
  if (int status = warnOfMicroStatistics(session))
    return status;
  FailureOr<OwningOpRef<ModuleOp>> planned =
      compileTo(Phase::Planned, session.input->getModule(),
                llvm::map_to_vector(programs, [&](const ProgramInfo &program) {
                  return session.getOptions(program);
                }));
  if (failed(planned))
    return kFailure;
  FailureOr<cuda::DriverOptions> driver = getDriverOptions(session);
  if (failed(driver))
    return kFailure;
  return succeeded(cuda::emitCUDA(**planned, getExportOptions(session), path,
                                  &*driver))
             ? kSuccess
             : kFailure;
}

/// Compiles and links the sources at `base` (without extension) to `program`.
static int runNVCC(const CommandLine &options, const std::string &nvcc,
                   StringRef base, StringRef program) {
  std::vector<std::string> arguments = {nvcc, "-std=c++17", "-O3"};
  SmallVector<std::string> archs(options.arch.begin(), options.arch.end());
  if (archs.empty())
    archs = {"sm_80", "sm_90"};
  for (StringRef arch : archs)
    arguments.push_back(
        ("-gencode=arch=compute_" + arch.drop_front(3) + ",code=" + arch)
            .str());
  arguments.insert(arguments.end(),
                   {"-I", ACCRUE_SOURCE_DIR, (base + ".cu").str(),
                    (base + "_main.cpp").str(), "-L", getBeside("lib"),
                    "-lAccrueTrainingRuntime", "-lAccrueIO", "-lfmt",
                    "-lcublasLt", "-o", program.str()});
  std::string error;
  int status = llvm::sys::ExecuteAndWait(
      nvcc, SmallVector<StringRef>(arguments.begin(), arguments.end()),
      std::nullopt, {}, 0, 0, &error);
  if (status != 0)
    return reportError("nvcc failed" + (error.empty() ? "" : ": " + error));
  return kSuccess;
}

int tool::runBuild(const CommandLine &options) {
  if (options.output.empty())
    return usageError("expected -o with the program's name");
  if (!checkWord("--tail", options.tail, {"keep", "drop"}))
    return kUsage;
  for (StringRef arch : options.arch) {
    // A letter may follow the number, as in sm_90a.
    StringRef number = arch;
    unsigned value;
    if (!number.consume_front("sm_") || number.consumeInteger(10, value) ||
        number.size() > 1)
      return usageError("expected --arch like sm_90, got '" + arch + "'");
  }
  std::optional<std::string> nvcc = findNVCC();
  if (!nvcc)
    return reportError("accrue build needs nvcc, which is not in PATH: emit "
                       "the sources with 'accrue compile --emit cuda-driver' "
                       "and build them where CUDA is installed");
  SmallString<128> folder(options.keep.getValue());
  bool isKept = !folder.empty();
  if (std::error_code error =
          isKept ? llvm::sys::fs::create_directories(folder)
                 : llvm::sys::fs::createUniqueDirectory("accrue", folder))
    return reportError("cannot create a folder for the sources: " +
                       error.message());
  llvm::scope_exit cleanUp([&] {
    if (!isKept)
      llvm::sys::fs::remove_directories(folder);
  });
  SmallString<128> base(folder);
  llvm::sys::path::append(base, llvm::sys::path::stem(options.model));
  if (int status = emitProgram(options, (base + ".cu").str()))
    return status;

  // In the folder of the result, so that it can be renamed.
  SmallString<128> program;
  if (std::error_code error = llvm::sys::fs::createUniqueFile(
          options.output + ".%%%%%%.tmp", program))
    return reportError("cannot write " + options.output + ": " +
                       error.message());
  int status = runNVCC(options, *nvcc, base, program);
  if (status == kSuccess)
    if (std::error_code error =
            llvm::sys::fs::rename(program, options.output.getValue()))
      status = reportError("cannot write " + options.output + ": " +
                           error.message());
  if (status != kSuccess)
    llvm::sys::fs::remove(program);
  return status;
}
