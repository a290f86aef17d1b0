//===- MappedFile.cpp - Read-only file mapping ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// POSIX mmap of regular files. Anything else (a directory, a pipe) is refused,
// because its size is not known.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/MappedFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue::io {

Result<MappedFile> MappedFile::open(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return fail("{}: cannot open for reading: {}", path, std::strerror(errno));
  struct stat status;
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return fail("{}: expected a regular file", path);
  }
  MappedFile file;
  file.name = path;
  file.length = status.st_size;
  if (file.length > 0) {
    void *address = ::mmap(nullptr, file.length, PROT_READ, MAP_PRIVATE,
                           descriptor, /*offset=*/0);
    if (address == MAP_FAILED) {
      int error = errno;
      ::close(descriptor);
      file.length = 0;
      return fail("{}: cannot map {} bytes: {}", path, status.st_size,
                  std::strerror(error));
    }
    file.begin = static_cast<const uint8_t *>(address);
  }
  ::close(descriptor);
  return file;
}

MappedFile::MappedFile(MappedFile &&other) noexcept {
  *this = std::move(other);
}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
  std::swap(begin, other.begin);
  std::swap(length, other.length);
  std::swap(name, other.name);
  return *this;
}

MappedFile::~MappedFile() {
  if (begin)
    ::munmap(const_cast<uint8_t *>(begin), length);
}

} // namespace accrue::io
