//===- Passes.td - Passes of the kernel dialect ------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_PASSES_TD
#define ACCRUE_DIALECT_KERNEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def BufferizeKernels : Pass<"bufferize-kernels", "::mlir::ModuleOp"> {
  let summary = "from tensors to buffers, whole functions at once";
  let description = [{
    One-shot bufferization of all functions, with identity layouts at their
    boundaries: `kernel.alloc` is the only allocation, destinations are written
    in place, loops carry no accumulators any more (they are buffers). Where a
    value that is overwritten is still needed, a copy (a group named `copy`)
    is inserted. Bodies of groups stay on tensors: the body says what is
    computed, the operands say where it is.
  }];
  let dependentDialects = ["::accrue::kernel::KernelDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

#endif // ACCRUE_DIALECT_KERNEL_PASSES_TD
