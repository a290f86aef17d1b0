//===- NumberRangeOpInterface.h - Bounds of values --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_NUMBERRANGEOPINTERFACE_H
#define ACCRUE_INTERFACES_NUMBERRANGEOPINTERFACE_H

#include "accrue/Interfaces/NumberRange.h"
#include "mlir/IR/OpDefinition.h"

#include "accrue/Interfaces/NumberRangeOpInterface.h.inc"

#endif // ACCRUE_INTERFACES_NUMBERRANGEOPINTERFACE_H
