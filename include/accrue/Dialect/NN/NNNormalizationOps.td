//===- NNNormalizationOps.td - Normalization ---------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNNORMALIZATIONOPS_TD
#define ACCRUE_DIALECT_NN_NNNORMALIZATIONOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

/// A composite op whose result has the type of its operand.
class NN_SameTypeCompositeOp<string mnemonic,
                             list<string> batchMethods = ["operandModes"],
                             list<string> splitMethods = ["buildSplittable"]>
    : NN_CompositeOp<mnemonic, [
        SameOperandsAndResultType, AllTypesMatch<["input", "result"]>,
        DeclareOpInterfaceMethods<SplittableOpInterface, splitMethods>,
        DeclareOpInterfaceMethods<DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<BatchOpInterface, batchMethods>]> {
  let results = (outs NN_FloatTensor:$result);
  let hasVerifier = 1;
}

def NN_SoftmaxOp : NN_SameTypeCompositeOp<"softmax"> {
  let summary = "exponentials divided by their sum along a dimension";
  let description = [{
    exp(x_i - max x) / sum_j exp(x_j - max x), without overflow. Where every
    element is -inf (a row that is masked throughout) the result is 0.

    ```mlir
    %p = nn.softmax %x dim 1 : tensor<?x10xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let assemblyFormat = "$input `dim` $dim attr-dict `:` type($result)";
}

def NN_LogSoftmaxOp : NN_SameTypeCompositeOp<"log_softmax"> {
  let summary = "logarithm of nn.softmax";
  let description = "x_i - log(sum_j exp(x_j)), without overflow.";
  let arguments = (ins NN_FloatTensor:$input,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let assemblyFormat = "$input `dim` $dim attr-dict `:` type($result)";
}

def NN_LogSumExpOp : NN_CompositeOp<"logsumexp", [
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "buildMerge"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "log of the sum of exponentials over dimensions";
  let description = [{
    log(sum exp(x)), without overflow; -inf where every element is -inf, with a
    derivative of 0 there.

    ```mlir
    %l = nn.logsumexp %x dims [1] : tensor<?x10xf32> -> tensor<?xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `dims` $dims attr-dict `:` type($input) `->` type($result)
  }];
}

def NN_NormalizeOp : NN_SameTypeCompositeOp<"normalize", [
    "operandModes", "inferMicroBatchRule"]> {
  let summary = "zero mean and unit variance over dimensions";
  let description = [{
    (x - mean(x)) / sqrt(var(x) + eps), mean and (biased) variance over `dims`:
    layer norm over the last dimensions, group and instance norm after a
    reshape, batch norm over all but the channels. A gain and a bias are ops of
    their own. Over samples it reads `nn.moments` of the batch, unless
    statistics of the micro-batch are asked for. Sources: Ba, Kiros, Hinton 2016
    (arXiv:1607.06450); Ioffe, Szegedy 2015 (arXiv:1502.03167).

    ```mlir
    %y = nn.normalize %x dims [1] eps 1.0e-5 : tensor<?x64xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$dims,
                       F64Attr:$eps);
  let assemblyFormat = "$input `dims` $dims `eps` $eps attr-dict `:` type($result)";
}

def NN_MomentsOp : NN_CompositeOp<"moments", [
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes", "buildMerge"]>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "mean and variance over dimensions";
  let description = [{
    The mean and the (biased) variance, the mean of (x - mean)^2, over `dims`.
    Over samples, micro-batches contribute theirs, which merge by the formula of
    Chan, Golub, LeVeque 1979 ("Updating formulae and a pairwise algorithm for
    computing sample variances") without cancellation.

    ```mlir
    %m, %v = nn.moments %x dims [0]
           : tensor<?x64xf32> -> tensor<64xf32>, tensor<64xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs NN_FloatTensor:$mean, NN_FloatTensor:$variance);
  let assemblyFormat = [{
    $input `dims` $dims attr-dict
    `:` type($input) `->` type($mean) `,` type($variance)
  }];
}

def NN_NormalizeGradOp : NN_CompositeOp<"normalize_grad", [
    DeclareOpInterfaceMethods<SplittableOpInterface, ["buildSplittable"]>,
    SameOperandsAndResultType, AllTypesMatch<["input", "cotangent", "result"]>,
    DeclareOpInterfaceMethods<BatchOpInterface, [
        "operandModes", "isLinearIn", "inferMicroBatchRule"]>]> {
  let summary = "cotangent of the operand of nn.normalize";
  let description = [{
    r (c - mean(c) - y mean(c y)), with y = nn.normalize(x), c the cotangent of
    y, r = 1 / sqrt(var(x) + eps), all over `dims`.
  }];
  let arguments = (ins NN_FloatTensor:$input, NN_FloatTensor:$cotangent,
                       DenseI64ArrayAttr:$dims, F64Attr:$eps);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $cotangent `dims` $dims `eps` $eps attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def NN_RmsNormOp : NN_SameTypeCompositeOp<"rms_norm", ["operandModes"], []> {
  let summary = "unit root mean square over dimensions";
  let description = [{
    x / sqrt(mean(x^2) + eps), the mean over `dims`. Source: Zhang, Sennrich
    2019 (arXiv:1910.07467).
  }];
  let arguments = (ins NN_FloatTensor:$input, DenseI64ArrayAttr:$dims,
                       F64Attr:$eps);
  let assemblyFormat = "$input `dims` $dims `eps` $eps attr-dict `:` type($result)";
}

#endif // ACCRUE_DIALECT_NN_NNNORMALIZATIONOPS_TD
