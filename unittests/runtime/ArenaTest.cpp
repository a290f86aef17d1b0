//===- ArenaTest.cpp - Unit tests of arenas -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions are aligned, zeroed and disjoint, and a plan that is not what was
// taken is reported.
//
//===----------------------------------------------------------------------===//

#include "runtime/cpu/Arena.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace accrue;
using cpu::Arena;

namespace {

TEST(Arena, GivesWhatWasPlanned) {
  // Less than a page, and more than a huge page.
  for (int64_t planned : {192, 5 << 20}) {
    io::Result<Arena> arena = Arena::create(planned);
    ASSERT_TRUE(arena.ok());
    EXPECT_TRUE(std::all_of(arena->data(), arena->data() + planned,
                            [](uint8_t byte) { return byte == 0; }));
    io::Result<void *> first = arena->allocate("first", 100);
    io::Result<void *> empty = arena->allocate("empty", 0);
    io::Result<void *> second = arena->allocate("second", planned - 128);
    ASSERT_TRUE(first.ok() && empty.ok() && second.ok());
    EXPECT_EQ(*first, arena->data());
    EXPECT_EQ(*second, arena->data() + 128);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(*second) % Arena::alignment, 0u);
    std::fill_n(static_cast<uint8_t *>(*second), planned - 128, 1);
    EXPECT_EQ(arena->allocatedBytes(), planned);
    EXPECT_TRUE(arena->checkPlan().ok());
  }
}

TEST(Arena, ReportsAPlanThatIsNotKept) {
  io::Result<Arena> arena = Arena::create(1000);
  ASSERT_TRUE(arena.ok());
  ASSERT_TRUE(arena->allocate("weights", 600).ok());
  io::Status status = arena->checkPlan();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "memory plan: planned 1000 bytes, allocated 600");
  io::Result<void *> rest = arena->allocate("gradients", 361);
  ASSERT_FALSE(rest.ok());
  EXPECT_EQ(rest.message(),
            "arena 'gradients': expected 361 bytes in the plan, got 360 of "
            "1000");
  EXPECT_TRUE(arena->allocate("gradients", 360).ok());
  EXPECT_TRUE(arena->checkPlan().ok());
}

TEST(Arena, EmptyPlan) {
  io::Result<Arena> arena = Arena::create(0);
  ASSERT_TRUE(arena.ok());
  EXPECT_NE(arena->data(), nullptr);
  EXPECT_TRUE(arena->checkPlan().ok());
}

TEST(Arena, RefusesWhatCannotBeMapped) {
  for (int64_t planned : {int64_t(-1), int64_t(1) << 60, INT64_MAX})
    EXPECT_FALSE(Arena::create(planned).ok());
}

TEST(Arena, MovesItsMapping) {
  io::Result<Arena> made = Arena::create(100);
  ASSERT_TRUE(made.ok());
  uint8_t *base = made->data();
  Arena moved = std::move(*made);
  EXPECT_EQ(moved.data(), base);
  EXPECT_EQ(made->data(), nullptr);
  base[99] = 1;
}

} // namespace
