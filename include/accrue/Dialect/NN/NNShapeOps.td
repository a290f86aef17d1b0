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
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn"]>]> {
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

#endif // ACCRUE_DIALECT_NN_NNSHAPEOPS_TD
