//===- MemorySearchTest.cpp - The largest micro-batch that fits -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Planner/MemorySearch.h"
#include "gtest/gtest.h"

using namespace accrue;
using train::RematPolicy;

static const RematPolicy kBoth[] = {RematPolicy::None, RematPolicy::Full};

/// 100 bytes fixed, 10 per sample, 4 with recomputation.
static llvm::FailureOr<int64_t> plan(int64_t size, RematPolicy policy) {
  return 100 + size * (policy == RematPolicy::None ? 10 : 4);
}

static MemoryCandidate find(int64_t batch, int64_t limit) {
  llvm::FailureOr<MemorySearchResult> result =
      searchMemory(batch, limit, kBoth, plan);
  EXPECT_TRUE(succeeded(result));
  EXPECT_TRUE(result->best.has_value());
  return result->best.value_or(MemoryCandidate());
}

TEST(MemorySearchTest, FindsTheLargestOfEverySize) {
  for (int64_t batch : {1, 2, 7, 64})
    for (int64_t size = 1; size <= batch; ++size) {
      EXPECT_EQ(find(batch, 100 + 10 * size).microBatch, size);
      EXPECT_EQ(find(batch, 100 + 10 * size + 9).microBatch, size);
    }
}

TEST(MemorySearchTest, RecomputesOnlyWhereNothingElseFits) {
  MemoryCandidate stored = find(64, 110);
  EXPECT_EQ(stored.microBatch, 1);
  EXPECT_EQ(stored.remat, RematPolicy::None);
  MemoryCandidate recomputed = find(64, 109);
  EXPECT_EQ(recomputed.microBatch, 2);
  EXPECT_EQ(recomputed.remat, RematPolicy::Full);
  EXPECT_EQ(recomputed.bytes, 108);
}

TEST(MemorySearchTest, NamesTheFloor) {
  llvm::FailureOr<MemorySearchResult> result =
      searchMemory(64, 103, kBoth, plan);
  ASSERT_TRUE(succeeded(result));
  EXPECT_FALSE(result->best.has_value());
  EXPECT_EQ(result->floor.microBatch, 1);
  EXPECT_EQ(result->floor.remat, RematPolicy::Full);
  EXPECT_EQ(result->floor.bytes, 104);
}

TEST(MemorySearchTest, TriesNeighboursOfABump) {
  // Sizes that do not divide the batch need 15 bytes more.
  auto bumpy = [](int64_t size, RematPolicy) -> llvm::FailureOr<int64_t> {
    return 10 * size + (64 % size == 0 ? 0 : 15);
  };
  llvm::FailureOr<MemorySearchResult> result =
      searchMemory(64, 160, {RematPolicy::None}, bumpy);
  ASSERT_TRUE(succeeded(result));
  EXPECT_EQ(result->best->microBatch, 16);
  EXPECT_EQ(result->best->bytes, 160);
}

TEST(MemorySearchTest, MakesEveryPlanOnce) {
  std::vector<int64_t> sizes;
  auto count = [&](int64_t size, RematPolicy) -> llvm::FailureOr<int64_t> {
    EXPECT_EQ(llvm::count(sizes, size), 0);
    sizes.push_back(size);
    return size;
  };
  EXPECT_EQ(searchMemory(1 << 20, 12345, kBoth, count)->best->microBatch,
            12345);
  EXPECT_LE(sizes.size(), 26u);
}

TEST(MemorySearchTest, StopsAtAnError) {
  auto refuse = [](int64_t, RematPolicy) -> llvm::FailureOr<int64_t> {
    return llvm::failure();
  };
  EXPECT_TRUE(failed(searchMemory(8, 100, kBoth, refuse)));
}
