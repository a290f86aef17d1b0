//===- ReferenceOpInterface.h - What an op means ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_REFERENCEOPINTERFACE_H
#define ACCRUE_INTERFACES_REFERENCEOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace accrue::reference {
class Tensor;
class EvaluationContext;
} // namespace accrue::reference

#include "accrue/Interfaces/ReferenceOpInterface.h.inc"

#endif // ACCRUE_INTERFACES_REFERENCEOPINTERFACE_H
