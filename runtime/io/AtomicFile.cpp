//===- AtomicFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order is what makes it atomic: data reach the disk before the rename, and
// the directory after it. A target that is a symbolic link is followed, so that
// the link stays; a device or directory is never replaced.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/AtomicFile.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue::io {
namespace {

std::string directoryOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string temporaryFor(const std::string &path) {
  size_t slash = path.rfind('/');
  size_t start = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(0, start) + "." + path.substr(start) + ".accrue-partial";
}

/// Whether `path` still names the open file: the process that held the lock
/// before may have renamed or removed it.
bool sameFile(const std::string &path, int descriptor) {
  struct stat byName, byDescriptor;
  return ::lstat(path.c_str(), &byName) == 0 &&
         ::fstat(descriptor, &byDescriptor) == 0 &&
         byName.st_dev == byDescriptor.st_dev &&
         byName.st_ino == byDescriptor.st_ino;
}

} // namespace

Result<AtomicFile> AtomicFile::create(const std::string &path) {
  AtomicFile file;
  file.target = path;
  struct stat existing;
  bool exists = ::lstat(path.c_str(), &existing) == 0;
  if (exists && S_ISLNK(existing.st_mode)) {
    char *resolved = ::realpath(path.c_str(), nullptr);
    if (!resolved)
      return fail("{}: cannot write: broken symbolic link", path);
    file.target = resolved;
    std::free(resolved);
    exists = ::lstat(file.target.c_str(), &existing) == 0;
  }
  if (exists && !S_ISREG(existing.st_mode))
    return fail("{}: cannot write: expected a regular file, got {}", path,
                S_ISDIR(existing.st_mode) ? "a directory" : "a special file");
  // The rename would succeed on a read-only file; its owner meant otherwise.
  if (exists && ::access(file.target.c_str(), W_OK) != 0)
    return fail("{}: cannot write: {}", path, std::strerror(errno));

  std::string temporary = temporaryFor(file.target);
  while (true) {
    file.descriptor = ::open(temporary.c_str(),
                             O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file.descriptor < 0)
      return fail("{}: cannot write: {}", path, std::strerror(errno));
    if (::flock(file.descriptor, LOCK_EX | LOCK_NB) != 0)
      return fail("{}: cannot write: another process is writing it", path);
    if (sameFile(temporary, file.descriptor))
      break;
    ::close(file.descriptor);
    file.descriptor = -1;
  }
  file.temporary = std::move(temporary);
  if (::ftruncate(file.descriptor, 0) != 0 ||
      (exists && ::fchmod(file.descriptor, existing.st_mode & 07777) != 0))
    return file.giveUp(errno);
  return file;
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept {
  *this = std::move(other);
}

AtomicFile &AtomicFile::operator=(AtomicFile &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  std::swap(target, other.target);
  std::swap(temporary, other.temporary);
  return *this;
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  // Removed before the lock is released, so never another process's file.
  if (!temporary.empty())
    ::unlink(temporary.c_str());
  temporary.clear();
  if (descriptor >= 0)
    ::close(descriptor);
  descriptor = -1;
}

Status AtomicFile::giveUp(int error) {
  discard();
  return fail("{}: cannot write: {}", target, std::strerror(error));
}

Status AtomicFile::write(const void *data, int64_t size) {
  if (descriptor < 0)
    return fail("{}: cannot write: the file is closed", target);
  const char *next = static_cast<const char *>(data);
  while (size > 0) {
    // The kernel writes at most about 2 GiB at a time.
    ssize_t written =
        ::write(descriptor, next, std::min<int64_t>(size, int64_t(1) << 30));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return giveUp(written < 0 ? errno : ENOSPC);
    next += written;
    size -= written;
  }
  return Status::success();
}

Status AtomicFile::commit() {
  if (descriptor < 0)
    return fail("{}: cannot write: the file is closed", target);
  if (::fsync(descriptor) != 0)
    return giveUp(errno);
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return giveUp(errno);
  temporary.clear();
  discard();
  int directory =
      ::open(directoryOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    return fail("{}: written, but cannot open its directory: {}", target,
                std::strerror(errno));
  // Some file systems cannot synchronize a directory and say EINVAL.
  bool synced = ::fsync(directory) == 0 || errno == EINVAL;
  int error = errno;
  ::close(directory);
  if (!synced)
    return fail("{}: written, but cannot synchronize its directory: {}", target,
                std::strerror(error));
  return Status::success();
}

Status writeFileAtomically(const std::string &path, std::string_view contents) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.status();
  if (Status status = file->write(contents); !status)
    return status;
  return file->commit();
}

} // namespace accrue::io
