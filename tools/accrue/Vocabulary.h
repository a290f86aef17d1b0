//===- Vocabulary.h - Text as tokens ----------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of every token, from a JSON file with an array of strings. A text
// is cut into tokens from the front, each time the longest that fits, which is
// exact for vocabularies of single characters.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_VOCABULARY_H
#define ACCRUE_TOOLS_ACCRUE_VOCABULARY_H

#include "runtime/io/Result.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace accrue::tool {

class Vocabulary {
public:
  /// Reads `path`; without one, every token is its own number, and a text is a
  /// list of numbers.
  static io::Result<Vocabulary> open(const std::string &path);

  /// The tokens of `text`. Fails where a part of it is no token.
  io::Result<std::vector<int64_t>> encode(llvm::StringRef text) const;

  /// What to print for `token`.
  std::string decode(int64_t token) const;

  /// The number of tokens; 0 where they are numbers.
  size_t size() const { return tokens.size(); }

private:
  std::vector<std::string> tokens;
  llvm::StringMap<int64_t> indices;
  size_t longest = 0;
};

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_VOCABULARY_H
