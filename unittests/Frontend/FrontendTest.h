//===- FrontendTest.h - Fixture of the front end's tests --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds a model file as text and collects what is reported about it as lines
// of the form `3:7: error: message`, notes following their error.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_UNITTESTS_FRONTEND_FRONTENDTEST_H
#define ACCRUE_UNITTESTS_FRONTEND_FRONTENDTEST_H

#include "accrue/Frontend/SourceLocations.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace accrue::frontend {

class FrontendTest : public testing::Test {
protected:
  FrontendTest()
      : handler(&context, [this](mlir::Diagnostic &diag) {
          record(diag);
          for (mlir::Diagnostic &note : diag.getNotes())
            record(note);
        }) {}

  /// Makes `text` the current file and forgets what was reported.
  llvm::StringRef setText(llvm::StringRef text) {
    reported.clear();
    unsigned id = sourceMgr.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "test.acr"), llvm::SMLoc());
    return sourceMgr.getMemoryBuffer(id)->getBuffer();
  }

  std::vector<std::string> reported;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  llvm::SourceMgr sourceMgr;
  SourceLocations locations{sourceMgr, &context};

private:
  void record(mlir::Diagnostic &diag) {
    std::string line;
    if (auto place = llvm::dyn_cast<mlir::FileLineColRange>(diag.getLocation()))
      line = std::to_string(place.getStartLine()) + ":" +
             std::to_string(place.getStartColumn()) + ": ";
    line += diag.getSeverity() == mlir::DiagnosticSeverity::Note ? "note: "
                                                                 : "error: ";
    reported.push_back(line + diag.str());
  }

  mlir::ScopedDiagnosticHandler handler;
};

/// What a test expects to be reported.
using Reports = std::vector<std::string>;

} // namespace accrue::frontend

#endif // ACCRUE_UNITTESTS_FRONTEND_FRONTENDTEST_H
