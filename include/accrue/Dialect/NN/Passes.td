//===- Passes.td - Passes of the nn dialect ----------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_PASSES_TD
#define ACCRUE_DIALECT_NN_PASSES_TD

include "mlir/Pass/PassBase.td"

def Decompose : Pass<"nn-decompose", "::mlir::func::FuncOp"> {
  let summary = "replace composite ops by what they mean";
  let description = [{
    Replaces every op with `DecomposableOpInterface`, in nested regions too, by
    its decomposition, until none is left: a composite may decompose into
    others. What is built has the location of the composite and its discardable
    attributes (`train.backward`, `train.recompute`), so it is stored or
    computed again like the composite.

    ```mlir
    %y = nn.rms_norm %x dims [1] eps 1.0e-5 : tensor<8x4xf32>
    ```
    becomes
    ```mlir
    %s = nn.square %x : tensor<8x4xf32>
    %m = nn.mean %s dims [1] : tensor<8x4xf32> -> tensor<8xf32>
    %e = nn.add %m, %eps : tensor<8xf32>
    %r = nn.rsqrt %e : tensor<8xf32>
    %b = nn.broadcast %r dims [1] : tensor<8xf32> to tensor<8x4xf32>
    %y = nn.mul %x, %b : tensor<8x4xf32>
    ```

    Follows the batch analysis, which asks the composites for their batch rules.
  }];
  let dependentDialects = ["::accrue::nn::NNDialect"];
}

def SelectMode : Pass<"nn-select-mode", "::mlir::func::FuncOp"> {
  let summary = "choose between training and evaluation";
  let description = [{
    Replaces every `nn.when_training` by its first operand where `training` is
    set, else by its second one, and erases what nothing reads any more: random
    draws of dropout in evaluation, running statistics in training. It comes
    before differentiation, which would keep both sides.

    ```mlir
    %y = nn.when_training %dropped else %x : tensor<?x64xf32>
    %z = nn.relu %y : tensor<?x64xf32>
    ```
    becomes, with `training=false`,
    ```mlir
    %z = nn.relu %x : tensor<?x64xf32>
    ```

    Refuses nothing.
  }];
  let options = [
    Option<"training", "training", "bool", "true",
           "Keep the value of training steps, not the one of evaluations">
  ];
}

#endif // ACCRUE_DIALECT_NN_PASSES_TD
