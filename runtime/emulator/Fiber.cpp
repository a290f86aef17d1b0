//===- Fiber.cpp - Stacks to switch between -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On x86-64 a switch saves what the ABI preserves and exchanges the stack
// pointer; the floating-point environment stays, it belongs to the kernel.
// Elsewhere ucontext does the same.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Fiber.h"

#include "runtime/emulator/Error.h"
#include "runtime/emulator/Sanitizers.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

using namespace accrue::emulator;

namespace {
constexpr size_t stackBytes = 256 << 10;
/// The two fibers of the switch that is going on.
Fiber *switchedFrom;
Fiber *switchedTo;
} // namespace

#if defined(__x86_64__)

extern "C" void accrueEmulatorSwitch(void **from, void *to);
asm(R"(
.text
.globl accrueEmulatorSwitch
.type accrueEmulatorSwitch, @function
accrueEmulatorSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size accrueEmulatorSwitch, .-accrueEmulatorSwitch
)");

static void *prepareStack(char *top, void (*begin)()) {
  // Six registers, the address to return to, and one word that aligns the
  // stack as a call would have.
  auto **words = reinterpret_cast<void **>(top) - 8;
  for (int i = 0; i < 8; ++i)
    words[i] = nullptr;
  words[6] = reinterpret_cast<void *>(begin);
  return words;
}

static void switchStacks(void *&from, void *to) {
  accrueEmulatorSwitch(&from, to);
}
static void *hostStack() { return nullptr; }
static void freeStack(void *) {}

#else

static void *prepareStack(char *top, void (*begin)()) {
  auto *context = new ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = top - stackBytes;
  context->uc_stack.ss_size = stackBytes;
  context->uc_link = nullptr;
  makecontext(context, begin, 0);
  return context;
}

static void switchStacks(void *&from, void *to) {
  swapcontext(static_cast<ucontext_t *>(from), static_cast<ucontext_t *>(to));
}
static void *hostStack() { return new ucontext_t; }
static void freeStack(void *context) {
  delete static_cast<ucontext_t *>(context);
}

#endif

Fiber::Fiber() : stackPointer(hostStack()) {
#if defined(ACCRUE_EMULATOR_TSAN)
  context = __tsan_get_current_fiber();
#endif
}

Fiber::Fiber(Entry entry) : entry(entry), bytes(stackBytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  mapping = mmap(nullptr, stackBytes + page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED)
    fatal("no memory for the stack of a thread");
  mprotect(mapping, page, PROT_NONE);
  char *low = static_cast<char *>(mapping) + page;
  bottom = low;
  registerStack(low, stackBytes);
  stackPointer = prepareStack(low + stackBytes, &Fiber::begin);
#if defined(ACCRUE_EMULATOR_TSAN)
  context = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
  freeStack(stackPointer);
  if (!mapping)
    return;
#if defined(ACCRUE_EMULATOR_TSAN)
  __tsan_destroy_fiber(context);
#endif
  munmap(mapping, stackBytes + static_cast<size_t>(sysconf(_SC_PAGESIZE)));
}

void Fiber::begin() {
  Fiber &self = *switchedTo;
  self.arrived();
  self.entry(self);
  fatal("the call of a fiber returned");
}

void Fiber::arrived() {
#if defined(ACCRUE_EMULATOR_ASAN)
  // Tells where the other stack is, which is how a host thread's gets known.
  __sanitizer_finish_switch_fiber(fakeStack, &switchedFrom->bottom,
                                  &switchedFrom->bytes);
#endif
}

void Fiber::switchFromTo(Fiber &from, Fiber &to) {
  switchedFrom = &from;
  switchedTo = &to;
#if defined(ACCRUE_EMULATOR_ASAN)
  __sanitizer_start_switch_fiber(&from.fakeStack, to.bottom, to.bytes);
#elif defined(ACCRUE_EMULATOR_TSAN)
  __tsan_switch_to_fiber(to.context, __tsan_switch_to_fiber_no_sync);
#endif
  switchStacks(from.stackPointer, to.stackPointer);
  from.arrived();
}

void Lane::runCalls(Fiber &self) {
  Lane &lane = static_cast<Lane &>(self);
  for (;;) {
    lane.function(lane.data);
    switchFromTo(lane, *lane.caller);
  }
}

void Lane::run(void (*function)(void *), void *data) {
  if constexpr (!isThreadSanitizer) {
    function(data);
    return;
  }
  Fiber here;
  this->function = function;
  this->data = data;
  caller = &here;
  switchFromTo(here, *this);
}
