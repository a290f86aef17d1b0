//===- Passes.td - From the planned level to the cuda dialect *- tablegen -*-=//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_CONVERSION_KERNELTOCUDA_PASSES_TD
#define ACCRUE_CONVERSION_KERNELTOCUDA_PASSES_TD

include "mlir/Pass/PassBase.td"

def KernelsToCUDA : Pass<"kernels-to-cuda", "::mlir::ModuleOp"> {
  let summary = "map kernels to threads and steps to CUDA and cuBLASLt calls";
  let description = [{
    Turns every `kernel.func` into a `cuda.kernel`, by its schedule:

    | schedule | threads |
    |---|---|
    | `elementwise`, `columns` | one per iteration of the outer loop, consecutive threads on consecutive elements, in a grid-stride loop; inner loops are sequential |
    | `rows` | one block per row; threads stride along it; reductions go through the block (`gpu.all_reduce`); scalars of the row are computed by all threads, those that are only stored by one |

    Sums have a fixed order: every thread its elements in ascending order, then
    a butterfly over the block. Barriers are placed where a thread may touch
    what another one has written since the last barrier, or the other way
    round.

    Step functions (with `kernel.plan`) turn into calls: `kernel.gemm` becomes
    the column-major `cuda.gemm` with operands exchanged, of a `cuda.gemm_plan`
    that all products of the module share that are alike, `kernel.load_input` a
    copy, and `kernel.flat_update` one kernel over the flat arrays with a table
    of ranges, which does nothing where `*finite` is false. What a rule computes
    from the step's scalars is computed once per thread.

    Refuses, at its location, a loop or a reduction that it cannot map.
  }];
  let dependentDialects = ["::accrue::cuda::CUDADialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::gpu::GPUDialect"];
}

#endif // ACCRUE_CONVERSION_KERNELTOCUDA_PASSES_TD
