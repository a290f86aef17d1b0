//===- Benchmark.h - Measuring steps in this process ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step and each of its calls are programs of one executable, over the same
// memory: `isolateCalls` makes the programs, `measure` runs them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_BENCHMARK_BENCHMARK_H
#define ACCRUE_BENCHMARK_BENCHMARK_H

#include "accrue/Analysis/StepCalls.h"
#include "accrue/Benchmark/Report.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/training/Executable.h"

namespace accrue::bench {

struct Options {
  /// Samples per measurement; 0: as many as fit into half a second, at least 5.
  int64_t repeat = 0;
};

/// A call of a step, and a program that runs nothing else.
struct IsolatedCall {
  StepCall call;
  /// Runs of the call in one run of the program: short ones are repeated, so
  /// that the clock can tell their time.
  int64_t runs = 1;
  mlir::OwningOpRef<mlir::ModuleOp> program;
};

/// The calls of `step`, a function of the planned level. Fails after an error.
mlir::FailureOr<std::vector<IsolatedCall>>
isolateCalls(mlir::func::FuncOp step);

/// Measures program 0 of `executable`, the step, whose parameters have their
/// initial values, and program i + 1, the one of `calls[i]`, for every i. What
/// calls read has values that any kernel can work with. Fails where a program
/// fails.
io::Status measure(Executable &executable, llvm::ArrayRef<IsolatedCall> calls,
                   const Options &options, Report &report);

} // namespace accrue::bench

#endif // ACCRUE_BENCHMARK_BENCHMARK_H
