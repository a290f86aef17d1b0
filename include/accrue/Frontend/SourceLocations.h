//===- SourceLocations.h - Places in a model file ---------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns ranges of a model file's text into MLIR locations and reports errors
// there, so that the front end speaks through MLIR's diagnostic engine like
// every later pass does.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FRONTEND_SOURCELOCATIONS_H
#define ACCRUE_FRONTEND_SOURCELOCATIONS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/SMLoc.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace accrue::frontend {

/// After so many errors of one kind the rest of a file is given up.
inline constexpr unsigned maxErrors = 20;

/// Maps pointers into the buffers of one source manager to locations. A range
/// becomes a `FileLineColRange` whose end is one past the last character.
class SourceLocations {
public:
  SourceLocations(const llvm::SourceMgr &sourceMgr, mlir::MLIRContext *context)
      : sourceMgr(sourceMgr), context(context) {}

  mlir::MLIRContext *getContext() const { return context; }

  /// The location of `range`; an unknown location if it is not valid.
  mlir::Location get(llvm::SMRange range) const;

  /// Starts an error at `range`; notes can be attached to the result.
  mlir::InFlightDiagnostic emitError(llvm::SMRange range,
                                     const llvm::Twine &message = {}) const;

private:
  const llvm::SourceMgr &sourceMgr;
  mlir::MLIRContext *context;
};

/// The candidate nearest to `name` by edit distance, or an empty string where
/// none is near enough to be what the user meant.
llvm::StringRef findNearest(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace accrue::frontend

#endif // ACCRUE_FRONTEND_SOURCELOCATIONS_H
