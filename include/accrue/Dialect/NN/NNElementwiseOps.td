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
def NN_SquareOp : NN_UnaryOp<"square"> { let summary = "x * x"; }

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
def NN_DivOp : NN_BinaryOp<"div", [NN_LinearElementwiseRule]> {
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
