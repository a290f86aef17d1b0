//===- Parallel.cpp - Parallel loops of generated code --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP by way of libgomp, whose pool is shared with the OpenMP build of
// OpenBLAS: two pools would compete for the same cores.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Parallel.h"

#include <omp.h>

extern "C" void accrue_parallel_for(void (*fn)(void *ctx, int64_t chunk),
                                    void *ctx, int64_t chunks) {
  // Waking the pool costs more than a single chunk is worth.
  if (chunks == 1)
    return fn(ctx, 0);
#pragma omp parallel for schedule(static)
  for (int64_t chunk = 0; chunk < chunks; ++chunk)
    fn(ctx, chunk);
}

extern "C" int64_t accrue_num_threads(void) { return omp_get_max_threads(); }
