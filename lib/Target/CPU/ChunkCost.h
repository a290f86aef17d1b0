//===- ChunkCost.h - How much work is worth a chunk -------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rough count of operations, with constants that belong to the program and
// not to the machine it runs on: numbers of chunks must be reproducible.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_TARGET_CPU_CHUNKCOST_H
#define ACCRUE_LIB_TARGET_CPU_CHUNKCOST_H

#include "accrue/Dialect/Kernel/KernelDrawOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Operation.h"

#include <algorithm>

namespace accrue::cpu {

/// Operations in a chunk: some ten microseconds of vectorized code, several
/// times of what entering a parallel region costs.
inline constexpr int64_t kChunkCost = 1024 * 1024;
/// More chunks than this many serve no machine.
inline constexpr int64_t kMaxChunks = 256;

/// Cost of executing `op` once, without its regions.
inline int64_t getOpCost(mlir::Operation *op) {
  if (llvm::isa<kernel::DrawOp>(op))
    return 100;
  bool isCheap = !llvm::isa<mlir::math::MathDialect>(op->getDialect()) ||
                 llvm::isa<mlir::math::AbsFOp, mlir::math::FmaOp>(op);
  return isCheap ? 1 : 12;
}

/// Number of chunks for work of this cost.
inline int64_t getChunkCount(int64_t cost) {
  return std::clamp<int64_t>(cost / kChunkCost, 1, kMaxChunks);
}

} // namespace accrue::cpu

#endif // ACCRUE_LIB_TARGET_CPU_CHUNKCOST_H
