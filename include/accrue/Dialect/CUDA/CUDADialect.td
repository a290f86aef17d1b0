//===- CUDADialect.td - The exit level of the CUDA target --*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_CUDADIALECT_TD
#define ACCRUE_DIALECT_CUDA_CUDADIALECT_TD

include "mlir/IR/OpBase.td"

def CUDA_Dialect : Dialect {
  let name = "cuda";
  let cppNamespace = "::accrue::cuda";
  let summary = "CUDA kernels and the calls of a step, one op per call";
  let description = [{
    The exit level: what the CUDA printer (`lib/Target/CUDA`) can say. Every
    decision is made before it, so that the printer only spells.

    | where | ops |
    |---|---|
    | module | `cuda.kernel`, `cuda.ranges`, `cuda.gemm_plan`, `cuda.segment`, step functions (`func.func` with `kernel.plan`) |
    | kernels | `scf.for`, `scf.if`, `scf.yield`, `memref.load`, `memref.store` on linear memory, `arith` and `math` on scalars, `gpu.thread_id`, `gpu.block_id`, `gpu.block_dim`, `gpu.grid_dim` (all `x`), `gpu.barrier`, `gpu.all_reduce`, `cuda.range_rule`, `cuda.return` |
    | segments | `kernel.buffer`, `cuda.part`, `cuda.gemm`, `cuda.launch`, `arith` on scalars, `cuda.return` |
    | step functions | `kernel.buffer`, `cuda.part`, `cuda.input`, `cuda.memcpy`, `cuda.memcpy_2d`, `cuda.begin_fill`, `cuda.end_fill`, `cuda.release`, `cuda.call`, `scf.for` without `iter_args`, `arith` on scalars, `func.return` |

    A step function starts its work on two streams. Copies of inputs go to the
    parts of the arena `inputs` in turn, on a stream of their own:

    ```mlir
    cuda.begin_fill %part       // waits until the part has been read
    cuda.memcpy %x_micro, %x[%offset] count 8192 : ...
    cuda.end_fill %part         // what comes next waits for the copies
    cuda.call @micro_batch(..., %part) : ...
    cuda.release %part          // from here on it has been read
    ```

    `cuda.graphs = #cuda.graphs<...>` on a step function says what of it is
    captured as CUDA graphs; without it nothing is.

    Memory is linear: every memref has rank 1 (before `cuda-linearize-memrefs`
    any; then there are also `affine.delinearize_index`). `index` stands for a signed
    integer of as many bits as the kernel's `index_bits` says; index values are
    never negative.

    **Names.** `cuda.names` on an op has one identifier per result; on an
    `scf.for` first the induction variable, then one per carried value, which
    names argument and result alike; on a step function one per input of its
    plan. `cuda.name` is the identifier of an argument. A value with a name becomes a variable; one without is written
    where it is used. `cuda-name-values` decides.
  }];
  let dependentDialects = ["::accrue::kernel::KernelDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // ACCRUE_DIALECT_CUDA_CUDADIALECT_TD
