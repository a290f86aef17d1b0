//===- KernelDrawOps.cpp - Random numbers in kernels ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelDrawOps.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;

#include "accrue/Dialect/Kernel/KernelDrawEnums.cpp.inc"

#define GET_OP_CLASSES
#include "accrue/Dialect/Kernel/KernelDrawOps.cpp.inc"
