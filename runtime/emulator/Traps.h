//===- Traps.h - Reads of memory that nothing wrote -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fresh memory holds signalling NaNs, and arithmetic on one is an invalid
// operation. While kernels run it is not masked: the processor tells.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_TRAPS_H
#define ACCRUE_RUNTIME_EMULATOR_TRAPS_H

namespace accrue::emulator {

/// While it lives, `report` is called when arithmetic meets what nothing wrote.
class TrapScope {
public:
  explicit TrapScope(void (*report)());
  ~TrapScope();
};

/// Before a thread starts: other invalid operations, which are legal, have
/// ended the watch for the thread before.
void rearmTraps();

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_TRAPS_H
