//===- Random.cuh - Random numbers in kernels -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy
// as 1, 2, 3, SC 2011) of the seed and of a counter: the place of an element in
// its sample, the sample in the batch, the batch, the draw in the model. So a
// number does not depend on how a batch is split, and can be computed again.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CUDA_RANDOM_CUH
#define ACCRUE_RUNTIME_CUDA_RANDOM_CUH

#include <cmath>
#include <cstdint>

namespace accrue {

/// 128 random bits.
struct RandomBits {
  uint32_t words[4];
};

__device__ inline RandomBits drawBits(int64_t seed, int64_t batch,
                                      int32_t sample, int32_t place,
                                      uint32_t site) {
  uint32_t key0 = static_cast<uint32_t>(seed);
  uint32_t key1 = static_cast<uint32_t>(static_cast<uint64_t>(seed) >> 32);
  uint32_t c0 = static_cast<uint32_t>(place);
  uint32_t c1 = static_cast<uint32_t>(sample);
  uint32_t c2 = static_cast<uint32_t>(batch);
  uint32_t c3 = site | 0x80000000u;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = static_cast<uint64_t>(0xD2511F53u) * c0;
    const uint64_t product1 = static_cast<uint64_t>(0xCD9E8D57u) * c2;
    c0 = static_cast<uint32_t>(product1 >> 32) ^ c1 ^ key0;
    c1 = static_cast<uint32_t>(product1);
    c2 = static_cast<uint32_t>(product0 >> 32) ^ c3 ^ key1;
    c3 = static_cast<uint32_t>(product0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

/// The top `digits` bits of `high`, then `low`, as a number in [0, 1).
template <class T>
__device__ T toUnit(uint32_t high, uint32_t low, int digits) {
  const uint64_t word = static_cast<uint64_t>(high) << 32 | low;
  // A power of two: exact.
  const T unit = T(1) / static_cast<T>(uint64_t(1) << digits);
  return static_cast<T>(static_cast<int64_t>(word >> (64 - digits))) * unit;
}

/// Uniform in [0, 1).
template <class T>
__device__ T drawUniform(int64_t seed, int64_t batch, int32_t sample,
                         int32_t place, uint32_t site, int digits) {
  const RandomBits bits = drawBits(seed, batch, sample, place, site);
  return toUnit<T>(bits.words[0], bits.words[1], digits);
}

__device__ inline float boxMuller(float first, float second) {
  return sqrtf(-2.0f * logf(1.0f - first)) * cosf(6.2831855f * (second - 0.5f));
}
__device__ inline double boxMuller(double first, double second) {
  return sqrt(-2.0 * log(1.0 - first)) *
         cos(6.283185307179586 * (second - 0.5));
}

/// Standard normal.
template <class T>
__device__ T drawNormal(int64_t seed, int64_t batch, int32_t sample,
                        int32_t place, uint32_t site, int digits) {
  const RandomBits bits = drawBits(seed, batch, sample, place, site);
  return boxMuller(toUnit<T>(bits.words[0], bits.words[1], digits),
                   toUnit<T>(bits.words[2], bits.words[3], digits));
}

} // namespace accrue

#endif // ACCRUE_RUNTIME_CUDA_RANDOM_CUH
