//===- Frontend.h - Model files to MLIR -------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry to the front end: the text of a `.acr` file becomes a module with
// one model function of the `nn` dialect, marked by attributes of the `train`
// dialect. The language is described in docs/language.md.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FRONTEND_FRONTEND_H
#define ACCRUE_FRONTEND_FRONTEND_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace accrue {

struct FrontendOptions {
  /// Values that replace those of `config` statements, by name: the text of a
  /// number, `true`, `false` or a string (`--set width=384`).
  std::vector<std::pair<std::string, std::string>> configOverrides;
  /// The model to compile; may be empty where the file has only one.
  std::string model;
};

/// Parses the main buffer of `sourceMgr`, to which it adds the files of the
/// standard library, and builds the model. Loads the dialects that it needs.
/// Errors go to the diagnostic engine of `context`, as many as one run finds,
/// and the result is null if there was one.
mlir::OwningOpRef<mlir::ModuleOp>
parseModelFile(llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context,
               const FrontendOptions &options = {});

/// Registers `--import-acr` of accrue-translate, with the options `--set` and
/// `--model`.
void registerFromAcrTranslation();

} // namespace accrue

#endif // ACCRUE_FRONTEND_FRONTEND_H
