//===- cuda_fp16.h - f16 on the host --------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A type of storage: arithmetic is that of float.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_CUDA_FP16_H
#define ACCRUE_RUNTIME_EMULATOR_CUDA_FP16_H

#include "emulator/Half.h"

using __half = accrue::emulator::Half<accrue::emulator::F16>;
using half = __half;

inline float __half2float(__half value) { return value; }
inline __half __float2half(float value) { return value; }
inline __half __float2half_rn(float value) { return value; }

#endif // ACCRUE_RUNTIME_EMULATOR_CUDA_FP16_H
