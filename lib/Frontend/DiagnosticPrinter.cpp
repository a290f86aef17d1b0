//===- DiagnosticPrinter.cpp - Errors as people read them -----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A location is reduced to the file range it shows and the chain of calls it
// came through; both are printed from the source manager's buffers.
//
//===----------------------------------------------------------------------===//

#include "accrue/Frontend/DiagnosticPrinter.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace accrue {

/// The place in a file that `loc` shows: of an inlined call the callee, of a
/// fused location the first place. Null if there is none.
static FileLineColRange findPlace(LocationAttr loc) {
  return llvm::TypeSwitch<LocationAttr, FileLineColRange>(loc)
      .Case([](FileLineColRange range) { return range; })
      .Case([](NameLoc name) { return findPlace(name.getChildLoc()); })
      .Case([](CallSiteLoc call) { return findPlace(call.getCallee()); })
      .Case([](FusedLoc fused) -> FileLineColRange {
        for (Location part : fused.getLocations())
          if (FileLineColRange range = findPlace(part))
            return range;
        return nullptr;
      })
      .Default([](LocationAttr) -> FileLineColRange { return nullptr; });
}

/// The call that `loc` was inlined through, or null.
static CallSiteLoc findCall(LocationAttr loc) {
  return llvm::TypeSwitch<LocationAttr, CallSiteLoc>(loc)
      .Case([](CallSiteLoc call) { return call; })
      .Case([](NameLoc name) { return findCall(name.getChildLoc()); })
      .Case([](FusedLoc fused) -> CallSiteLoc {
        for (Location part : fused.getLocations())
          if (CallSiteLoc call = findCall(part))
            return call;
        return nullptr;
      })
      .Default([](LocationAttr) -> CallSiteLoc { return nullptr; });
}

static std::pair<StringRef, raw_ostream::Colors>
describeSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return {"error", raw_ostream::RED};
  case DiagnosticSeverity::Warning:
    return {"warning", raw_ostream::MAGENTA};
  case DiagnosticSeverity::Remark:
    return {"remark", raw_ostream::BLUE};
  case DiagnosticSeverity::Note:
    return {"note", raw_ostream::CYAN};
  }
  llvm_unreachable("unknown severity");
}

DiagnosticPrinter::DiagnosticPrinter(const llvm::SourceMgr &sourceMgr,
                                     MLIRContext *context, raw_ostream &os)
    : ScopedDiagnosticHandler(context), sourceMgr(sourceMgr), os(os) {
  setHandler([this](Diagnostic &diag) { print(diag); });
}

void DiagnosticPrinter::print(Diagnostic &diag) {
  if (diag.getSeverity() == DiagnosticSeverity::Error)
    ++numErrors;
  Location loc = diag.getLocation();
  printOne(loc, diag.str(), diag.getSeverity(), /*showLine=*/true);

  constexpr unsigned maxCallers = 8;
  CallSiteLoc call = findCall(loc);
  for (unsigned depth = 0; call && depth < maxCallers; ++depth) {
    printOne(call.getCaller(), "called from here", DiagnosticSeverity::Note,
             /*showLine=*/true);
    call = findCall(call.getCaller());
  }

  // A note at the place of what it belongs to does not repeat the line.
  FileLineColRange shown = findPlace(loc);
  for (Diagnostic &note : diag.getNotes()) {
    FileLineColRange place = findPlace(note.getLocation());
    printOne(note.getLocation(), note.str(), DiagnosticSeverity::Note,
             /*showLine=*/place != shown);
    shown = place;
  }
}

void DiagnosticPrinter::printOne(Location loc, StringRef message,
                                 DiagnosticSeverity severity, bool showLine) {
  bool colors = os.has_colors();
  auto [word, color] = describeSeverity(severity);
  FileLineColRange place = findPlace(loc);
  if (colors)
    os.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  if (place)
    os << place.getFilename().getValue() << ':' << place.getStartLine() << ':'
       << place.getStartColumn() << ": ";
  if (colors)
    os.changeColor(color, /*Bold=*/true);
  os << word << ": ";
  if (colors)
    os.resetColor();
  os << message << '\n';
  if (place && showLine)
    printSourceLine(place);
}

/// The number of characters in UTF-8 text.
static size_t countCharacters(StringRef text) {
  return llvm::count_if(text,
                        [](unsigned char c) { return (c & 0xC0) != 0x80; });
}

void DiagnosticPrinter::printSourceLine(FileLineColRange place) {
  StringRef text;
  for (unsigned id = 1; id <= sourceMgr.getNumBuffers(); ++id) {
    const llvm::MemoryBuffer *buffer = sourceMgr.getMemoryBuffer(id);
    if (buffer->getBufferIdentifier() == place.getFilename().getValue())
      text = buffer->getBuffer();
  }
  unsigned number = place.getStartLine();
  for (unsigned line = 1; line < number && !text.empty(); ++line)
    text = text.split('\n').second;
  StringRef line = text.split('\n').first.rtrim('\r');
  unsigned column = place.getStartColumn();
  if (number == 0 || column == 0 || column > line.size() + 1 || line.empty())
    return;

  // A range over several lines is underlined to the end of the first.
  size_t end = line.size();
  if (place.getEndLine() == number)
    end = std::min<size_t>(end, place.getEndColumn() - 1);
  StringRef before = line.take_front(column - 1);
  StringRef marked = line.slice(column - 1, std::max<size_t>(end, column - 1));

  // Tabs would shift the caret, so they print as one space.
  std::string printed = line.str();
  std::replace(printed.begin(), printed.end(), '\t', ' ');
  size_t length = std::max<size_t>(countCharacters(marked), 1);
  os << llvm::formatv("{0,5} | {1}\n", number, printed)
     << llvm::formatv("{0,5} | {1}", "",
                      std::string(countCharacters(before), ' '));
  bool colors = os.has_colors();
  if (colors)
    os.changeColor(raw_ostream::GREEN, /*Bold=*/true);
  os << '^' << std::string(length - 1, '~');
  if (colors)
    os.resetColor();
  os << '\n';
}

} // namespace accrue
