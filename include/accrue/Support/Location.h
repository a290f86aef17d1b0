//===- Location.h - Places in model files -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_SUPPORT_LOCATION_H
#define ACCRUE_SUPPORT_LOCATION_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace accrue {

/// The place in a file that `loc` stands for: of a call site the callee, of a
/// fused location its first place. None for an unknown location.
std::optional<mlir::FileLineColLoc> getFileLocation(mlir::Location loc);

/// "digits.acr:12:8" (the file without its folders), or "" when unknown.
std::string formatLocation(mlir::Location loc);

/// "digits.acr:12" for every line that `locs` name, in order, each once.
llvm::SmallVector<std::string> listLines(llvm::ArrayRef<mlir::Location> locs);

} // namespace accrue

#endif // ACCRUE_SUPPORT_LOCATION_H
