//===- HostThread.cpp - Calls on another thread ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waits are system calls on an atomic that is not instrumented.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/HostThread.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace accrue::emulator;

static void waitWhile(std::atomic<uint32_t> &state, uint32_t value) {
  while (state.load(std::memory_order_acquire) == value)
    syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

static void set(std::atomic<uint32_t> &state, uint32_t value) {
  state.store(value, std::memory_order_release);
  syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void HostThread::run(void (*function)(void *), void *data) {
  if (!isStarted) {
    isStarted = true;
    std::thread([this] { runCalls(); }).detach();
  }
  this->function = function;
  this->data = data;
  set(state, Called);
  waitWhile(state, Called);
}

void HostThread::runCalls() {
  for (;;) {
    waitWhile(state, Idle);
    function(data);
    set(state, Idle);
  }
}
