//===- Packing.cpp - Buffers in one arena ---------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Planner/Packing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace accrue;

static bool livesMeet(const PackedBuffer &a, const PackedBuffer &b) {
  return a.firstUse <= b.lastUse && b.firstUse <= a.lastUse;
}

int64_t accrue::packBuffers(llvm::MutableArrayRef<PackedBuffer> buffers,
                            int64_t alignment) {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, buffers.size()));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return buffers[a].bytes > buffers[b].bytes;
  });
  int64_t end = 0;
  llvm::SmallVector<unsigned> placed;
  for (unsigned index : order) {
    PackedBuffer &buffer = buffers[index];
    int64_t multiple = std::max(alignment, buffer.alignment);
    auto isPartner = [&](unsigned other) {
      return llvm::is_contained(buffer.partners, other) ||
             llvm::is_contained(buffers[other].partners, index);
    };
    // Occupied ranges, by offset.
    llvm::SmallVector<std::pair<int64_t, unsigned>> occupied;
    for (unsigned other : placed)
      if (livesMeet(buffer, buffers[other]))
        occupied.emplace_back(buffers[other].offset, other);
    llvm::sort(occupied);

    auto isFree = [&](int64_t offset) {
      return llvm::none_of(occupied, [&](auto entry) {
        const PackedBuffer &other = buffers[entry.second];
        bool disjoint = offset + buffer.bytes <= other.offset ||
                        other.offset + other.bytes <= offset;
        return !disjoint &&
               !(offset == other.offset && isPartner(entry.second));
      });
    };
    // In place of a partner, else the first gap.
    for (unsigned other : placed)
      if (buffer.offset < 0 && isPartner(other) &&
          buffers[other].offset % multiple == 0 &&
          isFree(buffers[other].offset))
        buffer.offset = buffers[other].offset;
    if (buffer.offset < 0) {
      int64_t offset = 0;
      for (auto [start, other] : occupied) {
        if (offset + buffer.bytes <= start)
          break;
        offset = std::max(offset, static_cast<int64_t>(llvm::alignTo(
                                      start + buffers[other].bytes, multiple)));
      }
      buffer.offset = offset;
    }
    placed.push_back(index);
    end = std::max(end, buffer.offset + buffer.bytes);
  }
  return end;
}

int64_t accrue::getPeakBytes(llvm::ArrayRef<PackedBuffer> buffers) {
  int64_t peak = 0;
  for (const PackedBuffer &at : buffers) {
    // The live set only grows where a life begins.
    llvm::SmallVector<std::pair<int64_t, int64_t>> ranges;
    for (const PackedBuffer &buffer : buffers)
      if (buffer.firstUse <= at.firstUse && at.firstUse <= buffer.lastUse)
        ranges.emplace_back(buffer.offset, buffer.offset + buffer.bytes);
    llvm::sort(ranges);
    int64_t live = 0, covered = 0;
    for (auto [start, end] : ranges) {
      live += std::max<int64_t>(0, end - std::max(start, covered));
      covered = std::max(covered, end);
    }
    peak = std::max(peak, live);
  }
  return peak;
}
