//===- ElementwiseOpInterface.td - Scalar bodies -----------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_ELEMENTWISEOPINTERFACE_TD
#define ACCRUE_INTERFACES_ELEMENTWISEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::accrue";
  let description = [{
    An op that computes every element of its one result from the elements at
    the same place of its operands, all of one shape.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Builds the computation of one element with `arith` and `math` ops from
        one scalar per operand; returns a scalar of the result's element type.
      }],
      "::mlir::Value", "buildScalarBody",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$scalars)>
  ];
}

#endif // ACCRUE_INTERFACES_ELEMENTWISEOPINTERFACE_TD
