//===- RuntimeText.h - The text of runtime/cuda -----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_TARGET_CUDA_RUNTIMETEXT_H
#define ACCRUE_LIB_TARGET_CUDA_RUNTIMETEXT_H

namespace accrue::cuda {

/// The files of `runtime/cuda` in an order in which each can follow the ones
/// that it includes; then a null pointer. CMake writes the definition.
extern const char *const kRuntimeText[];

/// The text of `runtime/cuda/Random.cuh`, for programs that draw numbers.
extern const char *const kRandomText;

/// The text of `runtime/cuda/Benchmark.cuh`.
extern const char *const kBenchmarkText;

} // namespace accrue::cuda

#endif // ACCRUE_LIB_TARGET_CUDA_RUNTIMETEXT_H
