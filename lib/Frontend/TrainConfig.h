//===- TrainConfig.h - The train block of a model file ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns `train NAME { ... }` into marks on the model: batch, schedule and clip
// norm on the function, an optimizer rule on every parameter that is not
// frozen.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FRONTEND_TRAINCONFIG_H
#define ACCRUE_LIB_FRONTEND_TRAINCONFIG_H

#include "Emitter.h"
#include "Optimizers.h"
#include "Schedules.h"

namespace accrue::frontend {

class TrainConfig {
public:
  TrainConfig(Emitter &emitter, mlir::func::FuncOp function,
              llvm::MutableArrayRef<ModelParameter> parameters)
      : emitter(emitter), function(function), parameters(parameters) {}

  /// Applies the block of `model`, if there is one, and checks that the others
  /// name models. Reports errors through the emitter.
  void emit(const Program &program, const ModelDecl &model);

private:
  void emitBlock(const TrainDecl &train);
  void emitBatch(const OptionDecl &option);
  void emitClipNorm(const OptionDecl &option);
  void emitLossScale(const OptionDecl &option);
  /// Sets the attribute `name` to a positive number.
  void emitPositiveNumber(const OptionDecl &option, llvm::StringRef name);
  void emitOptimizer(const OptionDecl &option);
  void emitSchedule(const OptionDecl &option);
  void emitEMA(const OptionDecl &option);
  void emitGroup(const GroupDecl &group);
  /// The part of the learning rate that `expr` is; nothing after an error.
  std::optional<double> readMinimumRate(const Expr *expr);
  /// Reads the value of option `index` of the optimizer into `values`.
  mlir::LogicalResult readOption(unsigned index, const Expr *expr,
                                 OptionValues &values);

  Emitter &emitter;
  mlir::func::FuncOp function;
  llvm::MutableArrayRef<ModelParameter> parameters;

  /// Null until a valid optimizer was read.
  const OptimizerKind *optimizer = nullptr;
  OptionValues defaults;
  /// The decay of averages of the parameters; nothing where there are none.
  std::optional<double> ema;
  /// One set of options per parameter.
  llvm::SmallVector<OptionValues, 0> values;
  llvm::SmallVector<bool> frozen;
};

} // namespace accrue::frontend

#endif // ACCRUE_LIB_FRONTEND_TRAINCONFIG_H
