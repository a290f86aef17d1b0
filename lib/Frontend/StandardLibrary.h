//===- StandardLibrary.h - Functions every model sees -----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions written in the model language (Standard/*.acr), embedded into the
// tools.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FRONTEND_STANDARDLIBRARY_H
#define ACCRUE_LIB_FRONTEND_STANDARDLIBRARY_H

#include "accrue/Frontend/AST.h"
#include "accrue/Frontend/SourceLocations.h"

namespace accrue::frontend {

/// Adds the files of the library to `sourceMgr`, as `std/NAME.acr`, unless they
/// are there, and parses them.
Program parseStandardLibrary(llvm::SourceMgr &sourceMgr,
                             const SourceLocations &locations,
                             ASTContext &context);

} // namespace accrue::frontend

#endif // ACCRUE_LIB_FRONTEND_STANDARDLIBRARY_H
