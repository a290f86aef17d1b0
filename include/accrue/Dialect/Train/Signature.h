//===- Signature.h - Arguments and results of a model or step ---*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The marks of the train dialect on one function, read into a struct and
// checked: what targets, the training loop and reports need to know of it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_SIGNATURE_H
#define ACCRUE_DIALECT_TRAIN_SIGNATURE_H

#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace accrue::train {

struct Signature {
  struct Argument {
    unsigned number = 0;
    std::string name;
    mlir::RankedTensorType type;
  };
  struct Parameter : Argument {
    /// The initializer; null where the model gives none.
    mlir::Attribute init;
    /// Null for a frozen parameter.
    OptimizerRule rule;
    /// The result with its new value, in a step.
    std::optional<unsigned> update;
  };
  /// An optimizer slot of the parameter `name`, or other state (no slot): what
  /// the model declares, the counter of steps, the key of random numbers.
  struct State : Argument {
    std::string slot;
    /// The initializer of state that the model declares; null for others.
    mlir::Attribute init;
    std::optional<unsigned> update;
  };
  struct Input : Argument {
    int64_t batchDim = 0;
  };
  struct Result {
    unsigned number = 0;
    ResultKind kind = ResultKind::output;
    std::string name;
  };

  /// Each in the order of the function.
  llvm::SmallVector<Parameter> parameters;
  llvm::SmallVector<State> states;
  llvm::SmallVector<Input> inputs;
  llvm::SmallVector<Result> results;
  /// 0 where the function has none.
  int64_t batch = 0;
  Schedule schedule;

  /// The first result of `kind`, or null.
  const Result *find(ResultKind kind) const;

  /// The learning rate of the first trainable parameter, without the schedule;
  /// options of groups are left aside.
  double getBaseLearningRate() const;
  /// The same after `completed` steps of the schedule.
  double getLearningRate(int64_t completed) const;
};

/// Fails, after an error at the place, where a mark is missing or does not fit
/// its type, or a name is used twice.
mlir::FailureOr<Signature> readSignature(mlir::func::FuncOp function);

} // namespace accrue::train

#endif // ACCRUE_DIALECT_TRAIN_SIGNATURE_H
