//===- Training.h - What a run asks of a model ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts of a model that the training loop of runtime/training works with,
// read from the marks of its function.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TRAINING_TRAINING_H
#define ACCRUE_TRAINING_TRAINING_H

#include "accrue/Dialect/Train/Signature.h"
#include "runtime/training/TrainingRun.h"

namespace accrue {

/// What every parameter of `signature` starts from; nothing where the model has
/// no initializer, or one that cannot be evaluated.
std::vector<ParameterInit> getInitializers(const train::Signature &signature);

/// The learning rate of the step after `completed` ones as a C++ expression,
/// with functions of runtime/training/Schedules.h.
std::string getLearningRateSource(const train::Signature &signature);

/// The schedule of `signature`, for people.
ScheduleInfo describeSchedule(const train::Signature &signature);

/// The model of a run with the step `function`. Batch, number of steps and
/// config are left to the caller. Fails, after an error at the argument, where
/// an input cannot be read from a file.
mlir::FailureOr<RunModel> describeModel(mlir::func::FuncOp function,
                                        const train::Signature &signature);

} // namespace accrue

#endif // ACCRUE_TRAINING_TRAINING_H
