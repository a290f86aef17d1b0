//===- Sanitizers.h - What the sanitizers are told ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator is built once per sanitizer. Its scheduler is not instrumented;
// it says here which code runs on which stack and what orders what, so that
// reports are about the program.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_SANITIZERS_H
#define ACCRUE_RUNTIME_EMULATOR_SANITIZERS_H

#include <cstddef>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif

#if defined(ACCRUE_EMULATOR_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(ACCRUE_EMULATOR_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace accrue::emulator {

#if defined(ACCRUE_EMULATOR_ASAN)
inline constexpr bool isAddressSanitizer = true;
inline void poison(const void *begin, size_t bytes) {
  __asan_poison_memory_region(begin, bytes);
}
inline void unpoison(const void *begin, size_t bytes) {
  __asan_unpoison_memory_region(begin, bytes);
}
#else
inline constexpr bool isAddressSanitizer = false;
inline void poison(const void *, size_t) {}
inline void unpoison(const void *, size_t) {}
#endif

#if defined(ACCRUE_EMULATOR_TSAN)
inline constexpr bool isThreadSanitizer = true;
/// What happened before the releases of `object` happened before what follows.
inline void acquire(void *object) {
  if (object)
    __tsan_acquire(object);
}
inline void release(void *object) { __tsan_release(object); }
#else
inline constexpr bool isThreadSanitizer = false;
inline void acquire(void *) {}
inline void release(void *) {}
#endif

/// For valgrind, which a plain program can run under.
#if defined(VALGRIND_MAKE_MEM_UNDEFINED)
inline void markUnwritten(void *begin, size_t bytes) {
  VALGRIND_MAKE_MEM_UNDEFINED(begin, bytes);
}
inline void registerStack(char *low, size_t bytes) {
  VALGRIND_STACK_REGISTER(low, low + bytes - 1);
}
#else
inline void markUnwritten(void *, size_t) {}
inline void registerStack(char *, size_t) {}
#endif

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_SANITIZERS_H
