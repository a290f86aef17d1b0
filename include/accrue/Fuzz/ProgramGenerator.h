//===- ProgramGenerator.h - Random models -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models that nobody would write, of every op of the nn dialect, to compare
// their steps in micro-batches with those of the full batch.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_FUZZ_PROGRAMGENERATOR_H
#define ACCRUE_FUZZ_PROGRAMGENERATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

namespace accrue::fuzz {

/// On the function of a generated model: the seed of its arguments.
inline constexpr llvm::StringLiteral kDataSeed = "fuzz.seed";
/// On a function whose results depend on the order of its samples: draws by
/// the index of a sample, a cumulative sum over samples and the like.
inline constexpr llvm::StringLiteral kOrdered = "fuzz.ordered";
/// On a function that was meant to couple samples.
inline constexpr llvm::StringLiteral kCoupled = "fuzz.coupled";

/// A module with model `number` of the sequence that `seed` starts: 3 to
/// `maxOps` productions of one or a few ops each in f64, with parameters, batch
/// inputs, several loss terms, metrics, outputs and state, marked as the front
/// end marks them. A function of the three numbers only, on every machine.
/// About half of the models couple samples. Values stay of moderate size.
mlir::OwningOpRef<mlir::ModuleOp> generateProgram(mlir::MLIRContext &context,
                                                  uint64_t seed,
                                                  uint64_t number,
                                                  unsigned maxOps = 30);

} // namespace accrue::fuzz

#endif // ACCRUE_FUZZ_PROGRAMGENERATOR_H
