//===- AtomicFile.h - Files that appear whole or not at all -----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a file so that a reader, or a restart after a crash, sees either the
// old contents or the new, whole: a temporary in the same directory is written,
// synchronized to the disk and renamed over the target.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_ATOMICFILE_H
#define ACCRUE_RUNTIME_IO_ATOMICFILE_H

#include "runtime/io/Result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace accrue::io {

/// A file being written beside its target `path`. Until `commit` succeeds the
/// target is untouched; when anything fails, or the object is destroyed
/// without a commit, the temporary is removed.
///
/// The temporary is `.NAME.accrue-partial`: a fixed name, so that what a kill
/// left behind is reused rather than piling up, and locked, so that two
/// processes cannot write it together.
class AtomicFile {
public:
  static Result<AtomicFile> create(const std::string &path);

  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&other) noexcept;
  ~AtomicFile();

  /// Appends `size` bytes. After a failure only destruction is useful.
  Status write(const void *data, int64_t size);
  Status write(std::string_view text) {
    return write(text.data(), static_cast<int64_t>(text.size()));
  }

  /// Synchronizes the contents, renames over the target, and synchronizes the
  /// directory. After success the new file survives a power cut.
  Status commit();

private:
  AtomicFile() = default;
  /// Closes and removes the temporary.
  void discard();
  /// "PATH: cannot write: REASON", after discarding the temporary.
  Status giveUp(int error);

  int descriptor = -1;
  std::string target;
  std::string temporary;
};

/// Writes `contents` to `path` in one atomic step.
Status writeFileAtomically(const std::string &path, std::string_view contents);

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_ATOMICFILE_H
