//===- Half.h - 16-bit floats ---------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions of f16 and bf16, rounded to the nearest even, and a class that
// holds either. What nothing wrote stays recognizable: its pattern becomes that
// of f32, a signalling NaN.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_HALF_H
#define ACCRUE_RUNTIME_EMULATOR_HALF_H

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace accrue::emulator {

/// What fresh memory of the device holds.
inline constexpr uint16_t unwrittenHalf = 0x7fa5;
inline constexpr uint32_t unwrittenWord = 0x7fa57fa5;

inline uint32_t getFloatBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float getFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// 1 sign, 5 exponent and 10 fraction bits.
struct F16 {
  static float decode(uint16_t half) {
    uint32_t sign = uint32_t(half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 0x1f;
    uint32_t fraction = half & 0x3ff;
    if (exponent == 0x1f)
      return getFloat(sign | 0x7f800000 | fraction << 13);
    if (exponent == 0) // Multiples of 2^-24.
      return (sign ? -1.0f : 1.0f) * static_cast<float>(fraction) * 0x1p-24f;
    return getFloat(sign | (exponent + 112) << 23 | fraction << 13);
  }
  static uint16_t encode(uint32_t bits) {
    auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
    uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
      return static_cast<uint16_t>(sign | 0x7fff); // CUDA's NaN.
    if (magnitude >= 0x477ff000)                   // 65520 and more.
      return static_cast<uint16_t>(sign | 0x7c00);
    uint32_t kept, rest, halfway;
    if (magnitude >= 0x38800000) { // A normal number, 2^-14 and more.
      kept = (magnitude - 0x38000000) >> 13;
      rest = magnitude & 0x1fff;
      halfway = 0x1000;
    } else if (magnitude < 0x33000000) { // Less than 2^-25.
      return sign;
    } else {
      uint32_t shift = 126 - (magnitude >> 23);
      uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
      kept = fraction >> shift;
      rest = fraction & ((1u << shift) - 1);
      halfway = 1u << (shift - 1);
    }
    if (rest > halfway || (rest == halfway && kept & 1))
      ++kept;
    return static_cast<uint16_t>(sign | kept);
  }
};

/// The upper half of an f32.
struct BF16 {
  static float decode(uint16_t half) { return getFloat(uint32_t(half) << 16); }
  static uint16_t encode(uint32_t bits) {
    if ((bits & 0x7fffffff) > 0x7f800000)
      return 0x7fff;
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};

/// As CUDA's types, converted from and to numbers without asking.
template <class Format>
class Half {
public:
  Half() = default;
  template <class Number,
            class = std::enable_if_t<std::is_arithmetic<Number>::value>>
  Half(Number value) : bits(encode(static_cast<float>(value))) {}
  operator float() const {
    return bits == unwrittenHalf ? getFloat(unwrittenWord)
                                 : Format::decode(bits);
  }

private:
  static uint16_t encode(float value) {
    uint32_t bits = getFloatBits(value);
    return bits == unwrittenWord ? unwrittenHalf : Format::encode(bits);
  }
  uint16_t bits;
};

} // namespace accrue::emulator

#endif // ACCRUE_RUNTIME_EMULATOR_HALF_H
