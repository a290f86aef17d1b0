//===- NumberRangeOpInterface.td - Bounds of values --------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_NUMBERRANGEOPINTERFACE_TD
#define ACCRUE_INTERFACES_NUMBERRANGEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def NumberRangeOpInterface : OpInterface<"NumberRangeOpInterface"> {
  let cppNamespace = "::accrue";
  let description = [{
    Between which numbers the elements of the results lie, and whether they are
    numbers at all: that a divisor is never 0 can then be proved. See
    `NumberRange.h` for what a range claims.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Sets the ranges of the results, which are unknown before. `operands` has
        one range per operand. A result stays unknown if it can be infinite or
        NaN although all operands are finite and nothing overflows.
      }],
      "void", "inferNumberRanges",
      (ins "::llvm::ArrayRef<::accrue::MaybeNumberRange>":$operands,
           "::llvm::MutableArrayRef<::accrue::MaybeNumberRange>":$results)>
  ];
}

#endif // ACCRUE_INTERFACES_NUMBERRANGEOPINTERFACE_TD
