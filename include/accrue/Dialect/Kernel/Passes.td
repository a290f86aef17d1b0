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

def GroupsToLoops : Pass<"groups-to-loops", "::mlir::func::FuncOp"> {
  let summary = "bodies of groups as loops on buffers";
  let description = [{
    Generates the loop nest of every bufferized `kernel.group` from its linalg
    body, in the form of its schedule (see the dialect). Elements are evaluated
    on demand: an elementwise producer is computed where it is read, values of
    a row once per row, so nothing inside a kernel is stored. A group that
    touches all its tensors at the same place runs over the flat index.

    Refuses bodies with ops that are not linalg generics or fills, reshapes,
    slices, selects or constants of one value.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // ACCRUE_DIALECT_KERNEL_PASSES_TD
