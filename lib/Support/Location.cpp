//===- Location.cpp - Places in model files -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Support/Location.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace accrue;

std::optional<FileLineColLoc> accrue::getFileLocation(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return file;
  if (auto range = dyn_cast<FileLineColRange>(loc))
    return FileLineColLoc::get(range.getFilename(), range.getStartLine(),
                               range.getStartColumn());
  if (auto name = dyn_cast<NameLoc>(loc))
    return getFileLocation(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return getFileLocation(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (auto file = getFileLocation(part))
        return file;
  return std::nullopt;
}

std::string accrue::formatLocation(Location loc) {
  std::optional<FileLineColLoc> file = getFileLocation(loc);
  if (!file)
    return "";
  return (llvm::sys::path::filename(file->getFilename().getValue()) + ":" +
          Twine(file->getLine()) + ":" + Twine(file->getColumn()))
      .str();
}

SmallVector<std::string> accrue::listLines(ArrayRef<Location> locs) {
  llvm::SetVector<std::pair<StringRef, unsigned>> places;
  for (Location loc : locs)
    loc->walk([&](Location part) {
      if (auto place = dyn_cast<FileLineColLoc>(part))
        places.insert(
            {llvm::sys::path::filename(place.getFilename()), place.getLine()});
      return WalkResult::advance();
    });
  auto sorted = places.takeVector();
  llvm::sort(sorted);
  SmallVector<std::string> lines;
  for (auto [file, line] : sorted)
    lines.push_back((file + ":" + Twine(line)).str());
  return lines;
}
