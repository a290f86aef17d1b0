//===- DifferentiableOpInterface.td - Reverse-mode rules ---*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
#define ACCRUE_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::accrue";
  let description = [{
    The reverse-mode derivative of an op: its vector-Jacobian product. An op
    declares the interface in ODS, so that a missing rule does not link.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Builds the vector-Jacobian product at the builder's insertion point.
        `resultCotangents` holds one value per result, of the result's type;
        a null value is a zero cotangent. For every operand i with `wanted[i]`
        the rule sets `operandCotangents[i]` (which has one null entry per
        operand on entry) to a value of the operand's type; leaving it null
        means a zero cotangent. Operands that are not wanted must not get any
        op built for them. Fails, after emitting an error, where the op has no
        derivative for a wanted operand.
      }],
      "::llvm::LogicalResult", "buildVJP",
      (ins "::mlir::OpBuilder &":$builder,
           "::mlir::ValueRange":$resultCotangents,
           "::llvm::ArrayRef<bool>":$wanted,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$operandCotangents)>,
    InterfaceMethod<
      [{
        True when operand `operandIndex` can never receive a cotangent (an
        integer label, a mask, the condition of a select).
      }],
      "bool", "isInactiveOperand", (ins "unsigned":$operandIndex),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        ::mlir::Type type = $_op->getOperand(operandIndex).getType();
        return !::llvm::isa<::mlir::FloatType>(::mlir::getElementTypeOrSelf(type));
      }]>
  ];
}

#endif // ACCRUE_INTERFACES_DIFFERENTIABLEOPINTERFACE_TD
