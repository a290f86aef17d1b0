//===- Vectors.h - Short vectors ------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// float4 and its kind, with CUDA's alignment: a vector access of a misaligned
// address is an error on the device, and one of UndefinedBehaviorSanitizer.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_VECTORS_H
#define ACCRUE_RUNTIME_EMULATOR_VECTORS_H

#define ACCRUE_EMULATOR_VECTORS(name, type, align2, align4)                    \
  struct alignas(align2) name##2 { type x, y; };                               \
  struct name##3 { type x, y, z; };                                            \
  struct alignas(align4) name##4 { type x, y, z, w; };                         \
  inline name##2 make_##name##2(type x, type y) { return {x, y}; }             \
  inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }  \
  inline name##4 make_##name##4(type x, type y, type z, type w) {              \
    return {x, y, z, w};                                                       \
  }

ACCRUE_EMULATOR_VECTORS(char, signed char, 2, 4)
ACCRUE_EMULATOR_VECTORS(int, int, 8, 16)
ACCRUE_EMULATOR_VECTORS(uint, unsigned, 8, 16)
ACCRUE_EMULATOR_VECTORS(longlong, long long, 16, 16)
ACCRUE_EMULATOR_VECTORS(float, float, 8, 16)
ACCRUE_EMULATOR_VECTORS(double, double, 16, 16)

#undef ACCRUE_EMULATOR_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

#endif // ACCRUE_RUNTIME_EMULATOR_VECTORS_H
