//===- LLVMPatterns.h - Conversions of the planned level --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_TARGET_CPU_LLVMPATTERNS_H
#define ACCRUE_LIB_TARGET_CPU_LLVMPATTERNS_H

namespace mlir {
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace accrue::cpu {

/// Conversions of ops on memory and of the kernel dialect. `converter` turns
/// memrefs into pointers; step functions are LLVM functions already.
void populateKernelToLLVMPatterns(mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

/// LibraryCalls.cpp: conversions of `math` ops to calls of the mathematical
/// library, preferred to others for the same op.
void populateLibraryCallPatterns(mlir::LLVMTypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);

} // namespace accrue::cpu

#endif // ACCRUE_LIB_TARGET_CPU_LLVMPATTERNS_H
