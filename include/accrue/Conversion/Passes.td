//===- Passes.td - Conversions between dialects ------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_CONVERSION_PASSES_TD
#define ACCRUE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FormKernels : Pass<"form-kernels", "::mlir::func::FuncOp"> {
  let summary = "realize the groups of the fusion analysis as kernels";
  let description = [{
    Turns a model or step at the accumulated level (static shapes,
    `train.accumulate`, fused optimizer) into destination-passing kernels:

    * every group of `FusionGroups` becomes one `kernel.group`, its body still
      in `nn` ops; what the analysis calls stored are exactly its results;
    * `nn.matmul` becomes `kernel.gemm`;
    * `train.accumulate` becomes an `scf.for` whose `iter_args` are the
      accumulators. Iteration 0 overwrites them: a product with `beta` =
      select(first, 0, 1), everything else with a select in the group that
      computes the contribution. A single micro-batch needs no loop, a tail
      (`init`) continues with the same accumulators;
    * batch arguments disappear: `kernel.load_input` fetches micro-batches
      into staging buffers. The function's `kernel.inputs` lists them;
    * the region of a `train.recompute` becomes part of the surrounding code:
      from here on the order is fixed, and equal kernels are never merged
      because each has destinations of its own. Its ops are marked with
      `kernel.recompute`;
    * `train.global_norm` becomes `kernel.norm`, `train.fused_update`
      `kernel.update`.

    Every destination is a `kernel.alloc` with a name and an arena: gradients,
    outputs (results of the function), inputs, activations.

    Refuses ops that are no tensor computation known to it, products of
    half-precision matrices, and concatenations whose samples are not
    contiguous.
  }];
  let dependentDialects = ["::accrue::kernel::KernelDialect",
                           "::accrue::nn::NNDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def NNToLinalg : Pass<"nn-to-linalg", "::mlir::func::FuncOp"> {
  let summary = "nn ops in kernel bodies as linalg on tensors";
  let description = [{
    Rewrites the bodies of `kernel.group`s: every op is one or more
    `linalg.generic` with one result, a `tensor.collapse_shape` or
    `tensor.expand_shape`, or a constant. Elementwise ops come from
    `ElementwiseOpInterface`. Ops outside groups are left alone.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitReductions : Pass<"split-reductions", "::mlir::func::FuncOp"> {
  let summary = "long sums over leading dimensions in stages";
  let description = [{
    A sum or mean of static shape over leading dimensions (or all of them) of at
    least `min-extent` rows becomes a sum within chunks and a sum over chunks.
    The number of chunks is a divisor of the number of rows. Where other
    dimensions are summed as well as the last ones, those along rows come
    first. Stages of f16 and bf16 are f32.

    ```mlir
    %s = nn.sum %x dims [0] : tensor<512x10xf32> -> tensor<10xf32>
    ```
    becomes
    ```mlir
    %0 = nn.reshape %x : tensor<512x10xf32> to tensor<32x16x10xf32>
    %1 = nn.sum %0 dims [1] : tensor<32x16x10xf32> -> tensor<32x10xf32>
    %s = nn.sum %1 dims [0] : tensor<32x10xf32> -> tensor<10xf32>
    ```
  }];
  let options = [
    Option<"minExtent", "min-extent", "int64_t", "256",
           "rows from which on a sum is split">
  ];
  let dependentDialects = ["::accrue::nn::NNDialect"];
}

def SplitScans : Pass<"split-scans", "::mlir::func::FuncOp"> {
  let summary = "long cumulative sums in stages";
  let description = [{
    A cumulative sum of static shape along at least `min-extent` elements
    becomes one within blocks of at most 32 elements, plus the sum of the blocks
    before, which is split in turn. The size of a block is a divisor of the
    number of elements. Stages of f16 and bf16 are f32.

    ```mlir
    %y = nn.cumsum %x dim 0 : tensor<320xf32>
    ```
    becomes
    ```mlir
    %0 = nn.reshape %x : tensor<320xf32> to tensor<10x32xf32>
    %1 = nn.cumsum %0 dim 1 : tensor<10x32xf32>
    %2 = nn.sum %0 dims [1] : tensor<10x32xf32> -> tensor<10xf32>
    %3 = nn.cumsum %2 dim 0 : tensor<10xf32>
    %4 = nn.slice %3 dim 0 from 0 to 9 : tensor<10xf32> -> tensor<9xf32>
    %5 = nn.pad %4 dim 0 low 1 high 0 : tensor<9xf32> -> tensor<10xf32>
    %6 = nn.broadcast %5 dims [1] : tensor<10xf32> to tensor<10x32xf32>
    %7 = nn.add %1, %6 : tensor<10x32xf32>
    %y = nn.reshape %7 : tensor<10x32xf32> to tensor<320xf32>
    ```
  }];
  let options = [
    Option<"minExtent", "min-extent", "int64_t", "64",
           "elements from which on a cumulative sum is split">
  ];
  let dependentDialects = ["::accrue::nn::NNDialect"];
}

#endif // ACCRUE_CONVERSION_PASSES_TD
