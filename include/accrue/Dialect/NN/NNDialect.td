//===- NNDialect.td - The nn dialect -----------------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNDIALECT_TD
#define ACCRUE_DIALECT_NN_NNDIALECT_TD

include "accrue/Interfaces/BatchOpInterface.td"
include "accrue/Interfaces/CostOpInterface.td"
include "accrue/Interfaces/DecomposableOpInterface.td"
include "accrue/Interfaces/DifferentiableOpInterface.td"
include "accrue/Interfaces/ElementwiseOpInterface.td"
include "accrue/Interfaces/NumberRangeOpInterface.td"
include "accrue/Interfaces/ReferenceOpInterface.td"
include "accrue/Interfaces/SplittableOpInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def NN_Dialect : Dialect {
  let name = "nn";
  let cppNamespace = "::accrue::nn";
  let summary = "tensor programs of models, with a symbolic batch";
  let description = [{
    Pure ops on ranked tensors of f32, f16, bf16, f64, i32, i64 and i1. The
    number of samples B is symbolic: every dynamic extent is c * B^p with a
    positive rational c. Without an encoding each `?` is exactly B; otherwise
    the encoding `#nn.extents<...>` gives one extent per `?`.

    Elementwise ops take equal types; broadcasts are explicit.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

def NN_FloatTensor : RankedTensorOf<[F16, BF16, F32, F64],
    [], "ranked tensor of floating point values">;
def NN_IntTensor : RankedTensorOf<[I32, I64],
    [], "ranked tensor of i32 or i64 values">;
def NN_BoolTensor : RankedTensorOf<[I1], [], "ranked tensor of i1 values">;
def NN_NumberTensor : RankedTensorOf<[F16, BF16, F32, F64, I32, I64],
    [], "ranked tensor of numbers">;
def NN_Tensor : RankedTensorOf<[F16, BF16, F32, F64, I1, I32, I64],
    [], "ranked tensor of numbers or i1 values">;

/// What every op of the dialect can tell about itself.
class NN_Op<string mnemonic, list<Trait> traits = []>
    : Op<NN_Dialect, mnemonic, !listconcat([
        Pure, DeclareOpInterfaceMethods<CostOpInterface>,
        DeclareOpInterfaceMethods<NumberRangeOpInterface>,
        DeclareOpInterfaceMethods<ReferenceOpInterface>], traits)>;

/// An op that means a composition of others, which `nn-decompose` puts in its
/// place before kernels are planned.
class NN_CompositeOp<string mnemonic, list<Trait> traits = []>
    : Op<NN_Dialect, mnemonic, !listconcat([
        Pure, DeclareOpInterfaceMethods<DecomposableOpInterface>,
        DeclareOpInterfaceMethods<NumberRangeOpInterface>,
        DeclareOpInterfaceMethods<ReferenceOpInterface>], traits)>;

#endif // ACCRUE_DIALECT_NN_NNDIALECT_TD
