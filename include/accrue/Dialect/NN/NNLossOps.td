//===- NNLossOps.td - Losses -------------------------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNLOSSOPS_TD
#define ACCRUE_DIALECT_NN_NNLOSSOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

def NN_CrossEntropyOp : NN_Op<"cross_entropy", [
    DeclareOpInterfaceMethods<SplittableOpInterface, ["buildSplittable"]>,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "softmax cross-entropy of each row";
  let description = [{
    log(sum_j exp(logits[..., j])) - logits[..., label[...]], computed without
    overflow. `logits` is [..., C], `label` [...] with values in [0, C). One
    loss per row: a mean or sum over rows is an op of its own.

    ```mlir
    %l = nn.cross_entropy %logits, %label
       : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$logits, NN_IntTensor:$label);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $label attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// Labels are classes.
    std::optional<int64_t> getIndexBound(unsigned operandIndex);
  }];
}

def NN_CrossEntropyGradOp : NN_Op<"cross_entropy_grad", [
    DeclareOpInterfaceMethods<SplittableOpInterface, ["buildSplittable"]>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn"]>,
    AllTypesMatch<["logits", "result"]>]> {
  let summary = "cotangent of the logits of nn.cross_entropy";
  let description = [{
    (softmax(logits)[..., j] - [j == label]) * cotangent[...].
  }];
  let arguments = (ins NN_FloatTensor:$logits, NN_IntTensor:$label,
                       NN_FloatTensor:$cotangent);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $logits `,` $label `,` $cotangent attr-dict
    `:` type($logits) `,` type($label) `,` type($cotangent)
  }];
  let extraClassDeclaration = [{
    /// Labels are classes.
    std::optional<int64_t> getIndexBound(unsigned operandIndex);
  }];
  let hasVerifier = 1;
}

#endif // ACCRUE_DIALECT_NN_NNLOSSOPS_TD
