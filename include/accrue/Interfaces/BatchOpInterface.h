//===- BatchOpInterface.h - How the batch passes an op ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_BATCHOPINTERFACE_H
#define ACCRUE_INTERFACES_BATCHOPINTERFACE_H

#include "accrue/Interfaces/BatchState.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallBitVector.h"
#include <string>

#include "accrue/Interfaces/BatchOpInterface.h.inc"

#endif // ACCRUE_INTERFACES_BATCHOPINTERFACE_H
