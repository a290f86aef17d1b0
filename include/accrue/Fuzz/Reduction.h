//===- Reduction.h - Shrinking models -----------------------------*- C++ -*-=//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FUZZ_REDUCTION_H
#define ACCRUE_FUZZ_REDUCTION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace accrue::fuzz {

/// Gives mlir-reduce (`accrue-reduce`) patterns that shrink models while they
/// stay interesting: a value becomes an operand of its op, an argument of the
/// function or zero; what is not read is erased; results are dropped.
void registerReductionPatterns(mlir::DialectRegistry &registry);

} // namespace accrue::fuzz

#endif // ACCRUE_FUZZ_REDUCTION_H
