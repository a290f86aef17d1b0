//===- NNIndexingOps.td - Elements by index ----------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNINDEXINGOPS_TD
#define ACCRUE_DIALECT_NN_NNINDEXINGOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

/// An op that reads `index`, whose valid values are those of a dimension.
class NN_IndexingOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes",
                                                     "isLinearIn"]>], traits)> {
  let extraClassDeclaration = [{
    /// Indices are positions along the indexed dimension.
    std::optional<int64_t> getIndexBound(unsigned operandIndex);
  }];
}

def NN_GatherOp : NN_IndexingOp<"gather", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "slices of a tensor, by index";
  let description = [{
    Dimension `dim` of `input` is replaced by the dimensions of `index`:
    result[a..., i..., b...] = input[a..., index[i...], b...]. With `dim` 0 and
    a table [V, C] this is an embedding. An index out of range gives NaN.

    ```mlir
    %x = nn.gather %table, %token dim 0
       : (tensor<50257x768xf32>, tensor<?x1024xi32>) -> tensor<?x1024x768xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, NN_IntTensor:$index,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $index `dim` $dim attr-dict `:` functional-type(operands, results)
  }];
}

def NN_ScatterAddOp : NN_IndexingOp<"scatter_add"> {
  let summary = "sums of slices that have the same index: the adjoint of nn.gather";
  let description = [{
    result[a..., v, b...] = sum of updates[a..., i..., b...] over all i with
    index[i...] = v, in ascending order of i: the same indices and updates give
    the same bits. Indices that do not occur give 0; indices out of range are
    left out.

    ```mlir
    %g = nn.scatter_add %ct, %token dim 0
       : (tensor<?x1024x768xf32>, tensor<?x1024xi32>) -> tensor<50257x768xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$updates, NN_IntTensor:$index,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $updates `,` $index `dim` $dim attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def NN_TakeAlongOp : NN_IndexingOp<"take_along", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "one element per index along a dimension";
  let description = [{
    `index` has the rank of `input` and its extents but for `dim`:
    result[a..., i, b...] = input[a..., index[a..., i, b...], b...] (`gather` in
    PyTorch, `take_along_axis` in NumPy). An index out of range gives NaN.

    ```mlir
    %y = nn.take_along %x, %i dim 1
       : (tensor<?x10xf32>, tensor<?x3xi32>) -> tensor<?x3xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, NN_IntTensor:$index,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $index `dim` $dim attr-dict `:` functional-type(operands, results)
  }];
}

def NN_ScatterAddAlongOp : NN_IndexingOp<"scatter_add_along"> {
  let summary = "sums of elements that have the same index: the adjoint of nn.take_along";
  let description = [{
    result[a..., v, b...] = sum of updates[a..., i, b...] over all i with
    index[a..., i, b...] = v, in ascending order of i.

    ```mlir
    %g = nn.scatter_add_along %ct, %i dim 1
       : (tensor<?x3xf32>, tensor<?x3xi32>) -> tensor<?x10xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$updates, NN_IntTensor:$index,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $updates `,` $index `dim` $dim attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def NN_TopKOp : NN_Op<"top_k", [
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "indices of the largest elements of each row";
  let description = [{
    i32; along the last dimension, from the largest on; the lower index first
    among equal elements; NaN counts as largest. The elements themselves are
    `nn.take_along` of it. Has no derivative.

    ```mlir
    %i = nn.top_k %x k 3 : tensor<?x10xf32> -> tensor<?x3xi32>
    ```
  }];
  let arguments = (ins NN_NumberTensor:$input,
                       ConfinedAttr<I64Attr, [IntPositive]>:$k);
  let results = (outs RankedTensorOf<[I32]>:$result);
  let assemblyFormat = [{
    $input `k` $k attr-dict `:` type($input) `->` type($result)
  }];
}

#endif // ACCRUE_DIALECT_NN_NNINDEXINGOPS_TD
