//===- Passes.td - Passes of the nn dialect ----------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_PASSES_TD
#define ACCRUE_DIALECT_NN_PASSES_TD

include "mlir/Pass/PassBase.td"

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
