//===- Arena.h - The memory of a compiled step ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mapping that holds everything a compiled step touches. Its size is the
// plan's, to the byte, and the plan is checked against what is taken from it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CPU_ARENA_H
#define ACCRUE_RUNTIME_CPU_ARENA_H

#include "runtime/io/Result.h"

#include <cstdint>

namespace accrue::cpu {

class Arena {
public:
  /// Every region starts at a multiple of this.
  static constexpr int64_t alignment = 64;

  /// Maps `plannedBytes` of zeroed memory, on huge pages where the system has
  /// them, and touches it once, so that a step never waits for a page.
  static io::Result<Arena> create(int64_t plannedBytes);

  Arena(Arena &&other) noexcept;
  Arena &operator=(Arena &&other) noexcept;
  ~Arena();

  /// Takes the next `bytes`, from the next aligned offset. `name` is for the
  /// message when the plan has no room for them.
  io::Result<void *> allocate(std::string_view name, int64_t bytes);

  uint8_t *data() const { return base; }
  int64_t plannedBytes() const { return planned; }
  /// Up to the end of the last region taken, alignment included.
  int64_t allocatedBytes() const { return allocated; }

  /// Fails unless exactly what was planned has been taken.
  io::Status checkPlan() const;

private:
  Arena() = default;

  uint8_t *base = nullptr;
  int64_t planned = 0;
  int64_t allocated = 0;
};

} // namespace accrue::cpu

#endif // ACCRUE_RUNTIME_CPU_ARENA_H
