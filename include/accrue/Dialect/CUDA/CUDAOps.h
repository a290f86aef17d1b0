//===- CUDAOps.h - Ops of the cuda dialect ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_CUDAOPS_H
#define ACCRUE_DIALECT_CUDA_CUDAOPS_H

#include "accrue/Dialect/CUDA/CUDADialect.h"
#include "accrue/Dialect/Kernel/KernelDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "accrue/Dialect/CUDA/CUDAOps.h.inc"

#endif // ACCRUE_DIALECT_CUDA_CUDAOPS_H
