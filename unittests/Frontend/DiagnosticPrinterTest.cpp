//===- DiagnosticPrinterTest.cpp - Tests of printed errors ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole texts are compared: they are what users see.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/DiagnosticPrinter.h"
#include "accrue/Frontend/Frontend.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace accrue;

namespace {

class DiagnosticPrinterTest : public testing::Test {
protected:
  void setText(StringRef text) {
    sourceMgr.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "m.acr"), llvm::SMLoc());
  }

  Location at(unsigned line, unsigned column, unsigned endLine,
              unsigned endColumn) {
    return FileLineColRange::get(StringAttr::get(&context, "m.acr"), line,
                                 column, endLine, endColumn);
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  llvm::SourceMgr sourceMgr;
  std::string text;
  llvm::raw_string_ostream os{text};
};

TEST_F(DiagnosticPrinterTest, underlinesTheRange) {
  setText("a\n  logits = scale * (image @ text.T)\n");
  DiagnosticPrinter printer(sourceMgr, &context, os);
  emitError(at(2, 21, 2, 35), "loss couples samples");
  EXPECT_EQ(text, "m.acr:2:21: error: loss couples samples\n"
                  "    2 |   logits = scale * (image @ text.T)\n"
                  "      |                     ^~~~~~~~~~~~~~\n");
  EXPECT_EQ(printer.getNumErrors(), 1u);
}

TEST_F(DiagnosticPrinterTest, notesAndPlacesWithoutALine) {
  setText("first\nsecond\n");
  DiagnosticPrinter printer(sourceMgr, &context, os);
  InFlightDiagnostic diag = emitError(at(1, 1, 1, 6), "wrong");
  diag.attachNote(at(2, 1, 2, 1)) << "here";
  diag.attachNote(at(2, 1, 2, 1)) << "the same place";
  diag.attachNote(UnknownLoc::get(&context)) << "nowhere";
  diag.attachNote(FileLineColLoc::get(&context, "other.acr", 7, 3)) << "there";
  diag.attachNote(at(9, 1, 9, 2)) << "past the end";
  diag.report();
  EXPECT_EQ(text, "m.acr:1:1: error: wrong\n"
                  "    1 | first\n"
                  "      | ^~~~~\n"
                  "m.acr:2:1: note: here\n"
                  "    2 | second\n"
                  "      | ^\n"
                  "m.acr:2:1: note: the same place\n"
                  "note: nowhere\n"
                  "other.acr:7:3: note: there\n"
                  "m.acr:9:1: note: past the end\n");
}

TEST_F(DiagnosticPrinterTest, severalLinesTabsAndWideCharacters) {
  setText("\tab = (1 +\n 2)\né = x\n");
  DiagnosticPrinter printer(sourceMgr, &context, os);
  emitWarning(at(1, 7, 2, 4), "long");
  emitRemark(at(3, 6, 3, 7), "wide");
  EXPECT_EQ(text, "m.acr:1:7: warning: long\n"
                  "    1 |  ab = (1 +\n"
                  "      |       ^~~~\n"
                  "m.acr:3:6: remark: wide\n"
                  "    3 | é = x\n"
                  "      |     ^\n");
  EXPECT_EQ(printer.getNumErrors(), 0u);
}

TEST_F(DiagnosticPrinterTest, callsFollow) {
  setText("def f(a) { return b }\n"
          "model m(x: f32[batch]) {\n"
          "  loss mean(f(x))\n"
          "}\n");
  DiagnosticPrinter printer(sourceMgr, &context, os);
  EXPECT_FALSE(parseModelFile(sourceMgr, &context));
  EXPECT_EQ(text, "m.acr:1:19: error: unknown name 'b'\n"
                  "    1 | def f(a) { return b }\n"
                  "      |                   ^\n"
                  "m.acr:3:13: note: called from here\n"
                  "    3 |   loss mean(f(x))\n"
                  "      |             ^~~~\n");
}

} // namespace
