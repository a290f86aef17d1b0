//===- NNAttributes.td - Attributes of the nn dialect ------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNATTRIBUTES_TD
#define ACCRUE_DIALECT_NN_NNATTRIBUTES_TD

include "accrue/Dialect/NN/NNDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

class NN_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<NN_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def NN_ExtentsAttr : NN_Attr<"Extents", "extents",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "symbolic extents c * B^p";
  let description = [{
    One extent per dynamic dimension of the tensor type that it encodes, each
    written `"[num*]B[^p][/den]"`:

    ```mlir
    tensor<?x64xf32, #nn.extents<"16*B">>      // [B * 16, 64]
    tensor<?x?xf32, #nn.extents<"B", "B">>     // invalid: no encoding means B
    tensor<4x?xf32, #nn.extents<"B/4">>        // [4, B / 4]
    ```

    An encoding in which every extent is B is invalid, so that equal types are
    equal.
  }];
  let parameters = (ins ArrayRefParameter<"::accrue::nn::Extent">:$extents);
  let hasCustomAssemblyFormat = 1;
}

#endif // ACCRUE_DIALECT_NN_NNATTRIBUTES_TD
