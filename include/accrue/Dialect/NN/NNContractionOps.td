//===- NNContractionOps.td - Matrix products ---------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNCONTRACTIONOPS_TD
#define ACCRUE_DIALECT_NN_NNCONTRACTIONOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

def NN_MatmulOp : NN_Op<"matmul", [
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "matrix products, one per leading index";
  let description = [{
    `lhs` is [M, K] ([K, M] with `transpose_lhs`), `rhs` is [K, N] ([N, K] with
    `transpose_rhs`), the result [M, N]; of higher rank, both have the same
    leading extents, and so has the result. Products of f16 and bf16 accumulate
    in f32.

    ```mlir
    %y = nn.matmul %x, %w transpose_rhs
       : (tensor<?x64xf32>, tensor<128x64xf32>) -> tensor<?x128xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$lhs, NN_FloatTensor:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_lhs` $transpose_lhs^)?
    (`transpose_rhs` $transpose_rhs^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasCanonicalizer = 1;
}

#endif // ACCRUE_DIALECT_NN_NNCONTRACTIONOPS_TD
