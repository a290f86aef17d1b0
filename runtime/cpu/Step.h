//===- Step.h - The C interface of a compiled step --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a step compiled for the CPU is to the program that calls it: one
// function over the memory of its arenas, which asks for its inputs.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CPU_STEP_H
#define ACCRUE_RUNTIME_CPU_STEP_H

#include <cstdint>

extern "C" {

/// Writes samples [first, first + count) of the logical batch to `to`, for
/// batch input number `input`, in C order. `ctx` is what the step was called
/// with. Returns 0, or another number to end the step.
typedef int32_t (*accrue_load_input_fn)(void *ctx, int64_t input, int64_t first,
                                        int64_t count, void *to);

/// Runs one logical batch. `arenas` are the addresses of the step's arenas in
/// the order of its memory plan, each of the plan's size, aligned to 64 bytes
/// and zero before the first step. Returns 0, or at once what `load` returned;
/// then parameters, optimizer slots and other state are as before.
typedef int32_t (*accrue_step_fn)(void *const *arenas,
                                  accrue_load_input_fn load, void *ctx);
}

#endif // ACCRUE_RUNTIME_CPU_STEP_H
