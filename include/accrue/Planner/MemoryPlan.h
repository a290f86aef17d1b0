//===- MemoryPlan.h - The memory of a compiled step -------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plan of `plan-memory` as numbers: what `--explain memory` prints and
// what a search under a memory limit compares.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_PLANNER_MEMORYPLAN_H
#define ACCRUE_PLANNER_MEMORYPLAN_H

#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include <array>
#include <string>
#include <vector>

namespace accrue {

/// Bytes are those of the arenas: what a target allocates, alignment included.
struct MemoryPlan {
  struct Buffer {
    std::string name;
    kernel::Arena arena;
    std::string type;
    int64_t offset = 0;
    int64_t bytes = 0;
    int64_t firstUse = 0;
    int64_t lastUse = 0;
  };
  struct ArenaUse {
    kernel::Arena arena;
    /// What is allocated.
    int64_t bytes = 0;
    /// The largest live set, or all buffers where none share bytes.
    int64_t used = 0;
  };

  std::string function;
  std::vector<ArenaUse> arenas;
  std::vector<Buffer> buffers;
  /// Bytes of the activations of one micro-batch that are kept from the
  /// forward to the backward pass.
  int64_t kept = 0;
  /// Equal parts of the arena of the inputs: micro-batches that are there at a
  /// time.
  int64_t staging = 1;
  /// Bytes of the activations that are the workspace of matrix products.
  int64_t workspace = 0;
  /// Samples of the largest micro-batch; 0 without batch inputs.
  int64_t microBatch = 0;

  /// Bytes of one arena; 0 where the step has none.
  int64_t getBytes(kernel::Arena arena) const;
  /// Bytes of all arenas.
  int64_t getTotalBytes() const;

  /// One row per arena and the total.
  void print(llvm::raw_ostream &os) const;
  /// Every buffer: place, size, first and last use.
  void printBuffers(llvm::raw_ostream &os) const;
};

/// What people call `arena`: "parameters", "optimizer state".
llvm::StringRef getArenaTitle(kernel::Arena arena);

/// The plans of all planned functions of `module`.
std::vector<MemoryPlan> getMemoryPlans(mlir::ModuleOp module);

} // namespace accrue

#endif // ACCRUE_PLANNER_MEMORYPLAN_H
