//===- cuda_bf16.h - bf16 on the host -------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A type of storage: arithmetic is that of float.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_EMULATOR_CUDA_BF16_H
#define ACCRUE_RUNTIME_EMULATOR_CUDA_BF16_H

#include "emulator/Half.h"

using __nv_bfloat16 = accrue::emulator::Half<accrue::emulator::BF16>;
using nv_bfloat16 = __nv_bfloat16;

inline float __bfloat162float(__nv_bfloat16 value) { return value; }
inline __nv_bfloat16 __float2bfloat16(float value) { return value; }
inline __nv_bfloat16 __float2bfloat16_rn(float value) { return value; }

#endif // ACCRUE_RUNTIME_EMULATOR_CUDA_BF16_H
