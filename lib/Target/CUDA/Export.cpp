//===- Export.cpp - From the planned level to files -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass pipeline of the CUDA target and the writing of its files: all texts
// are complete before any file is opened.
//
//===----------------------------------------------------------------------===//

#include "accrue/Target/CUDA/Export.h"
#include "accrue/Conversion/KernelToCUDA/Passes.h"
#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

kernel::PlanMemoryOptions accrue::cuda::getPlanOptions() {
  return {/*staging=*/2, /*workspace=*/true};
}

void accrue::cuda::buildToCUDAPipeline(OpPassManager &pm, GraphMode graphs,
                                       bool benchmark) {
  pm.addPass(createKernelsToCUDA());
  pm.addNestedPass<KernelOp>(createWidenHalves());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLinearizeMemrefs());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCountMicroBatches());
  pm.addPass(createShareArenas());
  pm.addPass(createOutlineSegments());
  pm.addPass(createMergeKernels());
  pm.addPass(createChooseGraphs({graphs}));
  if (benchmark)
    pm.addPass(createIsolateCalls());
  pm.addPass(createNameValues());
}

/// Writes `text` beside `path` and returns the temporary file's name.
static llvm::Expected<std::string> writeTemporary(StringRef path,
                                                  StringRef text) {
  SmallString<128> temporary;
  int descriptor = -1;
  if (std::error_code error = llvm::sys::fs::createUniqueFile(
          path + ".%%%%%%.tmp", descriptor, temporary, llvm::sys::fs::OF_None,
          llvm::sys::fs::all_read | llvm::sys::fs::owner_write))
    return llvm::errorCodeToError(error);
  llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << text;
  os.close();
  if (os.has_error()) {
    std::error_code error = os.error();
    os.clear_error();
    llvm::sys::fs::remove(temporary);
    return llvm::errorCodeToError(error);
  }
  return std::string(temporary);
}

/// Replaces all of `files` (path and text) or, as far as a file system allows,
/// none.
static llvm::Error
writeFiles(ArrayRef<std::pair<std::string, std::string>> files) {
  SmallVector<std::string> temporaries;
  auto cleanUp = [&](llvm::Error error) {
    for (const std::string &temporary : temporaries)
      llvm::sys::fs::remove(temporary);
    return error;
  };
  for (const auto &[path, text] : files) {
    // What a rename would fail on after another one has succeeded.
    if (llvm::sys::fs::is_directory(path))
      return cleanUp(llvm::createFileError(
          path, std::make_error_code(std::errc::is_a_directory)));
    llvm::Expected<std::string> temporary = writeTemporary(path, text);
    if (!temporary)
      return cleanUp(llvm::createFileError(path, temporary.takeError()));
    temporaries.push_back(*temporary);
  }
  for (auto [i, file] : llvm::enumerate(files))
    if (std::error_code error =
            llvm::sys::fs::rename(temporaries[i], file.first))
      return cleanUp(llvm::createFileError(file.first, error));
  return llvm::Error::success();
}

LogicalResult accrue::cuda::emitCUDA(ModuleOp planned,
                                     const ExportOptions &options,
                                     StringRef path,
                                     const DriverOptions *driver) {
  OwningOpRef<ModuleOp> module = planned.clone();
  PassManager pm(module->getContext());
  buildToCUDAPipeline(pm, options.graphs, options.benchmark);
  if (failed(pm.run(*module)))
    return failure();
  std::string source, header, program;
  llvm::raw_string_ostream sourceStream(source), headerStream(header),
      programStream(program);
  ExportOptions named = options;
  bool toFile = path != "-" && !path.empty();
  // The source includes the header by the name of the file.
  if (toFile)
    named.headerName = llvm::sys::path::stem(path).str() + ".h";
  if (failed(exportSource(*module, named, sourceStream)) ||
      failed(exportHeader(*module, named, headerStream)) ||
      (driver && failed(exportDriver(*module, named, *driver, programStream))))
    return failure();
  if (!toFile) {
    llvm::outs() << (driver ? program : source);
    return success();
  }
  std::string base =
      path.drop_back(llvm::sys::path::extension(path).size()).str();
  std::vector<std::pair<std::string, std::string>> files = {
      {path.str(), source}, {base + ".h", header}};
  if (driver)
    files.emplace_back(base + "_main.cpp", program);
  if (llvm::Error error = writeFiles(files))
    return planned.emitError("cannot write ")
           << llvm::toString(std::move(error));
  return success();
}
