//===- Grid.h - The threads of a launch -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the blocks of a launch one after another and the threads of a block as
// fibers that switch where they wait. Threads that never wait are plain calls.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_GRID_H
#define ACCRUE_RUNTIME_EMULATOR_GRID_H

#include "cuda_runtime.h"

namespace accrue::emulator {

struct Launch {
  dim3 grid;
  dim3 block;
  const void *kernel;
  const KernelCall *call;
};

/// Runs a kernel to its end. Ends the program if its threads wait for each
/// other in vain.
void runGrid(const Launch &launch);

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_GRID_H
