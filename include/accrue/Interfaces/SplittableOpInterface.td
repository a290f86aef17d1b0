//===- SplittableOpInterface.td - Ops that couple samples --*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_SPLITTABLEOPINTERFACE_TD
#define ACCRUE_INTERFACES_SPLITTABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def SplittableOpInterface : OpInterface<"SplittableOpInterface"> {
  let cppNamespace = "::accrue";
  let description = [{
    An op that may couple samples and that equals a formula whose ops split over
    them: a softmax over samples reads their logsumexp, which micro-batches
    contribute to. Where the op couples no samples it stays as it is.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Builds the formula at the builder's insertion point from the op's
        operands and appends one value per result, of the result's type. Fails
        after emitting an error at the op. By default the decomposition of a
        composite op.
      }],
      "::llvm::LogicalResult", "buildSplittable",
      (ins "::mlir::OpBuilder &":$builder,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::llvm::cast<::accrue::DecomposableOpInterface>(
                   $_op.getOperation())
            .buildDecomposition(builder, results);
      }]>
  ];
}

#endif // ACCRUE_INTERFACES_SPLITTABLEOPINTERFACE_TD
