//===- PTX.cpp - CUDA C++ through nvcc ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTX.h"

#include "CommandLine.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace accrue;

std::optional<std::string> tool::findNVCC() {
  llvm::ErrorOr<std::string> nvcc = llvm::sys::findProgramByName("nvcc");
  if (!nvcc)
    nvcc = llvm::sys::findProgramByName("nvcc", {"/usr/local/cuda/bin"});
  return nvcc ? std::optional<std::string>(*nvcc) : std::nullopt;
}

FailureOr<std::string> tool::compileToPTX(ModuleOp planned,
                                          const cuda::ExportOptions &options) {
  std::optional<std::string> nvcc = findNVCC();
  if (!nvcc) {
    reportError("--emit ptx needs nvcc, which is not in PATH");
    return failure();
  }
  SmallString<128> folder;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("accrue", folder)) {
    reportError("cannot create a temporary folder: " + error.message());
    return failure();
  }
  llvm::scope_exit cleanUp([&] { llvm::sys::fs::remove_directories(folder); });
  SmallString<128> source(folder), ptx(folder);
  llvm::sys::path::append(source, "model.cu");
  llvm::sys::path::append(ptx, "model.ptx");
  if (failed(cuda::emitCUDA(planned, options, source)))
    return failure();
  if (llvm::sys::ExecuteAndWait(*nvcc,
                                {*nvcc, "-std=c++17", "-arch=sm_80", "-ptx",
                                 "-o", ptx.str(), source.str()}) != 0) {
    reportError("nvcc failed");
    return failure();
  }
  auto buffer = llvm::MemoryBuffer::getFile(ptx);
  if (!buffer) {
    reportError("nvcc has written no PTX");
    return failure();
  }
  return (*buffer)->getBuffer().str();
}
