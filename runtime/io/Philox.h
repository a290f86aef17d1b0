//===- Philox.h - Counter-based random numbers ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy
// as 1, 2, 3, SC 2011). A random word is a pure function of a key and a
// counter, so nothing depends on the order in which draws are made, nor on the
// machine.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_PHILOX_H
#define ACCRUE_RUNTIME_IO_PHILOX_H

#include <array>
#include <cstdint>
#include <string_view>

namespace accrue::io {

using PhiloxCounter = std::array<uint32_t, 4>;
using PhiloxKey = std::array<uint32_t, 2>;

/// Ten rounds of Philox 4x32: 128 random bits for this counter under this key.
constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(0xD2511F53) * counter[0];
    uint64_t product1 = uint64_t(0xCD9E8D57) * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

/// Two 64-bit words, each a pure function of (seed, stream, index). Streams
/// keep the uses of one seed apart.
struct PhiloxWords {
  uint64_t first;
  uint64_t second;
};

constexpr PhiloxWords philoxWords(uint64_t seed, uint64_t stream,
                                  uint64_t index) {
  PhiloxCounter bits = philox4x32(
      {static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32),
       static_cast<uint32_t>(stream), static_cast<uint32_t>(stream >> 32)},
      {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)});
  return {bits[0] | uint64_t(bits[1]) << 32, bits[2] | uint64_t(bits[3]) << 32};
}

/// FNV-1a, 64 bits: the stream of a name.
constexpr uint64_t hashName(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char character : name)
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3;
  return hash;
}

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_PHILOX_H
