//===- Training.cpp - What a run asks of a model --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Training/Training.h"

#include "accrue/Target/Describe.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace accrue;

static_assert(std::string_view(train::EMAAttr::kSlot) == kAverageSlot,
              "files name the average as the rule does");

/// The distribution that an initializer attribute stands for.
static std::optional<io::Initializer> getInitializer(mlir::Attribute init) {
  return llvm::TypeSwitch<mlir::Attribute, std::optional<io::Initializer>>(init)
      .Case([](train::FillAttr fill) {
        return io::Initializer::constant(fill.getValue().convertToDouble());
      })
      .Case([](train::UniformAttr uniform) {
        return io::Initializer::uniform(uniform.getBound().convertToDouble());
      })
      .Case([](train::NormalAttr normal) {
        return io::Initializer::normal(normal.getMean().convertToDouble(),
                                       normal.getStd().convertToDouble());
      })
      .Default([](mlir::Attribute) -> std::optional<io::Initializer> {
        return std::nullopt;
      });
}

std::vector<ParameterInit>
accrue::getInitializers(const train::Signature &signature) {
  std::vector<ParameterInit> initializers;
  for (const train::Signature::Parameter &parameter : signature.parameters) {
    ParameterInit &init = initializers.emplace_back();
    init.name = parameter.name;
    if (parameter.init)
      init.initializer = getInitializer(parameter.init);
  }
  for (const train::Signature::State &state : signature.states) {
    if (!state.init)
      continue;
    initializers.push_back({state.name, getInitializer(state.init)});
  }
  return initializers;
}

std::string accrue::getLearningRateSource(const train::Signature &signature) {
  double rate = signature.getBaseLearningRate();
  if (!signature.schedule)
    return fmt::format("{}", rate);
  return fmt::format("{} * {}", signature.schedule.getFactorSource(), rate);
}

ScheduleInfo accrue::describeSchedule(const train::Signature &signature) {
  ScheduleInfo info;
  info.rate = signature.getBaseLearningRate();
  if (!signature.schedule)
    return info;
  // "train.step" is the schedule `step` of the train dialect.
  info.name =
      signature.schedule.getAbstractAttribute().getName().split('.').second;
  info.warmup = signature.schedule.getWarmupSteps();
  info.last = signature.schedule.getLastStep();
  return info;
}

mlir::FailureOr<RunModel>
accrue::describeModel(mlir::func::FuncOp function,
                      const train::Signature &signature) {
  mlir::FailureOr<std::vector<InputInfo>> inputs =
      describeInputs(function, signature);
  if (failed(inputs))
    return mlir::failure();
  RunModel model;
  model.name = function.getSymName();
  model.inputs = std::move(*inputs);
  model.initializers = getInitializers(signature);
  model.learningRate = [signature](int64_t completed) {
    return signature.getLearningRate(completed);
  };
  model.schedule = describeSchedule(signature);
  llvm::SmallVector<mlir::Type> trained;
  for (const train::Signature::Parameter &parameter : signature.parameters)
    if (parameter.rule)
      trained.push_back(parameter.type);
  if (!trained.empty())
    model.normType = *getDType(train::getStepScalarType(trained));
  if (auto limit =
          function->getAttrOfType<mlir::FloatAttr>(train::attrs::kClipNorm))
    model.clipNorm = limit.getValueAsDouble();
  return model;
}
