//===- KernelDrawOps.td - Random numbers in kernels --------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_KERNELDRAWOPS_TD
#define ACCRUE_DIALECT_KERNEL_KERNELDRAWOPS_TD

include "accrue/Dialect/Kernel/KernelDialect.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Kernel_Distribution : I32EnumAttr<"Distribution",
    "a distribution of random numbers", [
    I32EnumAttrCase<"uniform", 0>, I32EnumAttrCase<"normal", 1>]> {
  let cppNamespace = "::accrue::kernel";
  let genSpecializedAttr = 0;
}

def Kernel_DrawOp : Op<Kernel_Dialect, "draw", [Pure]> {
  let summary = "one random number";
  let description = [{
    A scalar of the body of a kernel, at both levels: a number of `digits`
    binary digits in [0, 1), or a standard normal one made of two of them, as a
    function of the operands and the site; see `runtime/io/Draw.h`. The CPU
    target expands it into arithmetic, the CUDA target calls a device function.

    ```mlir
    %u = kernel.draw uniform(%seed, %batch, %sample, %place) site 3 digits 24 : f32
    ```
  }];
  let arguments = (ins EnumProp<Kernel_Distribution>:$distribution, I64:$seed,
                       I64:$batch, I32:$sample, I32:$place,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$site,
                       ConfinedAttr<I64Attr, [IntPositive]>:$digits);
  let results = (outs AnyTypeOf<[F32, F64]>:$result);
  let assemblyFormat = [{
    $distribution `(` $seed `,` $batch `,` $sample `,` $place `)`
    `site` $site `digits` $digits attr-dict `:` type($result)
  }];
}

#endif // ACCRUE_DIALECT_KERNEL_KERNELDRAWOPS_TD
