//===- Vocabulary.cpp - Text as tokens ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vocabulary.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace accrue;
using namespace accrue::tool;

io::Result<Vocabulary> Vocabulary::open(const std::string &path) {
  Vocabulary vocabulary;
  if (path.empty())
    return vocabulary;
  auto fail = [&](const Twine &message) {
    return io::fail((path + ": " + message).str());
  };
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return fail(buffer.getError().message());
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return fail(toString(value.takeError()));
  const json::Array *array = value->getAsArray();
  if (!array || array->empty())
    return fail("expected a JSON array with the text of every token");
  for (const json::Value &entry : *array) {
    std::optional<StringRef> text = entry.getAsString();
    if (!text || text->empty())
      return fail("expected token " + Twine(vocabulary.tokens.size()) +
                  " to be a string that is not empty");
    if (!vocabulary.indices.try_emplace(*text, vocabulary.tokens.size()).second)
      return fail("token " + Twine(vocabulary.tokens.size()) +
                  " is the same text as token " +
                  Twine(vocabulary.indices[*text]));
    vocabulary.longest = std::max(vocabulary.longest, text->size());
    vocabulary.tokens.push_back(text->str());
  }
  return vocabulary;
}

io::Result<std::vector<int64_t>> Vocabulary::encode(StringRef text) const {
  std::vector<int64_t> result;
  if (tokens.empty()) {
    SmallVector<StringRef> parts;
    text.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef part : parts) {
      int64_t token;
      if (part.trim().getAsInteger(10, token) || token < 0)
        return io::fail("expected a list of token numbers, got '" + part.str() +
                        "' (--vocabulary gives tokens a text)");
      result.push_back(token);
    }
    return result;
  }
  for (StringRef rest = text; !rest.empty();) {
    size_t length = std::min(longest, rest.size());
    while (length > 0 && !indices.contains(rest.take_front(length)))
      --length;
    if (length == 0)
      return io::fail("no token of the vocabulary begins '" +
                      rest.take_front(16).str() + "'");
    result.push_back(indices.lookup(rest.take_front(length)));
    rest = rest.drop_front(length);
  }
  return result;
}

std::string Vocabulary::decode(int64_t token) const {
  if (tokens.empty())
    return std::to_string(token) + ' ';
  return token < static_cast<int64_t>(tokens.size()) ? tokens[token]
                                                     : "\xEF\xBF\xBD";
}
