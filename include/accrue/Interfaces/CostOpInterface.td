//===- CostOpInterface.td - What an op costs ---------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_COSTOPINTERFACE_TD
#define ACCRUE_INTERFACES_COSTOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::accrue";
  let description = [{
    Arithmetic and traffic of an op on static shapes, and the loop nest it
    becomes: what rematerialization and the fusion analysis decide on.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Floating point operations of one execution with a logical batch of
        `batch` samples (a multiply-add counts two; a transcendental counts
        one). `batch` is ignored where all shapes are static.
      }],
      "double", "getFlops", (ins "int64_t":$batch)>,
    InterfaceMethod<
      [{
        The loop nest that the op becomes; decides with what it may share a
        kernel. See `KernelKind`.
      }],
      "::accrue::KernelKind", "getKernelKind", (ins)>
  ];
}

#endif // ACCRUE_INTERFACES_COSTOPINTERFACE_TD
