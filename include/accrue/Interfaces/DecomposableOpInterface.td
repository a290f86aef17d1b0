//===- DecomposableOpInterface.td - Composite ops ----------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
#define ACCRUE_INTERFACES_DECOMPOSABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::accrue";
  let description = [{
    An op that equals a composition of simpler ops. Differentiation and the
    batch analysis see the op as a whole; kernels are made of what it
    decomposes into.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Builds the composition at the builder's insertion point from the op's
        operands and appends one value per result, of the result's type. Fails
        after emitting an error at the op.
      }],
      "::llvm::LogicalResult", "buildDecomposition",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results)>
  ];
}

#endif // ACCRUE_INTERFACES_DECOMPOSABLEOPINTERFACE_TD
