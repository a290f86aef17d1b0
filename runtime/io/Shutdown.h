//===- Shutdown.h - Orderly stop on a signal --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets a run finish its step, save and stop when it is interrupted.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_SHUTDOWN_H
#define ACCRUE_RUNTIME_IO_SHUTDOWN_H

namespace accrue::io {

/// From now on the first SIGINT or SIGTERM only makes shutdownRequested true;
/// a second one kills the process as if nothing had been installed. A file
/// that outgrows a size limit becomes a write error instead of a signal.
void installShutdownHandler();

/// The first signal that asked to stop, or 0.
int shutdownSignal();

inline bool shutdownRequested() { return shutdownSignal() != 0; }

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_SHUTDOWN_H
