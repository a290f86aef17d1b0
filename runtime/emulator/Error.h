//===- Error.h - Errors of programs ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Misuse of the runtime is a status, as with CUDA. What a kernel does wrong
// ends the program, since on a device it would go on with wrong values.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_ERROR_H
#define ACCRUE_RUNTIME_EMULATOR_ERROR_H

#include "emulator/Types.h"

#include <string>

namespace accrue::emulator {

/// Prints "accrue emulator: error: MESSAGE" and ends the program with status 1.
[[noreturn]] void fatal(const std::string &message);

/// The name of the function at an address, or the address.
std::string getFunctionName(const void *function);

/// Keeps an error for cudaGetLastError.
cudaError_t keepError(cudaError_t error);

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_ERROR_H
