//===- Registration.h - All dialects and passes -----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every tool registers: only what the phases of a compilation contain.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_PIPELINES_REGISTRATION_H
#define ACCRUE_PIPELINES_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace accrue {

/// The dialects of all phases, with the external models that passes need.
void registerAllDialects(mlir::DialectRegistry &registry);

/// The passes of Accrue, MLIR's general transforms, and the pipelines by name.
void registerAllPasses();

} // namespace accrue

#endif // ACCRUE_PIPELINES_REGISTRATION_H
