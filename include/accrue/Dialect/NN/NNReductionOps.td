//===- NNReductionOps.td - Reductions ----------------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNREDUCTIONOPS_TD
#define ACCRUE_DIALECT_NN_NNREDUCTIONOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

class NN_ReductionOp<string mnemonic, list<Trait> traits>
    : NN_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<InferTypeOpInterface>], traits)> {
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `dims` $dims attr-dict `:` type($input) `->` type($result)
  }];
}

def NN_SumOp : NN_ReductionOp<"sum", [
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn"]>]> {
  let summary = "sum over dimensions";
  let description = [{
    `dims` are strictly increasing; they disappear from the result. f16 and
    bf16 accumulate in f32.

    ```mlir
    %s = nn.sum %x dims [0] : tensor<?x10xf32> -> tensor<10xf32>
    ```
  }];
  let hasFolder = 1;
}

def NN_MeanOp : NN_ReductionOp<"mean", [
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn",
                                                 "dividesBySamples"]>]> {
  let summary = "mean over dimensions";
  let description = [{
    The sum over `dims` divided by their *logical* extent. In a micro-batch of
    m of B samples the local mean has the weight m/B in the mean of the batch.
  }];
  let hasFolder = 1;
}

def NN_ArgmaxOp : NN_Op<"argmax", [
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "index of the largest element along a dimension";
  let description = [{
    i32; the lowest index among equal elements; NaN counts as largest. Has no
    derivative.

    ```mlir
    %i = nn.argmax %x dim 1 : tensor<?x10xf32> -> tensor<?xi32>
    ```
  }];
  let arguments = (ins NN_NumberTensor:$input, I64Attr:$dim);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = [{
    $input `dim` $dim attr-dict `:` type($input) `->` type($result)
  }];
}

#endif // ACCRUE_DIALECT_NN_NNREDUCTIONOPS_TD
