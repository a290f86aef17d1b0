//===- Plan.cpp - The plan of an emitted program --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines of the head are "//   NAME  BYTES" for an arena and, indented further,
// "//   OFFSET  BYTES  NAME  TYPE" for a buffer of the last arena.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/Plan.h"

#include "runtime/emulator/Error.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace accrue::emulator;

std::vector<Range> Arena::getGaps() const {
  std::vector<Range> sorted = buffers;
  std::sort(sorted.begin(), sorted.end(),
            [](const Range &a, const Range &b) { return a.begin < b.begin; });
  std::vector<Range> gaps;
  size_t end = 0;
  for (const Range &buffer : sorted) {
    if (buffer.begin > end)
      gaps.push_back({end, buffer.begin});
    end = std::max(end, buffer.end);
  }
  if (end < bytes)
    gaps.push_back({end, bytes});
  return gaps;
}

static std::vector<Arena> readPlan(const char *path) {
  std::vector<Arena> arenas;
  FILE *file = std::fopen(path, "r");
  if (!file)
    fatal(std::string("cannot read the plan '") + path + "'");
  char line[1024];
  while (std::fgets(line, sizeof line, file) && !std::strncmp(line, "//", 2)) {
    char name[256], type[64];
    unsigned long long offset, bytes;
    if (std::sscanf(line, "// %llu %llu %255s %63s", &offset, &bytes, name,
                    type) == 4) {
      if (arenas.empty())
        continue;
      Range range = {offset, offset + bytes};
      arenas.back().buffers.push_back(range);
      if (!std::strncmp(type, "f64", 3))
        arenas.back().doubles.push_back(range);
    } else if (int length = 0;
               std::sscanf(line, "//   %255s %llu%n", name, &bytes, &length) ==
                   2 &&
               (line[length] == '\n' ||
                !std::strncmp(line + length, "  in ", 5)) &&
               std::isalpha(static_cast<unsigned char>(name[0])) &&
               !std::strncmp(line, "//   ", 5)) {
      arenas.emplace_back();
      arenas.back().bytes = bytes;
    }
  }
  std::fclose(file);
  if (arenas.empty())
    fatal(std::string("no arenas at the head of '") + path + "'");
  return arenas;
}

const Arena *accrue::emulator::findArena(size_t bytes) {
  static const char *path = std::getenv("ACCRUE_EMULATOR_PLAN");
  if (!path)
    return nullptr;
  static const auto &arenas = *new std::vector<Arena>(readPlan(path));
  static size_t next = 0;
  for (size_t i = 0; i < arenas.size(); ++i) {
    const Arena &arena = arenas[(next + i) % arenas.size()];
    if (arena.bytes != bytes)
      continue;
    next = (next + i + 1) % arenas.size();
    return &arena;
  }
  return nullptr;
}
