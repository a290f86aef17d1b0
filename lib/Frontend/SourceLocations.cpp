//===- SourceLocations.cpp - Places in a model file -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Line and column come from the source manager, which knows where the buffer
// of a pointer begins.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/SourceLocations.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace accrue::frontend {

Location SourceLocations::get(llvm::SMRange range) const {
  unsigned buffer =
      range.isValid() ? sourceMgr.FindBufferContainingLoc(range.Start) : 0;
  if (buffer == 0)
    return UnknownLoc::get(context);
  auto [line, column] = sourceMgr.getLineAndColumn(range.Start, buffer);
  auto [endLine, endColumn] = sourceMgr.getLineAndColumn(range.End, buffer);
  StringRef file = sourceMgr.getMemoryBuffer(buffer)->getBufferIdentifier();
  return FileLineColRange::get(StringAttr::get(context, file), line, column,
                               endLine, endColumn);
}

InFlightDiagnostic SourceLocations::emitError(llvm::SMRange range,
                                              const Twine &message) const {
  return mlir::emitError(get(range), message);
}

StringRef findNearest(StringRef name, ArrayRef<StringRef> candidates) {
  // A third of the letters may differ: `lerning_rate` is a slip, `foo` is not.
  unsigned best = (name.size() + 1) / 3 + 1;
  StringRef nearest;
  for (StringRef candidate : candidates) {
    unsigned distance = name.edit_distance(candidate,
                                           /*AllowReplacements=*/true, best);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

} // namespace accrue::frontend
