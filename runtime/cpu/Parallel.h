//===- Parallel.h - Parallel loops of generated code ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one way in which generated programs use several threads.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_CPU_PARALLEL_H
#define ACCRUE_RUNTIME_CPU_PARALLEL_H

#include <cstdint>

extern "C" {

/// Calls `fn(ctx, chunk)` for each chunk in [0, chunks), on several threads,
/// and returns when all are done. Chunks must be independent. Because the
/// caller fixes their number, results do not depend on the number of threads.
void accrue_parallel_for(void (*fn)(void *ctx, int64_t chunk), void *ctx,
                         int64_t chunks);

/// The number of threads that a loop uses: OMP_NUM_THREADS, or one per core.
int64_t accrue_num_threads(void);
}

#endif // ACCRUE_RUNTIME_CPU_PARALLEL_H
