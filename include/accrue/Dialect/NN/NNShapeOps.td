//===- NNShapeOps.td - Changes of shape --------------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNSHAPEOPS_TD
#define ACCRUE_DIALECT_NN_NNSHAPEOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

def NN_BroadcastOp : NN_Op<"broadcast", [
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn"]>]> {
  let summary = "repetition along new dimensions";
  let description = [{
    `dims` (strictly increasing) are the dimensions of the result that the
    operand lacks; the others keep their order and extents. The adjoint of
    `nn.sum` with the same `dims`.

    ```mlir
    %y = nn.broadcast %b dims [0] : tensor<128xf32> to tensor<?x128xf32>
    ```
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `dims` $dims attr-dict `:` type($input) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NN_DistributeOp : NN_Op<"distribute", [
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn",
                                                 "dividesBySamples"]>]> {
  let summary = "equal shares along new dimensions: the adjoint of nn.mean";
  let description = [{
    Repeats the operand along `dims` of the result, divided by the *logical*
    extent of these dimensions. In a micro-batch of m of B samples the local
    shares are too large by B/m and carry the weight m/B.

    ```mlir
    %g = nn.distribute %ct dims [0] : tensor<f32> to tensor<?xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `dims` $dims attr-dict `:` type($input) `to` type($result)
  }];
  let hasVerifier = 1;
}

def NN_ReshapeOp : NN_Op<"reshape", [
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, [
        "operandModes", "isLinearIn", "getRequiredRuns"]>]> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    ```mlir
    %y = nn.reshape %x : tensor<?x16x64xf32>
      to tensor<?x64xf32, #nn.extents<"16*B">>
    ```
  }];
  let arguments = (ins NN_Tensor:$input);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NN_TransposeOp : NN_Op<"transpose", [
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "permutation of dimensions";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand.

    ```mlir
    %y = nn.transpose %x [1, 0] : tensor<?x4xf32> -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input $permutation attr-dict `:` type($input) `->` type($result)
  }];
  let hasFolder = 1;
}

class NN_MovementOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes",
                                                     "isLinearIn"]>,
        DeclareOpInterfaceMethods<InferTypeOpInterface>], traits)> {
  let results = (outs NN_Tensor:$result);
}

def NN_SliceOp : NN_MovementOp<"slice"> {
  let summary = "every `step`-th index of a dimension, in a range";
  let description = [{
    Indices start, start + step, ... below stop of dimension `dim`, whose extent
    does not depend on the batch; 0 <= start <= stop <= extent, step >= 1.

    ```mlir
    %y = nn.slice %x dim 1 from 0 to 15 : tensor<?x16xi32> -> tensor<?x15xi32>
    ```
  }];
  let arguments = (ins NN_Tensor:$input,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$start,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$stop,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>,
                                         "1">:$step);
  let assemblyFormat = [{
    $input `dim` $dim `from` $start `to` $stop (`by` $step^)? attr-dict
    `:` type($input) `->` type($result)
  }];
  let hasFolder = 1;
}

def NN_PadOp : NN_MovementOp<"pad"> {
  let summary = "further elements of one value before, after and between";
  let description = [{
    Along dimension `dim`, whose extent does not depend on the batch: `low`
    elements before, `high` after, `interior` between each two; all have
    `value`. The adjoint of `nn.slice` (step = interior + 1) for value 0.

    ```mlir
    %y = nn.pad %x dim 1 low 2 high 1 : tensor<?x13xf32> -> tensor<?x16xf32>
    ```
  }];
  let arguments = (ins NN_Tensor:$input,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$low,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$high,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>,
                                         "0">:$interior,
                       DefaultValuedAttr<F64Attr, "0.0">:$value);
  let assemblyFormat = [{
    $input `dim` $dim `low` $low `high` $high (`interior` $interior^)?
    (`value` $value^)? attr-dict `:` type($input) `->` type($result)
  }];
  let hasFolder = 1;
}

def NN_ConcatOp : NN_MovementOp<"concat"> {
  let summary = "operands one after another along a dimension";
  let description = [{
    The operands agree in all other dimensions.

    ```mlir
    %y = nn.concat %a, %b dim 1
       : (tensor<?x4xf32>, tensor<?x6xf32>) -> tensor<?x10xf32>
    ```
  }];
  let arguments = (ins Variadic<NN_Tensor>:$inputs,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let assemblyFormat = [{
    $inputs `dim` $dim attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_FlipOp : NN_MovementOp<"flip"> {
  let summary = "elements in reverse order along dimensions";
  let description = [{
    ```mlir
    %y = nn.flip %x dims [1] : tensor<?x4xf32> -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$dims);
  let assemblyFormat = [{
    $input `dims` $dims attr-dict `:` type($input) `->` type($result)
  }];
  let hasFolder = 1;
}

#endif // ACCRUE_DIALECT_NN_NNSHAPEOPS_TD
