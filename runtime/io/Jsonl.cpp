//===- Jsonl.cpp - Logs of one JSON line per batch ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Appending is a single write(2) on a descriptor in append mode. Cutting for a
// resume rewrites the kept lines through AtomicFile, and only when something
// has to go.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Jsonl.h"

#include "runtime/io/AtomicFile.h"
#include "runtime/io/MappedFile.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace accrue::io {

JsonLine &JsonLine::addRaw(std::string_view key, std::string_view json) {
  if (!members.empty())
    members += ", ";
  members += quoteJson(key);
  members += ": ";
  members += json;
  return *this;
}

Result<JsonlWriter> JsonlWriter::open(const std::string &path) {
  JsonlWriter writer;
  writer.name = path;
  writer.descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (writer.descriptor < 0)
    return fail("{}: cannot write: {}", path, std::strerror(errno));
  return writer;
}

JsonlWriter::JsonlWriter(JsonlWriter &&other) noexcept {
  *this = std::move(other);
}

JsonlWriter &JsonlWriter::operator=(JsonlWriter &&other) noexcept {
  std::swap(descriptor, other.descriptor);
  std::swap(name, other.name);
  return *this;
}

JsonlWriter::~JsonlWriter() {
  if (descriptor >= 0)
    ::close(descriptor);
}

Status JsonlWriter::write(const JsonLine &line) {
  std::string text = line.text() + "\n";
  off_t before = ::lseek(descriptor, 0, SEEK_END);
  ssize_t written;
  do
    written = ::write(descriptor, text.data(), text.size());
  while (written < 0 && errno == EINTR);
  if (written == static_cast<ssize_t>(text.size()))
    return Status::success();
  int error = written < 0 ? errno : ENOSPC;
  // Part of a line may have fitted. A pipe or terminal has no length to reset.
  if (written > 0 && before >= 0 && ::ftruncate(descriptor, before) != 0)
    error = errno;
  return fail("{}: cannot write: {}", name, std::strerror(error));
}

Status JsonlWriter::sync() {
  // A pipe or terminal cannot be synchronized and says EINVAL or EROFS.
  if (::fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS)
    return fail("{}: cannot write: {}", name, std::strerror(errno));
  return Status::success();
}

/// Whether `line` is an object with an integer "batch", and which.
static bool parseBatch(std::string_view line, int64_t &batch) {
  auto json = nlohmann::json::parse(line.begin(), line.end(), /*cb=*/nullptr,
                                    /*allow_exceptions=*/false);
  if (!json.is_object())
    return false;
  auto member = json.find("batch");
  if (member == json.end() || !member->is_number_integer())
    return false;
  batch = member->get<int64_t>();
  return true;
}

Status truncateAfter(const std::string &path, int64_t batch) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 && errno == ENOENT)
    return Status::success();
  Result<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.status();
  std::string_view rest(reinterpret_cast<const char *>(file->data()),
                        file->size());
  std::string kept;
  for (int64_t number = 1; !rest.empty(); ++number) {
    size_t end = rest.find('\n');
    if (end == std::string_view::npos)
      break;
    int64_t lineBatch = 0;
    if (!parseBatch(rest.substr(0, end), lineBatch))
      return fail("{}:{}: expected a log line with an integer 'batch'", path,
                  number);
    if (lineBatch <= batch)
      kept += rest.substr(0, end + 1);
    rest.remove_prefix(end + 1);
  }
  if (static_cast<int64_t>(kept.size()) == file->size())
    return Status::success();
  return writeFileAtomically(path, kept);
}

} // namespace accrue::io
