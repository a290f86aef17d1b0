//===- Passes.td - Passes of the cuda dialect --------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_PASSES_TD
#define ACCRUE_DIALECT_CUDA_PASSES_TD

include "mlir/Pass/PassBase.td"

def LinearizeMemrefs : Pass<"cuda-linearize-memrefs", "::mlir::ModuleOp"> {
  let summary = "turn buffers into linear memory and write out index arithmetic";
  let description = [{
    Every memref gets rank 1 (a scalar one element), loads and stores one
    index, and `affine.delinearize_index` becomes divisions. Where an access
    follows the order of memory, both cancel:

    ```mlir
    %d:2 = affine.delinearize_index %n into (4, 5) : index, index
    %0 = memref.load %x[%d#0, %d#1] : memref<4x5xf32>
    %1 = memref.load %b[%d#1] : memref<5xf32>
    ```
    becomes
    ```mlir
    %0 = memref.load %x[%n] : memref<20xf32>
    %c5 = arith.constant 5 : index
    %j = arith.remui %n, %c5 : index
    %1 = memref.load %b[%j] : memref<5xf32>
    ```

    Each kernel gets the `index_bits` that its largest buffer and its number of
    threads need. Refuses layouts that are not the identity, and dynamic shapes.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect"];
}

def WidenHalves : Pass<"cuda-widen-halves", "::accrue::cuda::KernelOp"> {
  let summary = "compute f16 and bf16 in f32, rounding after every op";
  let description = [{
    ```mlir
    %0 = arith.mulf %a, %b : f16
    ```
    becomes
    ```mlir
    %x = arith.extf %a : f16 to f32
    %y = arith.extf %b : f16 to f32
    %z = arith.mulf %x, %y : f32
    %0 = arith.truncf %z : f32 to f16
    ```

    The four operations and the square root give the same bits as on halves:
    f32 has 24 digits, at least two more than twice the 11 of f16 or the 8 of
    bf16. Other functions are as exact as those of f32, then rounded. CUDA's
    operators on halves are not used: compilers may fuse them, without the
    rounding between.

    What remains on halves are loads, stores, constants, selections and
    conversions, and what f32 cannot stand in for: `math.fma`, and sums and
    products over a block.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ShareArenas : Pass<"cuda-share-arenas", "::mlir::ModuleOp"> {
  let summary = "give the programs of a module one set of arenas";
  let description = [{
    Programs that are emitted together share their memory: activations and
    outputs get the size that the largest need of a program asks for. Parts of
    programs that use the same places then are equal.
  }];
}

def MergeKernels : Pass<"cuda-merge-kernels", "::mlir::ModuleOp"> {
  let summary = "keep one of equal tables, kernels and segments";
  let description = [{
    Two kernels are equal if they have the same arguments, launch configuration
    and body; their locations, names and headings do not matter. The first one
    stays, with the `sources` of all of them. Programs of different batches and
    micro-batches thereby share what does not depend on their sizes, and layers
    of the same shape share everything.

    Segments are equal if they do the same with the same arenas, as those of a
    step and of the program for its gradients. The first one stays, and belongs
    to its step.
  }];
}

def CountMicroBatches : Pass<"cuda-count-micro-batches", "::mlir::ModuleOp"> {
  let summary = "let kernels count the micro-batches";
  let description = [{
    Where an argument of a kernel is computed from the number of the micro-batch
    (other than whether it is the first one), a copy of the kernel computes it
    from a counter on the device, so that one CUDA graph serves all iterations:

    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      %sample = arith.muli %i, %c64 : index
      cuda.launch @mask(%x, %sample) : memref<64xf32>, index
    }
    ```
    becomes
    ```mlir
    cuda.launch @reset_micro_batch(%n) : memref<1xi64>
    scf.for %i = %c0 to %c4 step %c1 {
      cuda.launch @mask_0(%x, %n) : memref<64xf32>, memref<1xi64>
      cuda.launch @next_micro_batch(%n) : memref<1xi64>
    }
    ```

    The counter becomes a buffer `micro_batch` behind the activations of the
    plan. Its kernels have 64 bits of `index`. Requires linear memory. Refuses
    arguments that depend on anything but the number and constants.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def OutlineSegments : Pass<"cuda-outline-segments", "::mlir::ModuleOp"> {
  let summary = "split steps into segments and stage their inputs";
  let description = [{
    Launches and matrix products go to `cuda.segment`s: one for the body of each
    loop, and one for every straight run of them between loops and copies of
    inputs. A run behind copies is cut after the last call that depends on an
    input, directly or by activations.
    Copies that can be done earlier join the ones before.

    Every set of copies fills a part of the arena `inputs`, the parts (as many
    as the plan says) taking turns in the order of execution:

    ```mlir
    scf.for %i = %c0 to %c15 step %c1 {
      %first = arith.cmpi eq, %i, %c0 : index
      %offset = arith.muli %i, %c4096 : index
      cuda.memcpy %x_micro, %x[%offset] count 4096 : ...
      cuda.launch @k(%x_micro, %w, %first) : ...
    }
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %c15 step %c1 {
      %first = arith.cmpi eq, %i, %c0 : index
      %offset = arith.muli %i, %c4096 : index
      %part = arith.remui %i, %c2 : index
      %in = cuda.part %inputs[%part] stride 16384 : ...
      %x_micro = kernel.buffer "x" of %in at 0 : ...
      cuda.begin_fill %part
      cuda.memcpy %x_micro, %x[%offset] count 4096 : ...
      cuda.end_fill %part
      cuda.call @step_micro_batch(%params, %inputs, %first, %part) : ...
      cuda.release %part
    }
    ```

    Of the number of the micro-batch, calls may use only whether it is the first
    one. Refuses what is neither a copy, a call, a loop with constant bounds nor
    pure, and inputs that are read together but cannot be copied together.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def ChooseGraphs : Pass<"cuda-choose-graphs", "::mlir::ModuleOp"> {
  let summary = "choose what of a step is captured as CUDA graphs";
  let description = [{
    Sets `cuda.graphs` of step functions to `mode`; where this is `auto`, to
    `merged` if a step has fewer than 4,000 calls of the device (with all
    iterations of its loops), else to `segments`. A step without calls has no
    graph. Requires segments.
  }];
  let options = [
    Option<"mode", "mode", "::accrue::cuda::GraphMode",
           /*default=*/"::accrue::cuda::GraphMode::automatic",
           "What is captured", [{::llvm::cl::values(
             clEnumValN(::accrue::cuda::GraphMode::automatic, "auto",
                        "by the number of calls"),
             clEnumValN(::accrue::cuda::GraphMode::none, "none", "nothing"),
             clEnumValN(::accrue::cuda::GraphMode::segments, "segments",
                        "every segment"),
             clEnumValN(::accrue::cuda::GraphMode::merged, "merged",
                        "the step as a whole"))}]>
  ];
}

def IsolateCalls : Pass<"cuda-isolate-calls", "::mlir::ModuleOp"> {
  let summary = "add segments that run one call each, to be measured";
  let description = [{
    For every kernel and every form of matrix product of the first step adds
    two segments that no step calls: `call_N` makes that call, as the first
    place that makes it does, and `fill_N` fills the buffers that it reads. The
    former has a `#cuda.benchmark`. Requires segments.
  }];
}

def NameValues : Pass<"cuda-name-values", "::mlir::ModuleOp"> {
  let summary = "choose the identifiers and the variables of the emitted text";
  let description = [{
    Gives arguments `cuda.name` and ops `cuda.names` (see the dialect): valid C
    identifiers, unique in their scope, the same in every run. Names come from
    names of buffers (arguments of kernels are called after what they are
    launched with, or what all that has in common), named locations (`loc("m_hat")`,
    by which whatever builds scalar code says what a value is; of several ops
    with one name, as the ops of a lowering, the last), the buffer that a value
    is stored in, and otherwise from what an op computes. Values that are used
    once become part of the expression that uses them and get no name, unless
    this would move a load over a store or make the expression long, or their
    location has a name.

    Requires linear memory.
  }];
}

#endif // ACCRUE_DIALECT_CUDA_PASSES_TD
