//===- Interpreter.h - The reference interpreter ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs functions of the model, step and accumulated levels on the host. This
// is the meaning of the IR: tests, gradient checks and translation validation
// compare with it. It names no op: every op answers for itself through
// `ReferenceOpInterface`.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_INTERPRETER_H
#define ACCRUE_REFERENCE_INTERPRETER_H

#include "accrue/Reference/EvaluationContext.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue::reference {

/// How a function is run.
struct InterpreterOptions {
  /// Samples in the logical batch, the value of B in symbolic extents. 0: the
  /// attribute `train.batch` of the function, which is an error where it is
  /// missing and a type depends on the batch.
  int64_t batch = 0;
  Precision precision = Precision::F64;
  /// Where it is not 0, every float that an op computes, rather than moves,
  /// changes in its last two bits of f64, up or down as this number, the op
  /// and the float have it; whole numbers stay. A result that moves far depends
  /// on how sums are rounded.
  uint64_t perturbation = 0;
  /// Called after every op, in their order, with the values that it has read
  /// and computed; those of regions come before the op that has them. False
  /// ends the run, which then fails without an error.
  llvm::function_ref<bool(mlir::Operation &op, llvm::ArrayRef<Tensor> operands,
                          llvm::ArrayRef<Tensor> results)>
      observe = nullptr;
  /// Called before every op. True: what it gives are the results of the op,
  /// which is not run or observed.
  llvm::function_ref<bool(mlir::Operation &op,
                          llvm::SmallVectorImpl<Tensor> &results)>
      provide = nullptr;
};

/// The results of `function` on `arguments`. Fails, after emitting an error,
/// where an argument has not the type that the function declares for the
/// batch, an op has no reference semantics, or a value is out of its range.
llvm::FailureOr<llvm::SmallVector<Tensor>>
interpret(mlir::func::FuncOp function, llvm::ArrayRef<Tensor> arguments,
          const InterpreterOptions &options = {});

/// The batch that `interpret` would use: that of `options` or the function's
/// own; 0 where neither gives one.
int64_t getLogicalBatch(mlir::func::FuncOp function,
                        const InterpreterOptions &options);

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_INTERPRETER_H
