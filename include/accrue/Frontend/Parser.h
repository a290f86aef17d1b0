//===- Parser.h - Parser of the model language ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recursive descent parser that recovers at statements, so that one run
// reports several errors.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FRONTEND_PARSER_H
#define ACCRUE_FRONTEND_PARSER_H

#include "accrue/Frontend/AST.h"
#include "accrue/Frontend/SourceLocations.h"

namespace accrue::frontend {

/// Parses the text of a model file; the nodes live in `context` and point into
/// `buffer`. Reports every error it finds and fails if there was one.
mlir::FailureOr<Program> parseProgram(llvm::StringRef buffer,
                                      const SourceLocations &locations,
                                      ASTContext &context);

} // namespace accrue::frontend

#endif // ACCRUE_FRONTEND_PARSER_H
