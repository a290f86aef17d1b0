//===- ParallelTest.cpp - Unit tests of parallel loops --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every chunk runs exactly once, whatever the number of threads.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Parallel.h"

#include "gtest/gtest.h"

#include <omp.h>
#include <vector>

namespace {

void countChunk(void *ctx, int64_t chunk) { ++static_cast<int *>(ctx)[chunk]; }

TEST(Parallel, EveryChunkRunsOnce) {
  int threads = omp_get_max_threads();
  for (int wanted : {1, 3}) {
    omp_set_num_threads(wanted);
    EXPECT_EQ(accrue_num_threads(), wanted);
    for (int64_t chunks : {0, 1, 2, 7, 1000}) {
      std::vector<int> counts(chunks + 1);
      accrue_parallel_for(countChunk, counts.data(), chunks);
      for (int64_t i = 0; i < chunks; ++i)
        EXPECT_EQ(counts[i], 1);
      EXPECT_EQ(counts[chunks], 0);
    }
  }
  omp_set_num_threads(threads);
}

/// A loop of four chunks in row `chunk` of a 4 x 4 matrix of counts.
void countRow(void *ctx, int64_t chunk) {
  accrue_parallel_for(countChunk, static_cast<int *>(ctx) + 4 * chunk, 4);
}

TEST(Parallel, LoopsNest) {
  std::vector<int> counts(16);
  accrue_parallel_for(countRow, counts.data(), 4);
  EXPECT_EQ(counts, std::vector<int>(16, 1));
}

} // namespace
