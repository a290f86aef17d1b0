//===- NNElementwiseOps.td - Constants and elementwise ops -*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNELEMENTWISEOPS_TD
#define ACCRUE_DIALECT_NN_NNELEMENTWISEOPS_TD

include "accrue/Dialect/NN/NNAttributes.td"

/// Batch rules of elementwise ops: one body for all (NNBatchElementwise.cpp).
def NN_ElementwiseRule
    : DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes"]>;
def NN_LinearElementwiseRule
    : DeclareOpInterfaceMethods<BatchOpInterface,
                                ["operandModes", "isLinearIn"]>;

/// Of a degree that is not 1.
def NN_HomogeneousElementwiseRule
    : DeclareOpInterfaceMethods<BatchOpInterface,
                                ["operandModes", "getDegreeIn"]>;

def NN_ConstantOp : NN_Op<"constant", [
    ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "constant tensor of static shape";
  let description = [{
    A constant of a batch-dependent shape is a scalar constant and a broadcast.

    ```mlir
    %c = nn.constant dense<1.000000e+00> : tensor<f32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def NN_ExtentOp : NN_Op<"extent", [
    DeclareOpInterfaceMethods<BatchOpInterface, ["getConstantForBatch"]>]> {
  let summary = "logical extent as a number";
  let description = [{
    The product of symbolic extents, for the *logical* batch, as a scalar:
    what `batch` means when a model uses it as a number. It is never the size
    of a micro-batch.

    ```mlir
    %n = nn.extent <"B"> : tensor<f32>
    ```
  }];
  let arguments = (ins NN_ExtentsAttr:$extents);
  let results = (outs 0DTensorOf<[F16, BF16, F32, F64, I32, I64]>:$result);
  let assemblyFormat = "$extents attr-dict `:` type($result)";
}

def NN_ConvertOp : NN_Op<"convert", [
    NN_LinearElementwiseRule,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<ElementwiseOpInterface>]> {
  let summary = "elementwise conversion of the element type";
  let description = [{
    Float to float rounds to nearest, i1 to number gives 0 or 1, number to i1
    is `!= 0`, float to integer truncates towards zero.

    ```mlir
    %y = nn.convert %x : tensor<?xi1> to tensor<?xf32>
    ```
  }];
  let arguments = (ins NN_Tensor:$input);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

class NN_UnaryOp<string mnemonic,
                 list<Trait> traits = [NN_ElementwiseRule]>
    : NN_Op<mnemonic, !listconcat([
        SameOperandsAndResultType, AllTypesMatch<["input", "result"]>,
        DeclareOpInterfaceMethods<DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<ElementwiseOpInterface>], traits)> {
  let arguments = (ins NN_FloatTensor:$input);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

def NN_NegOp : NN_UnaryOp<"neg", [NN_LinearElementwiseRule]> { let summary = "negation"; let hasFolder = 1; }
def NN_ExpOp : NN_UnaryOp<"exp"> { let summary = "natural exponential"; }
def NN_LogOp : NN_UnaryOp<"log"> { let summary = "natural logarithm"; }
def NN_TanhOp : NN_UnaryOp<"tanh"> { let summary = "hyperbolic tangent"; }
def NN_SigmoidOp : NN_UnaryOp<"sigmoid"> {
  let summary = "logistic function 1 / (1 + exp(-x))";
}
def NN_ReluOp : NN_UnaryOp<"relu"> {
  let summary = "max(x, 0)";
  let description = [{
    The derivative at 0 is 0 (as in PyTorch and JAX). NaN stays NaN.
  }];
}
def NN_SqrtOp : NN_UnaryOp<"sqrt"> { let summary = "square root"; }
def NN_SquareOp : NN_UnaryOp<"square", [NN_HomogeneousElementwiseRule]> {
  let summary = "x * x";
}
def NN_AbsOp : NN_UnaryOp<"abs"> {
  let summary = "|x|";
  let description = "The derivative at 0 is 0 (as in PyTorch).";
  let hasFolder = 1;
}
def NN_SignOp : NN_UnaryOp<"sign"> {
  let summary = "-1, 0 or 1, as x is negative, zero or positive";
  let description = "NaN stays NaN. The derivative is 0 everywhere.";
  let hasFolder = 1;
}
def NN_FloorOp : NN_UnaryOp<"floor"> {
  let summary = "largest whole number that is at most x";
  let description = "The derivative is 0 everywhere.";
  let hasFolder = 1;
}
def NN_ErfOp : NN_UnaryOp<"erf"> {
  let summary = "error function 2 / sqrt(pi) * integral of exp(-t^2) from 0 to x";
}
def NN_Log1pOp : NN_UnaryOp<"log1p"> {
  let summary = "log(1 + x), exact for small x";
}
def NN_Expm1Op : NN_UnaryOp<"expm1"> {
  let summary = "exp(x) - 1, exact for small x";
}
def NN_RsqrtOp : NN_UnaryOp<"rsqrt"> { let summary = "1 / sqrt(x)"; }
def NN_ReciprocalOp
    : NN_UnaryOp<"reciprocal", [NN_HomogeneousElementwiseRule]> {
  let summary = "1 / x";
}
def NN_SinOp : NN_UnaryOp<"sin"> { let summary = "sine of x in radians"; }
def NN_CosOp : NN_UnaryOp<"cos"> { let summary = "cosine of x in radians"; }
def NN_SiluOp : NN_UnaryOp<"silu"> {
  let summary = "x / (1 + exp(-x)), also called swish";
  let description = "Source: Elfwing, Uchibe, Doya 2017 (arXiv:1702.03118).";
}
def NN_SoftplusOp : NN_UnaryOp<"softplus"> {
  let summary = "log(1 + exp(x)), without overflow";
}

def NN_GeluOp : NN_UnaryOp<"gelu"> {
  let summary = "x times the standard normal distribution function of x";
  let description = [{
    0.5 x (1 + erf(x / sqrt(2))); with `tanh` the approximation
    0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))). Source: Hendrycks, Gimpel
    2016 (arXiv:1606.08415).

    ```mlir
    %y = nn.gelu %x tanh : tensor<?x64xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, UnitAttr:$approximate);
  let assemblyFormat = "$input (`tanh` $approximate^)? attr-dict `:` type($result)";
}

def NN_ClampOp : NN_UnaryOp<"clamp"> {
  let summary = "the nearest number to x in [min, max]";
  let description = [{
    NaN stays NaN. The derivative is 1 where min <= x <= max, also at the ends,
    else 0.

    ```mlir
    %y = nn.clamp %x from 0.0 to 6.0 : tensor<?x64xf32>
    ```
  }];
  let arguments = (ins NN_FloatTensor:$input, F64Attr:$min, F64Attr:$max);
  let assemblyFormat = "$input `from` $min `to` $max attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NN_StopGradientOp : NN_Op<"stop_gradient", [
    NN_LinearElementwiseRule,
    SameOperandsAndResultType, AllTypesMatch<["input", "result"]>,
    DeclareOpInterfaceMethods<DifferentiableOpInterface, ["isInactiveOperand"]>,
    DeclareOpInterfaceMethods<ElementwiseOpInterface>]> {
  let summary = "x, taken as a constant by differentiation";
  let arguments = (ins NN_FloatTensor:$input);
  let results = (outs NN_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
  let hasFolder = 1;
}

class NN_BinaryOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, !listconcat([
        SameOperandsAndResultType, AllTypesMatch<["lhs", "rhs", "result"]>,
        DeclareOpInterfaceMethods<DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<ElementwiseOpInterface>], traits)> {
  let arguments = (ins NN_NumberTensor:$lhs, NN_NumberTensor:$rhs);
  let results = (outs NN_NumberTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def NN_AddOp : NN_BinaryOp<"add", [NN_LinearElementwiseRule, Commutative]> { let summary = "sum"; }
def NN_SubOp : NN_BinaryOp<"sub", [NN_LinearElementwiseRule]> { let summary = "difference"; }
def NN_MulOp : NN_BinaryOp<"mul", [NN_LinearElementwiseRule, Commutative]> { let summary = "product"; }
def NN_DivOp : NN_BinaryOp<"div", [
    DeclareOpInterfaceMethods<BatchOpInterface,
                              ["operandModes", "isLinearIn", "getDegreeIn"]>]> {
  let summary = "quotient";
  let description = "Integers divide towards zero.";
}
def NN_MaxOp : NN_BinaryOp<"max", [NN_ElementwiseRule, Commutative]> {
  let summary = "larger of two";
  let description = [{
    NaN if either operand is NaN. Where both are equal, each receives half of
    the cotangent (as in PyTorch and JAX).
  }];
  let hasFolder = 0;
}

def NN_MinOp : NN_BinaryOp<"min", [NN_ElementwiseRule, Commutative]> {
  let summary = "smaller of two";
  let description = [{
    NaN if either operand is NaN. Where both are equal, each receives half of
    the cotangent (as in PyTorch and JAX).
  }];
  let hasFolder = 0;
}
def NN_PowOp : NN_BinaryOp<"pow", [NN_ElementwiseRule]> {
  let summary = "lhs to the power of rhs";
  let description = [{
    NaN for a negative base and an exponent that is no whole number. 0 to the
    power of 0 is 1. The derivative with respect to the base is 0 where the
    exponent is 0; with respect to the exponent, 0 where the base is 0 and the
    exponent is at least 0 (as in PyTorch).
  }];
  let arguments = (ins NN_FloatTensor:$lhs, NN_FloatTensor:$rhs);
  let results = (outs NN_FloatTensor:$result);
  let hasCanonicalizeMethod = 1;
}

class NN_LogicalOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, !listconcat([
        NN_ElementwiseRule, SameOperandsAndResultType,
        DeclareOpInterfaceMethods<ElementwiseOpInterface>], traits)> {
  let results = (outs NN_BoolTensor:$result);
}
class NN_BinaryLogicalOp<string mnemonic>
    : NN_LogicalOp<mnemonic, [Commutative,
                              AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let arguments = (ins NN_BoolTensor:$lhs, NN_BoolTensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}
def NN_AndOp : NN_BinaryLogicalOp<"and"> { let summary = "both hold"; }
def NN_OrOp : NN_BinaryLogicalOp<"or"> { let summary = "at least one holds"; }
def NN_NotOp : NN_LogicalOp<"not", [AllTypesMatch<["input", "result"]>]> {
  let summary = "does not hold";
  let arguments = (ins NN_BoolTensor:$input);
  let assemblyFormat = "$input attr-dict `:` type($result)";
  let hasFolder = 1;
}

def NN_IotaOp : NN_Op<"iota", [
    DeclareOpInterfaceMethods<BatchOpInterface, ["operandModes"]>]> {
  let summary = "index along a dimension";
  let description = [{
    Every element is its own index along `dim`. Comparisons of two of them make
    masks (triangular, one-hot). Along the sample dimension it is the index in
    the *logical* batch.

    ```mlir
    %i = nn.iota dim 1 : tensor<4x16xi32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$dim);
  let results = (outs NN_NumberTensor:$result);
  let assemblyFormat = "`dim` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def NN_WhenTrainingOp : NN_Op<"when_training", [
    NN_ElementwiseRule,
    SameOperandsAndResultType,
    AllTypesMatch<["training", "evaluation", "result"]>,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
    DeclareOpInterfaceMethods<ElementwiseOpInterface>]> {
  let summary = "one value in a training step, another in evaluation";
  let description = [{
    `nn-select-mode` replaces it by `training` in a step and by `evaluation` in
    a program that only evaluates. Where the pass did not run it means
    `training`.

    ```mlir
    %y = nn.when_training %dropped else %x : tensor<?x64xf32>
    ```
  }];
  let arguments = (ins NN_Tensor:$training, NN_Tensor:$evaluation);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $training `else` $evaluation attr-dict `:` type($result)
  }];
  let hasFolder = 1;
}

def NN_ComparePredicate : I32EnumAttr<"ComparePredicate",
    "predicate of a comparison", [
      I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>,
      I32EnumAttrCase<"lt", 2>, I32EnumAttrCase<"le", 3>,
      I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>]> {
  let cppNamespace = "::accrue::nn";
}

def NN_CompareOp : NN_Op<"compare", [
    NN_ElementwiseRule,
    SameTypeOperands, SameOperandsAndResultShape,
    DeclareOpInterfaceMethods<ElementwiseOpInterface>,
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "elementwise comparison";
  let description = [{
    Ordered comparison of floats: with NaN every predicate but `ne` is false.
    The result has no derivative.

    ```mlir
    %c = nn.compare lt %a, %b : tensor<?xf32>
    ```
  }];
  let arguments = (ins NN_ComparePredicate:$predicate, NN_NumberTensor:$lhs,
                       NN_NumberTensor:$rhs);
  let results = (outs NN_BoolTensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs)";
}

def NN_SelectOp : NN_Op<"select", [
    NN_LinearElementwiseRule,
    AllTypesMatch<["trueValue", "falseValue", "result"]>,
    TypesMatchWith<"the condition has the shape of the result", "result",
                   "condition",
                   "withElementType(::llvm::cast<::mlir::RankedTensorType>("
                   "$_self), ::mlir::IntegerType::get($_self.getContext(), 1))">,
    DeclareOpInterfaceMethods<DifferentiableOpInterface>,
        DeclareOpInterfaceMethods<ElementwiseOpInterface>]> {
  let summary = "elementwise choice";
  let description = [{
    Takes the element of `trueValue` where the condition holds, else that of
    `falseValue`. The branch that is not taken receives a zero cotangent.

    ```mlir
    %r = nn.select %c, %a, %b : tensor<?xi1>, tensor<?xf32>
    ```
  }];
  let arguments = (ins NN_BoolTensor:$condition, NN_Tensor:$trueValue,
                       NN_Tensor:$falseValue);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $trueValue `,` $falseValue attr-dict
    `:` type($condition) `,` type($result)
  }];
  let hasFolder = 1;
}

#endif // ACCRUE_DIALECT_NN_NNELEMENTWISEOPS_TD
