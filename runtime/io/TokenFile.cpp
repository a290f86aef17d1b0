//===- TokenFile.cpp - Flat files of tokens -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/io/TokenFile.h"

#include <cstring>

namespace accrue::io {
namespace {

/// A header of llm.c: the first words of 256, then zeros.
struct HeaderKind {
  int32_t magic;
  int32_t version;
  DType type;
};

constexpr HeaderKind kHeaders[] = {{20240520, 1, DType::U16},
                                   {20240801, 7, DType::U32}};
constexpr int64_t kHeaderBytes = 256 * sizeof(int32_t);

/// `text` without the type behind the last colon, if what is before is a token
/// file; the type is empty where there is none.
struct Parts {
  std::string_view path, type;
};

bool isBin(std::string_view path) {
  constexpr std::string_view suffix = ".bin";
  return path.size() > suffix.size() &&
         path.substr(path.size() - suffix.size()) == suffix;
}

Parts split(std::string_view text) {
  size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !isBin(text.substr(0, colon)))
    return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

} // namespace

bool isTokenFile(std::string_view text) { return isBin(split(text).path); }

Status TokenFile::readHeader(std::optional<DType> wanted) {
  int32_t words[3] = {};
  if (file.size() >= static_cast<int64_t>(sizeof(words)))
    std::memcpy(words, file.data(), sizeof(words));
  for (const HeaderKind &kind : kHeaders) {
    if (words[0] != kind.magic)
      continue;
    if (words[1] != kind.version)
      return fail("{}: expected version {} in the header of a token file, got "
                  "{}",
                  path(), kind.version, words[1]);
    if (file.size() < kHeaderBytes)
      return fail("{}: truncated header of a token file: expected {} bytes, "
                  "got {}",
                  path(), kHeaderBytes, file.size());
    if (wanted && *wanted != kind.type)
      return fail("{}: expected {} tokens, got a file whose header says {}",
                  path(), dtypeName(*wanted), dtypeName(kind.type));
    type = kind.type;
    offset = kHeaderBytes;
    count = words[2];
    int64_t expected = count * byteSize(type);
    int64_t got = file.size() - offset;
    if (count < 0 || got != expected)
      return fail("{}: expected {} bytes for the {} {} tokens of its header, "
                  "got {}",
                  path(), expected, count, dtypeName(type), got);
    return Status::success();
  }
  type = wanted.value_or(DType::U16);
  int64_t bytes = byteSize(type);
  if (file.size() % bytes != 0)
    return fail("{}: expected {} tokens of {} bytes each, got {} bytes", path(),
                dtypeName(type), bytes, file.size());
  count = file.size() / bytes;
  return Status::success();
}

Result<TokenFile> TokenFile::open(std::string_view text) {
  Parts parts = split(text);
  std::optional<DType> wanted;
  if (parts.path.size() != text.size()) {
    if (parts.type != "u16" && parts.type != "u32")
      return fail("{}: expected 'u16' or 'u32' as the type of tokens, got '{}'",
                  parts.path, parts.type);
    wanted = parts.type == "u16" ? DType::U16 : DType::U32;
  }
  Result<MappedFile> mapped = MappedFile::open(std::string(parts.path));
  if (!mapped)
    return mapped.status();
  TokenFile tokens(std::move(*mapped));
  if (Status status = tokens.readHeader(wanted); !status)
    return status;
  return tokens;
}

} // namespace accrue::io
