//===- DiagnosticPrinter.h - Errors as people read them ---------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints diagnostics with the source line, its number, and the whole range
// underlined, which upstream's handler (a caret alone) does not do:
//
//   clip.acr:31:21: error: loss couples samples
//      31 |   logits = scale * (image @ text.T)
//         |                     ^~~~~~~~~~~~~~
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FRONTEND_DIAGNOSTICPRINTER_H
#define ACCRUE_FRONTEND_DIAGNOSTICPRINTER_H

#include "mlir/IR/Diagnostics.h"

namespace accrue {

/// Prints the diagnostics of `context` to `os` while it lives. Source lines are
/// taken from the buffers of `sourceMgr`; places in other files, and unknown
/// places, are printed without one. The callers of an inlined function follow
/// its error as notes.
class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  DiagnosticPrinter(const llvm::SourceMgr &sourceMgr,
                    mlir::MLIRContext *context, llvm::raw_ostream &os);

  /// The number of errors that were printed.
  unsigned getNumErrors() const { return numErrors; }

private:
  void print(mlir::Diagnostic &diag);
  void printOne(mlir::Location loc, llvm::StringRef message,
                mlir::DiagnosticSeverity severity, bool showLine);
  void printSourceLine(mlir::FileLineColRange place);

  const llvm::SourceMgr &sourceMgr;
  llvm::raw_ostream &os;
  unsigned numErrors = 0;
};

} // namespace accrue

#endif // ACCRUE_FRONTEND_DIAGNOSTICPRINTER_H
