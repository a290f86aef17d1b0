//===- NNWindowOps.td - Convolutions and pooling -----------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNWINDOWOPS_TD
#define ACCRUE_DIALECT_NN_NNWINDOWOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

/// Windows of images: their extents, and how they lie. Of a padded image with H
/// rows, window row p begins at row p * stride; its row i is row
/// p * stride + i * dilation; there are
/// (H + top + bottom - dilation * (kernel - 1) - 1) / stride + 1 of them.
class NN_WindowOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes",
                                                     "isLinearIn"]>], traits)>;

def NN_UnfoldOp : NN_WindowOp<"unfold", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "all windows of images (im2col)";
  let description = [{
    Of images [N, C, H, W] all windows [N, C, H', W', kernel[0], kernel[1]];
    with `channels_last` [N, H', W', C, kernel[0], kernel[1]]. `padding` is top,
    bottom, left, right; padded pixels have `value`.

    ```mlir
    %p = nn.unfold %x kernel [3, 3] stride [1, 1] dilation [1, 1]
         padding [1, 1, 1, 1] value 0.0
       : tensor<?x8x32x32xf32> -> tensor<?x8x32x32x3x3xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$dilation,
                       DenseI64ArrayAttr:$padding, F64Attr:$value,
                       UnitAttr:$channels_last);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `kernel` $kernel `stride` $stride `dilation` $dilation
    `padding` $padding `value` $value (`channels_last` $channels_last^)?
    attr-dict `:` type($input) `->` type($result)
  }];
}

def NN_FoldOp : NN_WindowOp<"fold"> {
  let summary = "images as sums of windows: the adjoint of nn.unfold";
  let description = [{
    Every pixel is the sum of the elements of all windows that cover it, in
    ascending order of the place in the window. The extents of the images are
    those of the result.
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$dilation,
                       DenseI64ArrayAttr:$padding, UnitAttr:$channels_last);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `kernel` $kernel `stride` $stride `dilation` $dilation
    `padding` $padding (`channels_last` $channels_last^)?
    attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def NN_Conv2dOp : NN_CompositeOp<"conv2d", [
    SplittableOpInterface,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "isLinearIn"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "two-dimensional convolution";
  let description = [{
    Cross-correlation, as in PyTorch's `conv2d`: images [N, C, H, W], weights
    [O, C / groups, kernel rows, kernel columns], result [N, O, H', W'].
    `padding` is top, bottom, left, right, of zeros. Output channels of group g
    see the input channels of group g only. Decomposes into windows
    (`nn.unfold`), a matrix product and a transposition.

    ```mlir
    %y = nn.conv2d %x, %w stride [2, 2] padding [1, 1, 1, 1] dilation [1, 1]
         groups 1
       : (tensor<?x3x32x32xf32>, tensor<16x3x3x3xf32>) -> tensor<?x16x16x16xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, NN_FloatTensor:$weight,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilation,
                       ConfinedAttr<I64Attr, [IntPositive]>:$groups);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight `stride` $stride `padding` $padding
    `dilation` $dilation `groups` $groups attr-dict
    `:` functional-type(operands, results)
  }];
}

def NN_MaxPool2dOp : NN_CompositeOp<"max_pool2d", [
    SplittableOpInterface,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "maximum of each window of images";
  let description = [{
    Images [N, C, H, W] to [N, C, H', W']; padding does not take part. NaN if a
    window has one. The first of equal elements of a window, in row-major order,
    receives the cotangent (as in PyTorch).

    ```mlir
    %y = nn.max_pool2d %x kernel [3, 3] stride [2, 2] padding [1, 1, 1, 1]
         dilation [1, 1] : tensor<?x8x32x32xf32> -> tensor<?x8x16x16xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$kernel,
                       DenseI64ArrayAttr:$stride, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilation);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `kernel` $kernel `stride` $stride `padding` $padding
    `dilation` $dilation attr-dict `:` type($input) `->` type($result)
  }];
}

#endif // ACCRUE_DIALECT_NN_NNWINDOWOPS_TD
