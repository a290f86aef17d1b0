//===- Writer.cpp - Lines of CUDA text ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are broken where a reader would: outside of parentheses, behind a
// comma.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

static constexpr unsigned kColumns = 80;

/// The space at which `text` is broken so that at most `room` characters come
/// before: outside of as many parentheses as possible, there behind a comma or
/// semicolon, there the last one.
static size_t findBreak(StringRef text, unsigned room) {
  size_t best = StringRef::npos;
  std::pair<unsigned, unsigned> bestRank;
  unsigned nesting = 0;
  for (size_t i = 0; i < text.size() && (i <= room || best == StringRef::npos);
       ++i) {
    char c = text[i];
    if (c == '(' || c == '[' || c == '{')
      ++nesting;
    else if ((c == ')' || c == ']' || c == '}') && nesting > 0)
      --nesting;
    // Not right at the beginning, not within the indentation, and no brace
    // alone.
    if (c != ' ' || i < room / 4 || text.take_front(i).trim().empty() ||
        text.drop_front(i + 1) == "{")
      continue;
    bool behindList = text[i - 1] == ',' || text[i - 1] == ';';
    std::pair<unsigned, unsigned> rank(nesting, behindList ? 0 : 1);
    if (best == StringRef::npos || rank <= bestRank) {
      best = i;
      bestRank = rank;
    }
  }
  return best;
}

void Writer::wrapped(StringRef text, StringRef prefix, unsigned continuation) {
  bool isText = !prefix.empty();
  unsigned indent = 2 * depth;
  while (true) {
    unsigned room =
        kColumns - std::min(kColumns - 20, indent + unsigned(prefix.size()));
    os.indent(text.empty() ? 0 : indent);
    if (text.size() <= room) {
      os << (text.empty() ? prefix.rtrim() : prefix) << text << '\n';
      return;
    }
    size_t at = isText ? text.rfind(' ', room) : findBreak(text, room);
    if (at == StringRef::npos)
      at = text.find(' ', room);
    // Without a space that is near enough, behind a parenthesis.
    size_t next = at + 1;
    size_t opening = text.take_front(room).rfind('(');
    if (!isText && at > room && opening != StringRef::npos)
      at = next = opening + 1;
    os << prefix << text.take_front(at) << '\n';
    if (at == StringRef::npos)
      return;
    text = text.drop_front(next);
    indent = 2 * depth + continuation;
  }
}

void Writer::line(const Twine &text) {
  SmallString<128> storage;
  wrapped(text.toStringRef(storage), "", /*continuation=*/4);
}

void Writer::comment(const Twine &text) {
  SmallString<128> storage;
  wrapped(text.toStringRef(storage), "// ", /*continuation=*/0);
}
