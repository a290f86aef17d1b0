//===- Jsonl.h - Logs of one JSON line per batch ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The training log: one JSON object per logical batch, each written whole
// before the next step starts. Keys keep the order in which they were added and
// numbers are the shortest that round-trip, so equal runs give equal bytes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_JSONL_H
#define ACCRUE_RUNTIME_IO_JSONL_H

#include "runtime/io/Json.h"
#include "runtime/io/Result.h"

#include <cstdint>
#include <type_traits>

namespace accrue::io {

/// One JSON object, built key by key: `JsonLine().add("batch", 3)`.
class JsonLine {
public:
  /// Adds an integer, a boolean, a real (NaN and infinities become null), a
  /// string, or another object. The caller keeps keys distinct.
  template <typename T>
  JsonLine &add(std::string_view key, const T &value) {
    if constexpr (std::is_same_v<T, bool>)
      return addRaw(key, value ? "true" : "false");
    else if constexpr (std::is_integral_v<T>)
      return addRaw(key, fmt::format("{}", value));
    else if constexpr (std::is_floating_point_v<T>)
      return addRaw(key, formatJson(value));
    else if constexpr (std::is_same_v<T, JsonLine>)
      return addRaw(key, value.text());
    else
      return addRaw(key, quoteJson(value));
  }

  /// The object so far, without a newline.
  std::string text() const { return "{" + members + "}"; }

private:
  JsonLine &addRaw(std::string_view key, std::string_view json);

  std::string members;
};

/// Appends lines to a log.
class JsonlWriter {
public:
  /// Creates the file, or continues it.
  static Result<JsonlWriter> open(const std::string &path);

  JsonlWriter(JsonlWriter &&other) noexcept;
  JsonlWriter &operator=(JsonlWriter &&other) noexcept;
  ~JsonlWriter();

  /// Hands one line to the system in one piece: it survives a kill of the
  /// process. When the disk is full the file keeps its previous lines.
  Status write(const JsonLine &line);

  /// Waits until every line is on the disk. Called before weights are saved,
  /// so that no saved batch can lack its line after a power cut.
  Status sync();

private:
  JsonlWriter() = default;

  int descriptor = -1;
  std::string name;
};

/// Makes a log end with batch `batch`, to resume after it: removes the lines
/// whose "batch" is larger and a last line without a newline, in one atomic
/// step. A missing file is left missing; a line without an integer "batch" is
/// an error, since the file is then no such log.
Status truncateAfter(const std::string &path, int64_t batch);

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_JSONL_H
