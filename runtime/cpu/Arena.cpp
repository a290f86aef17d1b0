//===- Arena.cpp - The memory of a compiled step --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transparent huge pages need ranges that start at a multiple of their size, so
// a little more address space is reserved and both ends are given back.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Arena.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace accrue::cpu {
namespace {

constexpr int64_t hugePage = int64_t(2) << 20;

int64_t alignUp(int64_t value, int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

int64_t pageBytes() { return ::sysconf(_SC_PAGESIZE); }

/// An empty arena still occupies one page, so that it has an address.
int64_t mappedBytes(int64_t planned) {
  return alignUp(std::max<int64_t>(planned, 1), pageBytes());
}

} // namespace

io::Result<Arena> Arena::create(int64_t plannedBytes) {
  if (plannedBytes < 0 || plannedBytes > INT64_MAX - 2 * hugePage)
    return io::fail("cannot reserve an arena of {} bytes", plannedBytes);
  int64_t length = mappedBytes(plannedBytes);
  int64_t slack = length >= hugePage ? hugePage : 0;
  void *address = ::mmap(nullptr, length + slack, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, /*fd=*/-1, /*offset=*/0);
  if (address == MAP_FAILED)
    return io::fail("cannot reserve an arena of {} bytes: {}", plannedBytes,
                    std::strerror(errno));
  auto *start = static_cast<uint8_t *>(address);
  if (slack) {
    auto position = reinterpret_cast<uintptr_t>(start);
    int64_t head = alignUp(position, hugePage) - position;
    if (head)
      ::munmap(start, head);
    if (slack - head)
      ::munmap(start + head + length, slack - head);
    start += head;
    // Only advice: a system without huge pages works as well.
    ::madvise(start, length, MADV_HUGEPAGE);
  }
  for (int64_t offset = 0; offset < length; offset += pageBytes())
    static_cast<volatile uint8_t *>(start)[offset] = 0;
  Arena arena;
  arena.base = start;
  arena.planned = plannedBytes;
  return arena;
}

Arena::Arena(Arena &&other) noexcept { *this = std::move(other); }

Arena &Arena::operator=(Arena &&other) noexcept {
  std::swap(base, other.base);
  std::swap(planned, other.planned);
  std::swap(allocated, other.allocated);
  return *this;
}

Arena::~Arena() {
  if (base)
    ::munmap(base, mappedBytes(planned));
}

io::Result<void *> Arena::allocate(std::string_view name, int64_t bytes) {
  int64_t start = alignUp(allocated, alignment);
  if (bytes < 0 || bytes > planned - std::min(start, planned))
    return io::fail("arena '{}': expected {} bytes in the plan, got {} of {}",
                    name, bytes, std::max<int64_t>(planned - start, 0),
                    planned);
  allocated = bytes ? start + bytes : allocated;
  return static_cast<void *>(base + start);
}

io::Status Arena::checkPlan() const {
  if (allocated != planned)
    return io::fail("memory plan: planned {} bytes, allocated {}", planned,
                    allocated);
  return io::Status::success();
}

} // namespace accrue::cpu
