//===- Device.h - What kernels call ---------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Qualifiers, indices, barriers, shuffles, votes, atomics and intrinsics. A
// thread that waits for others passes the line that it waits at, so that
// threads that wait at different ones are told apart.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_DEVICE_H
#define ACCRUE_RUNTIME_EMULATOR_DEVICE_H

#include "emulator/Vectors.h"

#include <cstdint>
#include <cstring>
#include <math.h>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// Blocks run one after another: one copy of shared memory is enough. For
// ThreadSanitizer each of the host's threads that run blocks has its own, so
// that blocks that nothing orders do not seem to share it.
#if defined(__SANITIZE_THREAD__)
#define __shared__ static thread_local
#else
#define __shared__ static
#endif

// Set before a thread continues.
extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
inline constexpr int warpSize = 32;

namespace accrue::emulator {

enum class Collective { SyncWarp, Up, Down, Xor, Index, Ballot };

/// Waits for all threads of the block.
void waitForBlock(const char *file, int line);

/// Waits for the lanes in `mask`, which have to bring the same operation, mask
/// and place. The result: for a shuffle, the `bits` of the lane that `operand`
/// and `width` mean; for a ballot, the lanes whose `bits` are not 0.
uint64_t waitForWarp(Collective collective, unsigned mask, uint64_t bits,
                     unsigned operand, int width, const char *file, int line);

/// The lanes that have not ended and are at the same place: for code without
/// divergence, all of the warp.
unsigned activeMask();

template <class T>
T shuffle(Collective collective, unsigned mask, T value, unsigned operand,
          int width, const char *file, int line) {
  static_assert(sizeof(T) <= sizeof(uint64_t) &&
                    std::is_trivially_copyable<T>::value,
                "expected a shuffle of a scalar");
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = waitForWarp(collective, mask, bits, operand, width, file, line);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

} // namespace accrue::emulator

// Where the call is; the compiler evaluates default arguments there.
#define ACCRUE_EMULATOR_PLACE                                                  \
  const char *file = __builtin_FILE(), int line = __builtin_LINE()

inline void __syncthreads(ACCRUE_EMULATOR_PLACE) {
  accrue::emulator::waitForBlock(file, line);
}

inline void __syncwarp(unsigned mask = 0xffffffffu, ACCRUE_EMULATOR_PLACE) {
  accrue::emulator::waitForWarp(accrue::emulator::Collective::SyncWarp, mask, 0,
                                0, 32, file, line);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = 32,
              ACCRUE_EMULATOR_PLACE) {
  return accrue::emulator::shuffle(accrue::emulator::Collective::Index, mask,
                                   value, lane, width, file, line);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 ACCRUE_EMULATOR_PLACE) {
  return accrue::emulator::shuffle(accrue::emulator::Collective::Up, mask,
                                   value, delta, width, file, line);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   ACCRUE_EMULATOR_PLACE) {
  return accrue::emulator::shuffle(accrue::emulator::Collective::Down, mask,
                                   value, delta, width, file, line);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32,
                  ACCRUE_EMULATOR_PLACE) {
  return accrue::emulator::shuffle(accrue::emulator::Collective::Xor, mask,
                                   value, laneMask, width, file, line);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              ACCRUE_EMULATOR_PLACE) {
  return static_cast<unsigned>(
      accrue::emulator::waitForWarp(accrue::emulator::Collective::Ballot, mask,
                                    predicate != 0, 0, 32, file, line));
}
inline int __any_sync(unsigned mask, int predicate, ACCRUE_EMULATOR_PLACE) {
  return __ballot_sync(mask, predicate, file, line) != 0;
}
inline int __all_sync(unsigned mask, int predicate, ACCRUE_EMULATOR_PLACE) {
  return __ballot_sync(mask, predicate, file, line) == mask;
}
inline unsigned __activemask() { return accrue::emulator::activeMask(); }

#undef ACCRUE_EMULATOR_PLACE

// Fences order nothing that threads without a barrier may rely on.
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// Atomics are relaxed, as on the device.
template <class T, class Update>
T accrueEmulatorUpdate(T *address, Update update) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  static_assert(sizeof(T) == sizeof(Bits), "expected 4 or 8 bytes");
  auto *cell = reinterpret_cast<Bits *>(address);
  Bits old = __atomic_load_n(cell, __ATOMIC_RELAXED);
  for (;;) {
    T value;
    std::memcpy(&value, &old, sizeof(T));
    T next = update(value);
    Bits bits;
    std::memcpy(&bits, &next, sizeof(T));
    if (__atomic_compare_exchange_n(cell, &old, bits, /*weak=*/false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return value;
  }
}

template <class T>
T atomicAdd(T *address, std::common_type_t<T> value) {
  return accrueEmulatorUpdate(address, [&](T old) { return T(old + value); });
}
template <class T>
T atomicMax(T *address, std::common_type_t<T> value) {
  return accrueEmulatorUpdate(address,
                              [&](T old) { return old < value ? value : old; });
}
template <class T>
T atomicMin(T *address, std::common_type_t<T> value) {
  return accrueEmulatorUpdate(address,
                              [&](T old) { return value < old ? value : old; });
}
template <class T>
T atomicExch(T *address, std::common_type_t<T> value) {
  return accrueEmulatorUpdate(address, [&](T) { return value; });
}
template <class T>
T atomicCAS(T *address, std::common_type_t<T> expected,
            std::common_type_t<T> value) {
  return accrueEmulatorUpdate(
      address, [&](T old) { return old == expected ? value : old; });
}

template <class T>
T __ldg(const T *address) {
  return *address;
}

// Bits and fast math.
inline int __float_as_int(float value) {
  int bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline unsigned __float_as_uint(float value) {
  return static_cast<unsigned>(__float_as_int(value));
}
inline float __int_as_float(int bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline float __uint_as_float(unsigned bits) {
  return __int_as_float(static_cast<int>(bits));
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<uint64_t>(a) * b) >> 32);
}
inline int __popc(unsigned value) { return __builtin_popcount(value); }
inline int __ffs(int value) { return __builtin_ffs(value); }
inline int __clz(int value) {
  return value ? __builtin_clz(static_cast<unsigned>(value)) : 32;
}
inline float rsqrtf(float value) { return 1.0f / sqrtf(value); }
inline double rsqrt(double value) { return 1.0 / sqrt(value); }
inline float __expf(float value) { return expf(value); }
inline float __logf(float value) { return logf(value); }
inline float __fdividef(float a, float b) { return a / b; }

#endif // ACCRUE_RUNTIME_EMULATOR_DEVICE_H
