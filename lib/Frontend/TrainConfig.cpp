//===- TrainConfig.cpp - The train block of a model file ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of each parameter start from the optimizer's and are replaced by
// the groups that match its name, in source order.
//
//===----------------------------------------------------------------------===//

#include "TrainConfig.h"

#include "llvm/Support/GlobPattern.h"
#include <cmath>

using namespace mlir;
using llvm::APFloat;

namespace accrue::frontend {

LogicalResult TrainConfig::readOption(unsigned index, const Expr *expr,
                                      OptionValues &values) {
  const OptionSpec &spec = optimizer->options[index];
  StringRef expected = spec.type == OptionType::Boolean ? "true or false"
                       : spec.type == OptionType::Pair  ? "two numbers"
                                                        : "a number";
  std::optional<StaticValue> value = emitter.evaluateStatic(expr, expected);
  if (!value)
    return failure();
  OptionValue numbers;
  if (const bool *flag = value->getBoolean();
      flag && spec.type == OptionType::Boolean)
    numbers.push_back(*flag);
  if (const double *number = value->getNumber();
      number && spec.type == OptionType::Number)
    numbers.push_back(*number);
  if (const StaticValue::List *list = value->getList();
      list && list->size() == 2 && spec.type == OptionType::Pair)
    for (const StaticValue &element : *list)
      if (const double *number = element.getNumber())
        numbers.push_back(*number);
  if (numbers.size() != (spec.type == OptionType::Pair ? 2 : 1)) {
    emitter.emitError(expr->range)
        << "expected " << expected << " for '" << spec.name << "', got "
        << value->describe();
    return failure();
  }
  for (double number : numbers) {
    if (number >= 0 && number < spec.bound)
      continue;
    InFlightDiagnostic diag = emitter.emitError(expr->range);
    diag << "expected '" << spec.name << "' to be at least 0";
    if (std::isfinite(spec.bound))
      diag << " and below " << formatNumber(spec.bound);
    diag << ", got " << formatNumber(number);
    return failure();
  }
  values[index] = numbers;
  return success();
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// `value` as a call of one of `names`, or null after an error.
static const CallExpr *expectCall(Emitter &emitter, const OptionDecl &option,
                                  ArrayRef<StringRef> names) {
  const auto *call = dyn_cast<CallExpr>(option.value);
  if (call && !call->scope && llvm::is_contained(names, call->callee.text))
    return call;
  InFlightDiagnostic diag =
      emitter.emitError(call ? call->callee.range : option.value->range);
  if (call)
    diag << "unknown " << option.name.text << " '" << call->callee.text << "'";
  else
    diag << "expected '" << option.name.text << "' to be ";
  StringRef nearest = call ? findNearest(call->callee.text, names) : "";
  if (!nearest.empty()) {
    diag << ", did you mean '" << nearest << "'?";
    return nullptr;
  }
  if (call)
    diag << ", expected ";
  diag << llvm::join(names.drop_back(), "(...), ") << "(...) or "
       << names.back() << "(...)";
  return nullptr;
}

void TrainConfig::emitBatch(const OptionDecl &option) {
  std::optional<int64_t> batch =
      emitter.evaluateInteger(option.value, "a positive whole number");
  if (!batch)
    return;
  if (*batch <= 0) {
    emitter.emitError(option.value->range)
        << "expected a positive whole number, got " << *batch;
    return;
  }
  Builder builder(emitter.getContext());
  function->setAttr(train::attrs::kBatch, builder.getI64IntegerAttr(*batch));
}

void TrainConfig::emitPositiveNumber(const OptionDecl &option, StringRef name) {
  std::optional<double> number =
      emitter.evaluateNumber(option.value, "a positive number");
  if (!number)
    return;
  if (!(*number > 0)) {
    emitter.emitError(option.value->range)
        << "expected a positive number, got " << formatNumber(*number);
    return;
  }
  Builder builder(emitter.getContext());
  function->setAttr(name, builder.getF64FloatAttr(*number));
}

void TrainConfig::emitClipNorm(const OptionDecl &option) {
  emitPositiveNumber(option, train::attrs::kClipNorm);
}

void TrainConfig::emitLossScale(const OptionDecl &option) {
  emitPositiveNumber(option, train::attrs::kLossScale);
}

void TrainConfig::emitOptimizer(const OptionDecl &option) {
  SmallVector<StringRef> names;
  for (const OptimizerKind &kind : getOptimizers())
    names.push_back(kind.name);
  const CallExpr *call = expectCall(emitter, option, names);
  if (!call)
    return;
  optimizer = llvm::find_if(getOptimizers(), [&](const OptimizerKind &kind) {
    return kind.name == call->callee.text;
  });
  SmallVector<Formal> formals;
  for (const OptionSpec &spec : optimizer->options) {
    formals.push_back({spec.name, spec.fallback.empty()});
    defaults.push_back(spec.fallback);
  }
  FailureOr<SmallVector<const Expr *>> arguments =
      emitter.bindArguments(*call, formals);
  bool valid = succeeded(arguments);
  if (valid)
    for (auto [index, expr] : llvm::enumerate(*arguments))
      valid &= !expr || succeeded(readOption(index, expr, defaults));
  if (!valid)
    optimizer = nullptr;
}

std::optional<double> TrainConfig::readMinimumRate(const Expr *expr) {
  std::optional<double> minimum =
      emitter.evaluateNumber(expr, "a learning rate");
  if (!minimum || !optimizer)
    return std::nullopt;
  double rate = defaults[0][0];
  if (*minimum < 0 || *minimum > rate) {
    emitter.emitError(expr->range)
        << "expected 'min_lr' between 0 and the learning rate "
        << formatNumber(rate) << ", got " << formatNumber(*minimum);
    return std::nullopt;
  }
  // The schedule is a factor on the learning rate.
  return rate == 0 ? 0 : *minimum / rate;
}

void TrainConfig::emitSchedule(const OptionDecl &option) {
  SmallVector<StringRef> names;
  for (const ScheduleKind &kind : getSchedules())
    names.push_back(kind.name);
  const CallExpr *call = expectCall(emitter, option, names);
  if (!call)
    return;
  const ScheduleKind *schedule =
      llvm::find_if(getSchedules(), [&](const ScheduleKind &kind) {
        return kind.name == call->callee.text;
      });
  SmallVector<Formal> formals;
  for (const ScheduleOption &spec : schedule->options)
    formals.push_back({spec.name, !spec.fallback.has_value()});
  FailureOr<SmallVector<const Expr *>> arguments =
      emitter.bindArguments(*call, formals);
  if (failed(arguments))
    return;
  SmallVector<double> values;
  bool valid = true;
  for (auto [spec, expr] : llvm::zip_equal(schedule->options, *arguments)) {
    std::optional<double> value = spec.fallback;
    if (expr) {
      switch (spec.type) {
      case ScheduleOptionType::Steps:
        value = emitter.evaluateInteger(expr, "a whole number of steps");
        break;
      case ScheduleOptionType::Rate:
        value = readMinimumRate(expr);
        break;
      case ScheduleOptionType::Number:
        value = emitter.evaluateNumber(expr, "a number");
        break;
      }
    }
    valid &= value.has_value();
    values.push_back(value.value_or(0));
  }
  if (!valid)
    return;
  Attribute attribute =
      schedule->build([&] { return emitter.emitError(call->range); },
                      emitter.getContext(), values);
  if (attribute)
    function->setAttr(train::attrs::kSchedule, attribute);
}

void TrainConfig::emitEMA(const OptionDecl &option) {
  std::optional<double> decay =
      emitter.evaluateNumber(option.value, "a number below 1");
  if (!decay)
    return;
  if (*decay < 0 || *decay >= 1) {
    emitter.emitError(option.value->range)
        << "expected 'ema' to be at least 0 and below 1, got "
        << formatNumber(*decay);
    return;
  }
  ema = decay;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void TrainConfig::emitGroup(const GroupDecl &group) {
  StringRef text = group.pattern.text;
  llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(text);
  if (!pattern) {
    emitter.emitError(group.pattern.range)
        << "'" << text
        << "' is no pattern: " << llvm::toString(pattern.takeError());
    return;
  }
  SmallVector<unsigned> matched;
  for (auto [index, parameter] : llvm::enumerate(parameters))
    if (pattern->match(parameter.name))
      matched.push_back(index);
  // Without its body in order a model lacks parameters.
  if (matched.empty() && !emitter.hadError()) {
    constexpr size_t shown = 8;
    InFlightDiagnostic diag = emitter.emitError(group.pattern.range);
    diag << "'" << text << "' matches no parameter";
    for (const ModelParameter &parameter : parameters.take_front(shown))
      diag.attachNote(parameter.loc) << "'" << parameter.name << "'";
    return;
  }
  for (unsigned index : matched)
    frozen[index] |= group.frozen;

  if (!optimizer)
    return;
  SmallVector<StringRef> names;
  for (const OptionSpec &spec : optimizer->options)
    names.push_back(spec.name);
  for (const OptionDecl &option : group.options) {
    auto *name = llvm::find(names, option.name.text);
    if (name == names.end()) {
      InFlightDiagnostic diag = emitter.emitError(option.name.range);
      diag << "'" << optimizer->name << "' has no option '" << option.name.text
           << "'";
      StringRef nearest = findNearest(option.name.text, names);
      if (!nearest.empty())
        diag << ", did you mean '" << nearest << "'?";
      else
        diag << ", expected one of: " << llvm::join(names, ", ");
      continue;
    }
    unsigned position = std::distance(names.begin(), name);
    OptionValues read = defaults;
    if (failed(readOption(position, option.value, read)))
      continue;
    for (unsigned index : matched)
      values[index][position] = read[position];
  }
}

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

void TrainConfig::emitBlock(const TrainDecl &train) {
  using Handler = void (TrainConfig::*)(const OptionDecl &);
  // In the order in which they depend on each other.
  static constexpr std::pair<StringLiteral, Handler> handlers[] = {
      {"batch", &TrainConfig::emitBatch},
      {"optimizer", &TrainConfig::emitOptimizer},
      {"schedule", &TrainConfig::emitSchedule},
      {"clip_norm", &TrainConfig::emitClipNorm},
      {"loss_scale", &TrainConfig::emitLossScale},
      {"ema", &TrainConfig::emitEMA},
  };
  SmallVector<StringRef> names =
      llvm::to_vector_of<StringRef>(llvm::make_first_range(handlers));
  llvm::StringMap<const OptionDecl *> given;
  for (const OptionDecl &option : train.options) {
    auto [it, inserted] = given.try_emplace(option.name.text, &option);
    if (!llvm::is_contained(names, option.name.text)) {
      InFlightDiagnostic diag = emitter.emitError(option.name.range);
      diag << "unknown option '" << option.name.text << "' of 'train'";
      StringRef nearest = findNearest(option.name.text, names);
      if (!nearest.empty())
        diag << ", did you mean '" << nearest << "'?";
      else
        diag << ", expected one of: " << llvm::join(names, ", ");
    } else if (!inserted) {
      InFlightDiagnostic diag = emitter.emitError(option.name.range);
      diag << "option '" << option.name.text << "' is given twice";
      diag.attachNote(emitter.getDeclLoc(it->second->name.range))
          << "given here";
    }
  }
  for (StringRef required : {"batch", "optimizer"})
    if (!given.contains(required))
      emitter.emitError(train.model.range)
          << "expected the option '" << required << "' in 'train "
          << train.model.text << "'";

  Builder builder(emitter.getContext());
  function->setAttr(train::attrs::kSchedule,
                    train::ConstantScheduleAttr::get(emitter.getContext()));
  for (auto [name, handler] : handlers)
    if (auto it = given.find(name); it != given.end())
      (this->*handler)(*it->second);

  values.assign(parameters.size(), defaults);
  frozen.assign(parameters.size(), false);
  for (const GroupDecl &group : train.groups)
    emitGroup(group);
  if (!optimizer)
    return;
  for (auto [parameter, options, isFrozen] :
       llvm::zip_equal(parameters, values, frozen)) {
    if (isFrozen)
      continue;
    parameter.rule = optimizer->build(emitter.getContext(), options);
    if (ema)
      parameter.rule = train::EMAAttr::get(
          emitter.getContext(), cast<train::OptimizerRule>(parameter.rule),
          APFloat(*ema));
  }
}

void TrainConfig::emit(const Program &program, const ModelDecl &model) {
  SmallVector<StringRef> names;
  for (const ModelDecl *decl : program.models)
    names.push_back(decl->name.text);
  const TrainDecl *block = nullptr;
  for (const TrainDecl *train : program.trains) {
    if (!llvm::is_contained(names, train->model.text)) {
      InFlightDiagnostic diag = emitter.emitError(train->model.range);
      diag << "unknown model '" << train->model.text << "'";
      StringRef nearest = findNearest(train->model.text, names);
      if (!nearest.empty())
        diag << ", did you mean '" << nearest << "'?";
      continue;
    }
    if (train->model.text != model.name.text)
      continue;
    if (block) {
      InFlightDiagnostic diag = emitter.emitError(train->model.range);
      diag << "model '" << model.name.text << "' has two 'train' blocks";
      diag.attachNote(emitter.getDeclLoc(block->model.range)) << "the first";
      continue;
    }
    block = train;
  }
  if (block)
    emitBlock(*block);
}

} // namespace accrue::frontend
