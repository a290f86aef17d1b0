//===- Frontend.cpp - Model files to MLIR ---------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses, picks the model, emits and verifies it.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/Frontend.h"

#include "Emitter.h"
#include "StandardLibrary.h"
#include "accrue/Frontend/Parser.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace accrue {

using namespace frontend;

/// The model to compile, or null after an error.
static const ModelDecl *pickModel(const Program &program,
                                  const SourceLocations &locations,
                                  StringRef name, Location fileLoc) {
  if (program.models.empty()) {
    mlir::emitError(fileLoc, "expected a 'model' in the file");
    return nullptr;
  }
  llvm::StringMap<const ModelDecl *> models;
  for (const ModelDecl *model : program.models) {
    auto [it, inserted] = models.try_emplace(model->name.text, model);
    if (inserted)
      continue;
    InFlightDiagnostic diag = locations.emitError(model->name.range);
    diag << "model '" << model->name.text << "' is declared twice";
    diag.attachNote(locations.get(it->second->name.range)) << "declared here";
    return nullptr;
  }
  if (name.empty() && program.models.size() == 1)
    return program.models.front();
  if (auto it = models.find(name); it != models.end())
    return it->second;

  InFlightDiagnostic diag = mlir::emitError(fileLoc);
  if (name.empty())
    diag << "expected the name of one of " << program.models.size()
         << " models";
  else
    diag << "unknown model '" << name << "'";
  for (const ModelDecl *model : program.models)
    diag.attachNote(locations.get(model->name.range))
        << "'" << model->name.text << "' is declared here";
  return nullptr;
}

OwningOpRef<ModuleOp> parseModelFile(llvm::SourceMgr &sourceMgr,
                                     MLIRContext *context,
                                     const FrontendOptions &options) {
  context->loadDialect<nn::NNDialect, train::TrainDialect, func::FuncDialect>();
  const llvm::MemoryBuffer *buffer =
      sourceMgr.getMemoryBuffer(sourceMgr.getMainFileID());
  SourceLocations locations(sourceMgr, context);
  ASTContext ast;
  FailureOr<Program> program =
      parseProgram(buffer->getBuffer(), locations, ast);
  if (failed(program))
    return nullptr;
  Location fileLoc =
      FileLineColLoc::get(context, buffer->getBufferIdentifier(), 1, 1);
  const ModelDecl *model =
      pickModel(*program, locations, options.model, fileLoc);
  if (!model)
    return nullptr;
  Program library = parseStandardLibrary(sourceMgr, locations, ast);
  OwningOpRef<ModuleOp> module =
      Emitter(*program, library, locations, options).emit(*model);
  if (!module || failed(verify(*module)))
    return nullptr;
  return module;
}

} // namespace accrue
