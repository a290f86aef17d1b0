//===- SplittableOpInterface.h - Ops that couple samples --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_SPLITTABLEOPINTERFACE_H
#define ACCRUE_INTERFACES_SPLITTABLEOPINTERFACE_H

#include "accrue/Interfaces/DecomposableOpInterface.h"

#include "accrue/Interfaces/SplittableOpInterface.h.inc"

#endif // ACCRUE_INTERFACES_SPLITTABLEOPINTERFACE_H
