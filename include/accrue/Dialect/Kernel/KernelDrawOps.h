//===- KernelDrawOps.h - Random numbers in kernels --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_KERNEL_KERNELDRAWOPS_H
#define ACCRUE_DIALECT_KERNEL_KERNELDRAWOPS_H

#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "accrue/Dialect/Kernel/KernelDrawEnums.h.inc"

#define GET_OP_CLASSES
#include "accrue/Dialect/Kernel/KernelDrawOps.h.inc"

#endif // ACCRUE_DIALECT_KERNEL_KERNELDRAWOPS_H
