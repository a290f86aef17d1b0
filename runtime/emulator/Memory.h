//===- Memory.h - Memory of the device ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory is memory of the host that the runtime knows. Fresh memory
// holds a pattern that is a signalling NaN as f32 and bf16, becomes one when an
// f16 is converted, and is no value that a program would compute as an integer.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_MEMORY_H
#define ACCRUE_RUNTIME_EMULATOR_MEMORY_H

#include "emulator/Half.h"
#include "runtime/emulator/Plan.h"

#include <cstddef>
#include <cstdint>

namespace accrue::emulator {

/// Either half of what fresh memory of f64 holds where the plan says so.
inline constexpr uint32_t unwrittenDoubleWord = 0x7ff47fa5;

/// What is known about the memory at an address.
struct Allocation {
  enum class Kind { Device, Pinned };
  char *begin = nullptr;
  size_t bytes = 0;
  Kind kind = Kind::Device;
  /// Whether the runtime allocated it, or the host and registered it.
  bool isOwned = true;
  /// What belongs to no buffer of the plan.
  std::vector<Range> gaps;

  /// Makes accesses of gaps errors of AddressSanitizer, or legal again.
  void poisonGaps() const;
  void unpoisonGaps() const;
};

/// The allocation that holds an address; null for other memory of the host.
const Allocation *findAllocation(const void *pointer);

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_MEMORY_H
