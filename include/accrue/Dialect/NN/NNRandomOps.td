//===- NNRandomOps.td - Random numbers ---------------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNRANDOMOPS_TD
#define ACCRUE_DIALECT_NN_NNRANDOMOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

/// Numbers that are a function of a key, a site and a place.
class NN_RandomOp<string mnemonic> : NN_Op<mnemonic, [
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes"]>]> {
  let description = [{
    Philox 4x32-10 (Salmon et al. 2011) of (`key`, `site`, sample, place within
    the sample): `key` is the seed and the index of the logical batch, `site`
    distinguishes the draws of a model, `sample` ([B], i32) gives the index in
    the logical batch of each slice along dimension `dim`. Draws depend neither
    on the split into micro-batches nor on recomputation. Without `sample` one
    draw serves the whole batch.

    ```mlir
    %u = nn.uniform key %key sample %i dim 0 site 3
       : tensor<2xi64>, tensor<?xi32> -> tensor<?x64xf32>
    ```
  }];
  let arguments = (ins TensorOf<[I64]>:$key, Optional<NN_IntTensor>:$sample,
                       DefaultValuedAttr<I64Attr, "0">:$dim, I64Attr:$site);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    `key` $key (`sample` $sample^)? (`dim` $dim^)? `site` $site attr-dict
    `:` type($key) (`,` type($sample)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}
def NN_UniformOp : NN_RandomOp<"uniform"> {
  let summary = "numbers uniform in [0, 1)";
}
def NN_NormalOp : NN_RandomOp<"normal"> {
  let summary = "numbers of the standard normal distribution";
}

#endif // ACCRUE_DIALECT_NN_NNRANDOMOPS_TD
