//===- Fiber.h - Stacks to switch between ---------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fiber is a stack with a suspended call. Threads of a block that wait for
// each other are fibers of one host thread: switching costs nanoseconds, and
// the order is ours. To ThreadSanitizer each is a thread of its own.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_FIBER_H
#define ACCRUE_RUNTIME_EMULATOR_FIBER_H

#include <cstddef>

namespace accrue::emulator {

class Fiber {
public:
  using Entry = void (*)(Fiber &self);

  /// The stack of the host thread that makes it.
  Fiber();
  /// A stack of its own, on which `entry` is called, which never returns.
  explicit Fiber(Entry entry);
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Suspends `from`, the running fiber, and continues `to`.
  static void switchFromTo(Fiber &from, Fiber &to);

private:
  static void begin();
  void arrived();

  Entry entry = nullptr;
  void *stackPointer = nullptr;
  /// The memory of the stack and, below it, a page that cannot be touched.
  void *mapping = nullptr;
  /// For AddressSanitizer: the lowest address and size, and its own state.
  const void *bottom = nullptr;
  size_t bytes = 0;
  void *fakeStack = nullptr;
  /// For ThreadSanitizer: its context.
  void *context = nullptr;
};

/// To ThreadSanitizer, calls run as one thread that nothing orders with the
/// caller; otherwise they are plain calls.
class Lane : private Fiber {
public:
  Lane() : Fiber(&Lane::runCalls) {}

  /// Calls `function` with `data` and waits for its end.
  void run(void (*function)(void *), void *data);
  template <class Callable>
  void run(Callable callable) {
    run([](void *data) { (*static_cast<Callable *>(data))(); }, &callable);
  }

private:
  static void runCalls(Fiber &self);

  void (*function)(void *) = nullptr;
  void *data = nullptr;
  Fiber *caller = nullptr;
};

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_FIBER_H
