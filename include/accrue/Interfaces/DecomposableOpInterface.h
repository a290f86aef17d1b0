//===- DecomposableOpInterface.h - Composite ops ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_DECOMPOSABLEOPINTERFACE_H
#define ACCRUE_INTERFACES_DECOMPOSABLEOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include "accrue/Interfaces/DecomposableOpInterface.h.inc"

#endif // ACCRUE_INTERFACES_DECOMPOSABLEOPINTERFACE_H
