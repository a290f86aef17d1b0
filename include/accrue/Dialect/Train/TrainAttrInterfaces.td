//===- TrainAttrInterfaces.td - Optimizer rules and schedules *- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_TRAINATTRINTERFACES_TD
#define ACCRUE_DIALECT_TRAIN_TRAINATTRINTERFACES_TD

include "mlir/IR/Interfaces.td"

def Train_OptimizerRule : AttrInterface<"OptimizerRule"> {
  let cppNamespace = "::accrue::train";
  let description = [{
    How an optimizer moves one element of a parameter. A rule has the base
    learning rate and all its options; a group of parameters is a set of equal
    rules.

    A rule may scale the learning rate of each parameter by a function of sums
    over its elements, such as norms. It then names the terms of these sums; the
    factor that the update gets is the schedule's times the scale.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Names of the state tensors, each of the parameter's shape, initially 0
        on every target. A state that starts elsewhere is kept as its
        difference from that.
      }],
      "::llvm::SmallVector<::llvm::StringRef>", "getSlotNames", (ins)>,
    InterfaceMethod<
      "The base learning rate, before the schedule's factor.",
      "double", "getLearningRate", (ins)>,
    InterfaceMethod<
      [{
        One element in f64. `step` counts from 1 (steps that were skipped do
        not count); `factor` is the schedule's factor on the learning rate.
      }],
      "void", "update",
      (ins "double &":$param, "double":$gradient,
           "::llvm::MutableArrayRef<double>":$slots, "int64_t":$step,
           "double":$factor)>,
    InterfaceMethod<
      "Whether the rule scales the learning rate of each parameter.",
      "bool", "hasScale", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return false;">,
    InterfaceMethod<
      [{
        Of a rule with a scale: the terms of one element, in f64. Slots are
        those before the update.
      }],
      "::llvm::SmallVector<double>", "getScaleTerms",
      (ins "double":$param, "double":$gradient,
           "::llvm::ArrayRef<double>":$slots, "int64_t":$step),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<
      "The scale, from the sums of the terms over all elements.",
      "double", "getScale", (ins "::llvm::ArrayRef<double>":$sums),
      /*methodBody=*/"", /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<
      [{
        The same computation as `arith` and `math` ops on scalars of the
        parameter's float type. `stepScalars` is what `buildStepScalars`
        returned; `newSlots` receives one value per slot. Returns the new
        parameter.
      }],
      "::mlir::Value", "buildUpdate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$param, "::mlir::Value":$gradient,
           "::mlir::ValueRange":$slots, "::mlir::ValueRange":$stepScalars,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$newSlots)>,
    InterfaceMethod<
      "The same as `getScaleTerms`, on scalars like those of `buildUpdate`.",
      "::llvm::SmallVector<::mlir::Value>", "buildScaleTerms",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$param, "::mlir::Value":$gradient,
           "::mlir::ValueRange":$slots, "::mlir::ValueRange":$stepScalars),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<
      "The same as `getScale`.",
      "::mlir::Value", "buildScale",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$sums),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<
      [{
        What is the same for all elements of one step, computed once: learning
        rate, bias corrections. `step` is an i64 scalar counting from 1,
        `factor` a float scalar; the results are scalars of `type`.
      }],
      "::llvm::SmallVector<::mlir::Value>", "buildStepScalars",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$step, "::mlir::Value":$factor,
           "::mlir::FloatType":$type)>
  ];
}

def Train_Schedule : AttrInterface<"Schedule"> {
  let cppNamespace = "::accrue::train";
  let description = "A factor on the learning rate as a function of the step.";
  let methods = [
    InterfaceMethod<
      "The factor for the step after `completed` steps were done.",
      "double", "getFactor", (ins "int64_t":$completed)>,
    InterfaceMethod<
      "The step at which the factor stops to change; 0 for none.",
      "int64_t", "getLastStep", (ins)>,
    InterfaceMethod<
      "The number of steps over which the factor rises to 1; 0 for none.",
      "int64_t", "getWarmupSteps", (ins)>,
    InterfaceMethod<
      [{
        The same as `getFactor` as a C++ expression of the int64_t `completed`,
        with functions of runtime/training/Schedules.h.
      }],
      "std::string", "getFactorSource", (ins)>,
    InterfaceMethod<
      "The same as `getFactor` on an i64 scalar, computed in `type`.",
      "::mlir::Value", "buildFactor",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::Value":$completed, "::mlir::FloatType":$type)>
  ];
}

#endif // ACCRUE_DIALECT_TRAIN_TRAINATTRINTERFACES_TD
