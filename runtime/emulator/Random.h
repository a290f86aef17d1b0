//===- Random.h - Orders that a seed chooses ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA promises no order of blocks, warps and streams. Seed 0 of
// ACCRUE_EMULATOR_SEED is the natural one, every other seed is a permutation.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_RANDOM_H
#define ACCRUE_RUNTIME_EMULATOR_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace accrue::emulator {

inline uint64_t getSeed() {
  static const uint64_t seed = [] {
    const char *text = std::getenv("ACCRUE_EMULATOR_SEED");
    return text ? std::strtoull(text, nullptr, 10) : 0;
  }();
  return seed;
}

/// The generator of the process (SplitMix64).
inline uint64_t getRandom() {
  static uint64_t state = getSeed();
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Sets `order` to 0, 1, ... `count` - 1, permuted unless the seed is 0.
inline void permute(std::vector<unsigned> &order, size_t count) {
  order.resize(count);
  for (size_t i = 0; i < count; ++i)
    order[i] = static_cast<unsigned>(i);
  if (getSeed() == 0)
    return;
  for (size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[getRandom() % i]);
}

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_RANDOM_H
