//===- ModelInput.cpp - The model that a command works on -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/ModelInput.h"

#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace accrue;

/// Leaves only the model called `name`, or the only one, in a module parsed
/// from MLIR text. Null after an error.
static func::FuncOp pickModel(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> models;
  for (Operation &op : module.getOps()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || !function->hasAttr(train::attrs::kModel)) {
      op.emitError("expected only functions with the attribute '")
          << train::attrs::kModel << "' in a model file";
      return nullptr;
    }
    models.push_back(function);
  }
  if (models.empty()) {
    module.emitError("expected a function with the attribute '")
        << train::attrs::kModel << "'";
    return nullptr;
  }
  func::FuncOp picked =
      name.empty() && models.size() == 1 ? models.front() : func::FuncOp();
  for (func::FuncOp model : models)
    if (model.getSymName() == name)
      picked = model;
  if (!picked) {
    InFlightDiagnostic diag = module.emitError();
    if (name.empty())
      diag << "expected the name of one of " << models.size() << " models";
    else
      diag << "unknown model '" << name << "'";
    for (func::FuncOp model : models)
      diag.attachNote(model.getLoc())
          << "'" << model.getSymName() << "' is defined here";
    return nullptr;
  }
  for (func::FuncOp model : models)
    if (model != picked)
      model.erase();
  return picked;
}

std::unique_ptr<ModelInput> ModelInput::load(StringRef path,
                                             const FrontendOptions &options,
                                             MLIRContext *context) {
  auto input = std::make_unique<ModelInput>();
  input->printer = std::make_unique<DiagnosticPrinter>(input->sourceMgr,
                                                       context, llvm::errs());
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (std::error_code error = buffer.getError()) {
    llvm::errs() << path << ": error: " << error.message() << '\n';
    return nullptr;
  }
  input->sourceMgr.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  context->loadAllAvailableDialects();
  if (llvm::sys::path::extension(path) != ".mlir") {
    input->module = parseModelFile(input->sourceMgr, context, options);
  } else {
    if (!options.configOverrides.empty()) {
      llvm::errs() << path << ": error: MLIR text has no config to --set\n";
      return nullptr;
    }
    input->module = parseSourceFile<ModuleOp>(input->sourceMgr, context);
  }
  if (!input->module)
    return nullptr;
  input->function = pickModel(*input->module, options.model);
  if (!input->function)
    return nullptr;
  return input;
}

/// The innermost place of `loc` in a file: of an inlined call the callee. Null
/// where it has none.
static FileLineColRange findFileRange(LocationAttr loc) {
  if (auto range = dyn_cast<FileLineColRange>(loc))
    return range;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findFileRange(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findFileRange(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColRange range = findFileRange(part))
        return range;
  return nullptr;
}

StringRef ModelInput::getSourceText(Location loc) const {
  FileLineColRange range = findFileRange(loc);
  const llvm::MemoryBuffer *buffer =
      sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  if (!range || buffer->getBufferIdentifier() != range.getFilename())
    return "";
  StringRef text = buffer->getBuffer();
  for (unsigned line = 1; line < range.getStartLine(); ++line)
    text = text.split('\n').second;
  text = text.split('\n').first;
  size_t end = range.getEndLine() == range.getStartLine()
                   ? range.getEndColumn() - 1
                   : text.size();
  return text.slice(range.getStartColumn() - 1, std::max<size_t>(end, 1));
}
