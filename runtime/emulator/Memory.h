//===- Memory.h - Memory of the device ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory is memory of the host that the runtime knows. Fresh memory
// holds a pattern that is a signalling NaN as f32 and bf16, a quiet one as f16,
// and no value that a program would compute as an integer.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_MEMORY_H
#define ACCRUE_RUNTIME_EMULATOR_MEMORY_H

#include "emulator/Half.h"

#include <cstddef>
#include <cstdint>

namespace accrue::emulator {

/// What is known about the memory at an address.
struct Allocation {
  enum class Kind { Device, Pinned };
  char *begin = nullptr;
  size_t bytes = 0;
  Kind kind = Kind::Device;
  /// Whether the runtime allocated it, or the host and registered it.
  bool isOwned = true;
};

/// The allocation that holds an address; null for other memory of the host.
const Allocation *findAllocation(const void *pointer);

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_MEMORY_H
