//===- KernelDialect.td - The kernel dialect ---------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_KERNELDIALECT_TD
#define ACCRUE_DIALECT_KERNEL_KERNELDIALECT_TD

include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::accrue::kernel";
  let summary = "kernels, matrix products, buffers in arenas";
  let description = [{
    What a step is made of once its loops and its memory are decided. The
    dialect has two levels.

    **Kernels level** (tensors, destination-passing): `kernel.alloc` makes a
    named tensor of an arena, `kernel.group` is one future kernel,
    `kernel.gemm` one matrix product, `kernel.scatter_add` sums of slices by
    index, `kernel.load_input` the transfer of a micro-batch, `kernel.norm` and
    `kernel.update` the optimizer on lists of tensors. Micro-batches are `scf.for` loops whose `iter_args` are the
    accumulators.

    **Planned level** (memrefs): the closed set that targets have to translate.

    | where | ops |
    |---|---|
    | step function (`func.func` with `kernel.plan`) | `kernel.buffer`, `kernel.load_input`, `kernel.gemm`, `kernel.launch`, `kernel.flat_update`, `scf.for` without `iter_args`, `arith` on index, i1 and float scalars, `func.return` |
    | kernels (`kernel.func`) | `scf.parallel` (with `scf.reduce`), `memref.load`, `memref.store`, `arith` and `math` on scalars, `kernel.return`; with the schedule `scatter` also `scf.for` and `scf.if` without results |

    Arguments of the step function are arenas, `memref<Nxi8>` with the
    attribute `kernel.arena = #kernel.arena<params>` and the like, aligned to
    64 bytes. `params`, `gradients`, `slots` and `state` are zero when the program
    starts, the others have unknown contents: a step writes a buffer before it reads
    it. Bytes between buffers are never written. Nothing is allocated inside a step.

    The function's `kernel.plan` names every buffer. What the model said of it
    (`train.name`, `train.slot`, `train.init`, `train.rule`, `train.result`) is
    kept in the buffer's attributes.

    A `kernel.func` has one of four forms, named by its schedule:

    * `elementwise`: one `scf.parallel` without results, whose iterations are
      independent. A kernel on scalars (rank 0) has no loop at all.
    * `rows`: one `scf.parallel` over rows; in it, one after the other,
      `scf.parallel` loops along the row, each either a reduction (one
      `scf.reduce` with results) or a map (no result, stores only). Values
      between them are scalars of the row. A kernel with a single row lacks
      the outer loop.
    * `columns`: one `scf.parallel` over the elements of the result (the last
      of its dimensions is contiguous in memory), in it reductions over what
      is summed, which is strided in memory.
    * `scatter`: one `scf.parallel` over ranges of rows; in it, in order,
      sequential `scf.for` and `scf.if`, and in these `scf.parallel` loops
      without results along the columns. Conditions and bounds are the same for
      all columns, all of these loops have the same bounds, and what an
      iteration stores is read by iterations of the same number only: one thread
      can do all of a column.

    In all forms, scalars that are the same for all iterations come first,
    before the loop.
  }];
  let dependentDialects = ["::accrue::train::TrainDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
}

#endif // ACCRUE_DIALECT_KERNEL_KERNELDIALECT_TD
