//===- HostThread.h - Calls on another thread -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hands a call to a thread of the host and waits for its end, by means that
// ThreadSanitizer does not see: they order nothing in the program.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_HOSTTHREAD_H
#define ACCRUE_RUNTIME_EMULATOR_HOSTTHREAD_H

#include <atomic>
#include <cstdint>

namespace accrue::emulator {

class HostThread {
public:
  template <class Callable>
  void run(Callable callable) {
    run([](void *data) { (*static_cast<Callable *>(data))(); }, &callable);
  }
  void run(void (*function)(void *), void *data);

private:
  enum : uint32_t { Idle, Called };

  void runCalls();

  bool isStarted = false;
  void (*function)(void *) = nullptr;
  void *data = nullptr;
  std::atomic<uint32_t> state{Idle};
};

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_HOSTTHREAD_H
