//===- ReferenceOpInterface.td - What an op means ----------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_REFERENCEOPINTERFACE_TD
#define ACCRUE_INTERFACES_REFERENCEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::accrue";
  let description = [{
    The reference semantics of an op, on the host, plain and slow. This is the
    meaning of the IR: lowerings and targets are compared with it.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Evaluates the op on `operands`; appends one tensor per result.
        `context` gives the logical batch, the precision (f64, or rounded to
        the declared element type after every scalar operation) and evaluates nested regions.
        Fails after emitting an error at the op (index out of range and the
        like).
      }],
      "::llvm::LogicalResult", "evaluate",
      (ins "::llvm::ArrayRef<::accrue::reference::Tensor>":$operands,
           "::accrue::reference::EvaluationContext &":$context,
           "::llvm::SmallVectorImpl<::accrue::reference::Tensor> &":$results)>,
    InterfaceMethod<
      [{
        The valid values of integer operand `operandIndex` (a label, an index)
        are those in [0, n) of the returned n; all where there is none.
        `evaluate` fails on others.
      }],
      "std::optional<int64_t>", "getIndexBound", (ins "unsigned":$operandIndex),
      /*methodBody=*/"", /*defaultImplementation=*/"return std::nullopt;">
  ];
}

#endif // ACCRUE_INTERFACES_REFERENCEOPINTERFACE_TD
