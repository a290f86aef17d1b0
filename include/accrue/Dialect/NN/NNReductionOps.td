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

class NN_ExtremumOp<string mnemonic> : NN_ReductionOp<mnemonic, [
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes",
                                                 "buildMerge"]>]> {
  let arguments = (ins NN_NumberTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs NN_NumberTensor:$result);
  let hasFolder = 1;
}
def NN_ReduceMaxOp : NN_ExtremumOp<"reduce_max"> {
  let summary = "maximum over dimensions";
  let description = [{
    NaN if any element is NaN; the lowest number (-inf) over no elements.
    Elements that share the maximum receive equal shares of the cotangent (as
    `amax` in PyTorch, `max` in JAX). Over samples the derivative finds the
    first of them by its index, the others by comparison: where the elements
    are computed again in another micro-batch and rounding moves one of several
    equal ones, its share goes to the others, and none is lost.

    ```mlir
    %m = nn.reduce_max %x dims [1] : tensor<?x10xf32> -> tensor<?xf32>
    ```
  }];
}
def NN_ReduceMinOp : NN_ExtremumOp<"reduce_min"> {
  let summary = "minimum over dimensions";
  let description = [{
    NaN if any element is NaN; the highest number (inf) over no elements. Ties
    as in `nn.reduce_max`.
  }];
}

def NN_CumsumOp : NN_Op<"cumsum", [
    SameOperandsAndResultType, AllTypesMatch<["input", "result"]>,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn"]>]> {
  let summary = "sums of all elements up to each one along a dimension";
  let description = [{
    result[i] = sum of input[j] over j <= i along `dim`; with `reverse` over
    j >= i, which is the adjoint.

    ```mlir
    %y = nn.cumsum %x dim 1 : tensor<?x16xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim,
                       UnitAttr:$reverse);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `dim` $dim (`reverse` $reverse^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NN_ReduceArgmaxOp : NN_CompositeOp<"reduce_argmax", [
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "buildMerge"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "largest element over dimensions, and an index that comes with it";
  let description = [{
    `index` is the smallest of the `indices` that belong to elements equal to
    the maximum; NaN counts as largest, and over no elements it is 2^31 - 1. The
    order of the elements does not matter, so the results for parts of the
    elements merge by the op itself. The cotangent of `value` goes to the
    elements whose index is `index`. An `nn.reduce_max` or, of the negated
    values, an `nn.reduce_min` over the same dimensions becomes its `value`.

    ```mlir
    %v, %i = nn.reduce_argmax %x, %position dims [0]
           : tensor<?x10xf32>, tensor<?x10xi32> -> tensor<10xf32>, tensor<10xi32>
    ```
  }];
  let arguments = (ins NN_NumberTensor:$values, RankedTensorOf<[I32]>:$indices,
                       DenseI64ArrayAttr:$dims);
  let results = (outs NN_NumberTensor:$value, RankedTensorOf<[I32]>:$index);
  let assemblyFormat = [{
    $values `,` $indices `dims` $dims attr-dict
    `:` type($values) `,` type($indices) `->` type($value) `,` type($index)
  }];
  let hasCanonicalizer = 1;
}

def NN_ArgmaxOp : NN_Op<"argmax", [
    DeclareOpInterfaceMethods<SplittableOpInterface, ["buildSplittable"]>,
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
