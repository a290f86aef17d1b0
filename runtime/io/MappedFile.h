//===- MappedFile.h - Read-only file mapping --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file mapped for reading. Weights and training data are used from the page
// cache, without a copy and without a limit by memory.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_MAPPEDFILE_H
#define ACCRUE_RUNTIME_IO_MAPPEDFILE_H

#include "runtime/io/Result.h"

#include <cstdint>
#include <string>

namespace accrue::io {

/// Owns the mapping of one regular file. The file must not shrink while it is
/// mapped; files that Accrue itself replaces are renamed over, which is safe.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string &path);

  MappedFile(MappedFile &&other) noexcept;
  MappedFile &operator=(MappedFile &&other) noexcept;
  ~MappedFile();

  /// Null if and only if the file is empty.
  const uint8_t *data() const { return begin; }
  int64_t size() const { return length; }
  const std::string &path() const { return name; }

private:
  MappedFile() = default;

  const uint8_t *begin = nullptr;
  int64_t length = 0;
  std::string name;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_MAPPEDFILE_H
