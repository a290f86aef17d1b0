//===- KernelCost.h - What a kernel does at least ---------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Traffic and arithmetic of kernels of the planned level, read from their loops
// and accesses: what emitted text is annotated with, and what measured times
// are compared with.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_KERNELCOST_H
#define ACCRUE_ANALYSIS_KERNELCOST_H

#include "accrue/Dialect/Kernel/KernelOps.h"

namespace accrue {

/// What one run of a kernel does.
struct KernelCost {
  /// Bytes that are read and written, every element once.
  int64_t bytes = 0;
  /// Floating-point operations: a multiply-add counts two, a function (a
  /// square root, an exponential) one; comparisons, selections and conversions
  /// do not count.
  int64_t flops = 0;
};

/// Elements that are never accessed, as most rows of a table, do not count. A
/// loop whose bounds are not constant is taken to run over an equal part of the
/// largest argument.
KernelCost getKernelCost(kernel::FuncOp kernel);

/// C is read unless beta is the constant 0.
KernelCost getKernelCost(kernel::GemmOp gemm);

/// Parameters, gradients and slots of the ranges. What rules compute from the
/// step's scalars alone does not count.
KernelCost getKernelCost(kernel::FlatUpdateOp update);

} // namespace accrue

#endif // ACCRUE_ANALYSIS_KERNELCOST_H
