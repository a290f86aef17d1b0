//===- TokenFile.h - Flat files of tokens -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Token files (`.bin`) as nanoGPT and llm.c write them: 16-bit or 32-bit tokens
// back to back, with llm.c's header of 256 32-bit words or without one.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_TOKENFILE_H
#define ACCRUE_RUNTIME_IO_TOKENFILE_H

#include "runtime/io/DType.h"
#include "runtime/io/MappedFile.h"

#include <optional>

namespace accrue::io {

/// Whether `text`, as a user names a file of data, means a token file:
/// `PATH.bin`, with the type of its tokens as `PATH.bin:u16` or `PATH.bin:u32`
/// where the file cannot tell.
bool isTokenFile(std::string_view text);

/// The tokens of a mapped file.
class TokenFile {
public:
  /// Maps and validates what `text` means. A file that starts with a header of
  /// llm.c has the type and the number of tokens that it states; any other is
  /// tokens alone, of 16 bits if `text` does not say.
  static Result<TokenFile> open(std::string_view text);

  const std::string &path() const { return file.path(); }
  /// U16 or U32.
  DType dtype() const { return type; }
  /// The number of tokens.
  int64_t size() const { return count; }
  const uint8_t *data() const { return file.data() + offset; }

private:
  explicit TokenFile(MappedFile file) : file(std::move(file)) {}
  Status readHeader(std::optional<DType> wanted);

  MappedFile file;
  DType type = DType::U16;
  int64_t offset = 0;
  int64_t count = 0;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_TOKENFILE_H
