//===- Passes.td - Passes of the CPU target ----------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TARGET_CPU_PASSES_TD
#define ACCRUE_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChunkKernels : Pass<"cpu-chunk-kernels", "::accrue::kernel::FuncOp"> {
  let summary = "cut kernels into chunks of independent sequential loops";
  let description = [{
    Loops without results at the top of a kernel are cut into chunks, which
    run in parallel; all loops inside become sequential. The number of chunks
    follows from the amount of work alone, never from the machine, so results
    do not depend on the number of threads. A kernel that is too small to be
    worth a parallel region has one chunk and no `scf.parallel` any more.

    ```mlir
    scf.parallel (%i) = (%c0) to (%c1048576) step (%c1) { ... }
    // becomes
    scf.parallel (%c) = (%c0) to (%c32) step (%c1) {
      %lo = arith.muli %c, %c32768 : index
      %end = arith.addi %lo, %c32768 : index
      %hi = arith.minsi %end, %c1048576 : index
      scf.for %i = %lo to %hi step %c1 { ... }
    }
    ```

    The innermost loop runs along the last dimension, which is contiguous.
    Where all memory is accessed in the order of the iterations, dimensions
    are collapsed into one. Sums may be reassociated (`fastmath<reassoc>` on
    the addition that combines, and nowhere else): LLVM's vectorizer then keeps
    several partial sums, in an order that is fixed when it compiles.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def InterchangeColumns
    : Pass<"cpu-interchange-columns", "::accrue::kernel::FuncOp"> {
  let summary = "sum columns row by row";
  let description = [{
    In a kernel of schedule `columns`, interchanges the loop over columns, which
    are strided in memory, with the reductions inside it, so that the innermost
    loop runs along rows. Partial results are kept per column in a buffer on the
    stack, for a block of columns at a time. Every column is still reduced in
    the order of the rows.

    ```mlir
    scf.for %j = %c0 to %c300 step %c1 {
      %sum = scf.for %i = %c0 to %c512 step %c1 iter_args(%s = %zero) -> (f32) { ... }
      memref.store %sum, %y[%j] : memref<300xf32>
    }
    // becomes
    %partial = memref.alloca() : memref<512xf32>
    scf.for %j = %c0 to %c300 step %c1 { /* %partial[%j] = 0 */ }
    scf.for %i = %c0 to %c512 step %c1 {
      scf.for %j = %c0 to %c300 step %c1 { /* %partial[%j] += ... */ }
    }
    scf.for %j = %c0 to %c300 step %c1 { /* %y[%j] = %partial[%j] */ }
    ```

    Requires that `cpu-chunk-kernels` has run. A kernel that stores before it
    reduces is left alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandUpdate : Pass<"cpu-expand-update", "::mlir::ModuleOp"> {
  let summary = "turn kernel.flat_update into a kernel over chunks of ranges";
  let description = [{
    The kernel reads the scalars of the step once, computes what depends on
    them only, and does nothing unless the step is finite. Its chunks have
    about equally many elements; constant tables say which pieces of which
    ranges make up a chunk, and by which rule a piece is updated.

    Requires that `cpu-chunk-kernels` has run: the new kernel has chunks.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def ExpandDraws : Pass<"cpu-expand-draws", "::accrue::kernel::FuncOp"> {
  let summary = "compute random numbers by arithmetic";
  let description = [{
    Replaces every `kernel.draw` by the ten rounds of Philox 4x32-10 on
    integers and, for a normal number, the formula of Box and Muller. A call
    would keep a loop scalar.

    Requires that `cpu-chunk-kernels` has run, which counts a draw as one op.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def ApproximateMath : Pass<"cpu-approximate-math", "::accrue::kernel::FuncOp"> {
  let summary = "compute f32 functions by polynomials";
  let description = [{
    Replaces exp, log, tanh and the like on f32 by MLIR's polynomial
    approximations (exp and log within 1 ulp, tanh within 5), which vectorize.
    f64 is left to the mathematical library.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def OutlineChunks : Pass<"cpu-outline-chunks", "::mlir::ModuleOp"> {
  let summary = "make the body of every parallel loop a function";
  let description = [{
    The body of an `scf.parallel` becomes a kernel whose first argument is the
    number of the chunk; the loop keeps one `kernel.launch` of it. Values from
    outside become arguments, constants are copied.

    ```mlir
    scf.parallel (%c) = (%c0) to (%c32) step (%c1) {
      kernel.launch @relu_chunk(%c, %x, %y) : index, memref<...>, memref<...>
    }
    ```
  }];
}

def KernelsToLLVM : Pass<"kernels-to-llvm", "::mlir::ModuleOp"> {
  let summary = "convert steps and kernels to the LLVM dialect";
  let description = [{
    Memrefs become pointers; those of a kernel are aligned to 64 bytes and do
    not alias. A parallel loop becomes a call of `accrue_parallel_for`,
    `kernel.gemm` one of `accrue_sgemm`, `accrue_dgemm`, or these with `_batch`
    for several products. A step function of n arenas becomes a function of the type `accrue_step_fn` of
    `runtime/cpu/Step.h`:

    ```mlir
    llvm.func @digits_step(%arenas: !llvm.ptr, %load: !llvm.ptr, %ctx: !llvm.ptr) -> i32
    ```

    `%arenas` points to the addresses of the arenas; `kernel.load_input` calls
    `%load`, and the step returns at once what the call returned if that is not
    zero. i1 takes a byte in memory. Kernels have symbols that no C function
    has (`kernel.relu`).

    Requires the planned level after `cpu-outline-chunks`. Refuses ops and types
    outside of it, at their location.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif // ACCRUE_TARGET_CPU_PASSES_TD
