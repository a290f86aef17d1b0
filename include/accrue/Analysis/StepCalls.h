//===- StepCalls.h - What a step runs ---------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels and matrix products of a planned step, with how often one step
// runs them: what a benchmark lists. Layers of a model share kernels, so this
// is much shorter than the step.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_STEPCALLS_H
#define ACCRUE_ANALYSIS_STEPCALLS_H

#include "accrue/Analysis/KernelCost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue {

/// A kernel or a matrix product, for all places of a step that run it.
struct StepCall {
  /// The first place: a `kernel.launch`, `kernel.gemm` or `kernel.flat_update`.
  mlir::Operation *op = nullptr;
  /// Unique in the step. A product is called by its transposes and extents, as
  /// `matmul_nt_128x10x64`; with `_add` where it adds to its result.
  std::string name;
  /// "kernel" or "matmul".
  llvm::StringRef kind;
  /// The lines of the model that it comes from, as "digits.acr:5".
  llvm::SmallVector<std::string> sources;
  /// How often one step runs it.
  int64_t callsPerStep = 0;
  /// Of one run.
  KernelCost cost;
};

/// What `step` runs, in the order of its first calls: launches of one kernel,
/// and products of the same form, are one entry. Fails, after an error at the
/// loop, where the number of calls is not constant.
mlir::FailureOr<llvm::SmallVector<StepCall>>
listStepCalls(mlir::func::FuncOp step);

/// The name of `batch` products of an m x k by a k x n matrix.
std::string getMatmulName(bool transposeA, bool transposeB, int64_t m,
                          int64_t n, int64_t k, int64_t batch,
                          bool isAccumulating);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_STEPCALLS_H
