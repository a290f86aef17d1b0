//===- TrainOps.h - Ops of the train dialect --------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_TRAINOPS_H
#define ACCRUE_DIALECT_TRAIN_TRAINOPS_H

#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "accrue/Dialect/Train/TrainOps.h.inc"

#endif // ACCRUE_DIALECT_TRAIN_TRAINOPS_H
