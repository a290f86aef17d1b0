//===- Draw.h - Random numbers of a step ------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nn.uniform and nn.normal mean, in one place: the layout of the counter,
// and numbers from its bits. Targets compute the same bits.
//
//   key      word 0, 1   the seed, low half first
//   counter  word 0      the place of the element within its sample
//            word 1      the index of the sample in the logical batch
//            word 2      the index of the logical batch, low half
//            word 3      the site, with the top bit set, which tells draws
//                        from the streams of initial values and data orders
//
// A number takes the top bits of 64: words 0 and 1, high half first, and words
// 2 and 3 where it needs a second one. So an f32 is an f64 cut off.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_DRAW_H
#define ACCRUE_RUNTIME_IO_DRAW_H

#include "runtime/io/Philox.h"

#include <cmath>

namespace accrue::io {

/// Where an element is drawn.
struct DrawPlace {
  uint64_t seed = 0;
  uint64_t batch = 0;
  uint32_t site = 0;
  uint32_t sample = 0;
  uint32_t place = 0;
};

/// Two numbers of `digits` binary digits in [0, 1).
struct DrawPair {
  double first;
  double second;
};

inline DrawPair drawPair(const DrawPlace &at, int digits) {
  PhiloxCounter bits = philox4x32(
      {at.place, at.sample, static_cast<uint32_t>(at.batch),
       at.site | 0x80000000u},
      {static_cast<uint32_t>(at.seed), static_cast<uint32_t>(at.seed >> 32)});
  auto toUnit = [&](uint32_t high, uint32_t low) {
    uint64_t word = uint64_t(high) << 32 | low;
    return std::ldexp(static_cast<double>(word >> (64 - digits)), -digits);
  };
  return {toUnit(bits[0], bits[1]), toUnit(bits[2], bits[3])};
}

/// Uniform in [0, 1).
inline double drawUniform(const DrawPlace &at, int digits) {
  return drawPair(at, digits).first;
}

/// Standard normal, by Box and Muller: 1 - first lies in (0, 1], where the
/// logarithm is finite, and the angle in [-pi, pi).
inline double drawNormal(const DrawPlace &at, int digits) {
  DrawPair pair = drawPair(at, digits);
  return std::sqrt(-2 * std::log(1 - pair.first)) *
         std::cos(6.283185307179586 * (pair.second - 0.5));
}

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_DRAW_H
