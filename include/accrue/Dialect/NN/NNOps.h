//===- NNOps.h - Ops of the nn dialect --------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNOPS_H
#define ACCRUE_DIALECT_NN_NNOPS_H

#include "accrue/Dialect/NN/NNDialect.h"
#include "accrue/Interfaces/BatchOpInterface.h"
#include "accrue/Interfaces/CostOpInterface.h"
#include "accrue/Interfaces/DecomposableOpInterface.h"
#include "accrue/Interfaces/DifferentiableOpInterface.h"
#include "accrue/Interfaces/ElementwiseOpInterface.h"
#include "accrue/Interfaces/NumberRangeOpInterface.h"
#include "accrue/Interfaces/ReferenceOpInterface.h"
#include "accrue/Interfaces/SplittableOpInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir {
class PatternRewriter;
} // namespace mlir

#define GET_OP_CLASSES
#include "accrue/Dialect/NN/NNOps.h.inc"

#endif // ACCRUE_DIALECT_NN_NNOPS_H
