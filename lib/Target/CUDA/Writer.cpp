//===- Writer.cpp - Lines of CUDA text ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines as they come: their layout is the formatter's work. Comments are filled
// here, so that none runs into the next one.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static constexpr size_t kColumns = 80;

void Writer::line(const Twine &text) {
  if (!text.isTriviallyEmpty())
    os.indent(2 * depth) << text;
  os << '\n';
}

void Writer::comment(const Twine &text) {
  SmallString<128> storage;
  StringRef rest = text.toStringRef(storage);
  size_t room = kColumns - std::min<size_t>(kColumns / 2, 2 * depth + 3);
  do {
    // A word that is longer than a line stays whole.
    size_t end = rest.size();
    if (end > room) {
      end = rest.take_front(room + 1).rfind(' ');
      if (end == StringRef::npos || end == 0)
        end = std::min(rest.find(' ', room), rest.size());
    }
    os.indent(2 * depth) << "// " << rest.take_front(end) << '\n';
    rest = rest.drop_front(end).ltrim();
  } while (!rest.empty());
}
