//===- NNAttentionOps.td - Attention -----------------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNATTENTIONOPS_TD
#define ACCRUE_DIALECT_NN_NNATTENTIONOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

def NN_AttentionOp : NN_CompositeOp<"attention", [
    SplittableOpInterface,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "scaled dot-product attention";
  let description = [{
    softmax(scale * query key^T) value for each sample and head: query
    [N, H, T, D], key [N, G, S, D], value [N, G, S, E], result [N, H, T, E].
    G divides H: query head h reads key head h / (H / G) (grouped queries). With
    `causal` position t sees s <= t + S - T. `mask` (i1, [T, S] or [N, H, T, S])
    is true where t may see s. A position that sees nothing gives 0. Source:
    Vaswani et al. 2017 (arXiv:1706.03762), Ainslie et al. 2023
    (arXiv:2305.13245).

    ```mlir
    %y = nn.attention %q, %k, %v causal scale 0.125
       : (tensor<?x12x64x64xf32>, tensor<?x12x64x64xf32>, tensor<?x12x64x64xf32>)
      -> tensor<?x12x64x64xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$query, NN_FloatTensor:$key,
                       NN_FloatTensor:$value, Optional<NN_BoolTensor>:$mask,
                       UnitAttr:$causal, F64Attr:$scale);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`causal` $causal^)?
    `scale` $scale attr-dict `:` functional-type(operands, results)
  }];
}

#endif // ACCRUE_DIALECT_NN_NNATTENTIONOPS_TD
