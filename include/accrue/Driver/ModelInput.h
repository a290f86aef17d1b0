//===- ModelInput.h - The model that a command works on ---------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DRIVER_MODELINPUT_H
#define ACCRUE_DRIVER_MODELINPUT_H

#include "accrue/Frontend/DiagnosticPrinter.h"
#include "accrue/Frontend/Frontend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/SourceMgr.h"
#include <memory>

namespace accrue {

/// A model file, `.acr` or MLIR text (`.mlir`), with the source that messages
/// quote. Errors of `context` are printed to stderr while it lives.
class ModelInput {
public:
  /// Reads `path` (`-`: standard input, a model file). `options.model` picks a
  /// model where the file has several. Null after an error.
  static std::unique_ptr<ModelInput> load(llvm::StringRef path,
                                          const FrontendOptions &options,
                                          mlir::MLIRContext *context);

  /// Has exactly one function marked `train.model`.
  mlir::ModuleOp getModule() { return *module; }
  mlir::func::FuncOp getFunction() { return function; }
  const llvm::SourceMgr &getSourceMgr() const { return sourceMgr; }

  /// The text between the ends of `loc`, up to the end of its first line; empty
  /// where it has no such range in the source.
  llvm::StringRef getSourceText(mlir::Location loc) const;

private:
  llvm::SourceMgr sourceMgr;
  std::unique_ptr<DiagnosticPrinter> printer;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

} // namespace accrue

#endif // ACCRUE_DRIVER_MODELINPUT_H
