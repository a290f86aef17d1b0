//===- StandardLibrary.cpp - Functions every model sees -------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The files become buffers of the source manager, so that errors in a function
// show its lines.
//
//===----------------------------------------------------------------------===//

#include "StandardLibrary.h"

#include "accrue/Frontend/Parser.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace accrue::frontend {

namespace {

struct LibraryFile {
  StringLiteral name;
  StringLiteral text;
};

constexpr LibraryFile files[] = {
#include "StandardLibrary.inc"
};

} // namespace

Program parseStandardLibrary(llvm::SourceMgr &sourceMgr,
                             const SourceLocations &locations,
                             ASTContext &context) {
  auto findText = [&](StringRef name) -> StringRef {
    for (unsigned id = 1; id <= sourceMgr.getNumBuffers(); ++id)
      if (sourceMgr.getMemoryBuffer(id)->getBufferIdentifier() == name)
        return sourceMgr.getMemoryBuffer(id)->getBuffer();
    unsigned id = sourceMgr.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(
            llvm::find_if(
                files,
                [&](const LibraryFile &file) { return file.name == name; })
                ->text,
            name),
        llvm::SMLoc());
    return sourceMgr.getMemoryBuffer(id)->getBuffer();
  };
  SmallVector<const FunctionDecl *> functions;
  for (const LibraryFile &file : files) {
    FailureOr<Program> program =
        parseProgram(findText(file.name), locations, context);
    if (failed(program))
      llvm::report_fatal_error("the standard library does not parse");
    llvm::append_range(functions, program->functions);
  }
  Program library{};
  library.functions = context.copy<const FunctionDecl *>(functions);
  return library;
}

} // namespace accrue::frontend
