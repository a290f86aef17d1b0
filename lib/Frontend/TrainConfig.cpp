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

void TrainConfig::emitClipNorm(const OptionDecl &option) {
  std::optional<double> norm =
      emitter.evaluateNumber(option.value, "a positive number");
  if (!norm)
    return;
  if (*norm <= 0) {
    emitter.emitError(option.value->range)
        << "expected a positive number, got " << formatNumber(*norm);
    return;
  }
  Builder builder(emitter.getContext());
  function->setAttr(train::attrs::kClipNorm, builder.getF64FloatAttr(*norm));
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

void TrainConfig::emitSchedule(const OptionDecl &option) {
  const CallExpr *call =
      expectCall(emitter, option, {"warmup_cosine", "constant"});
  if (!call)
    return;
  MLIRContext *context = emitter.getContext();
  if (call->callee.text == "constant") {
    if (succeeded(emitter.bindArguments(*call, {})))
      function->setAttr(train::attrs::kSchedule,
                        train::ConstantScheduleAttr::get(context));
    return;
  }
  FailureOr<SmallVector<const Expr *>> arguments = emitter.bindArguments(
      *call, {{"warmup"}, {"steps"}, {"min_lr", /*required=*/false}});
  if (failed(arguments))
    return;
  std::optional<int64_t> warmup =
      emitter.evaluateInteger((*arguments)[0], "a whole number of steps");
  std::optional<int64_t> steps =
      emitter.evaluateInteger((*arguments)[1], "a whole number of steps");
  std::optional<double> minimum = 0;
  if (const Expr *expr = (*arguments)[2])
    minimum = emitter.evaluateNumber(expr, "a learning rate");
  if (!warmup || !steps || !minimum || !optimizer)
    return;
  // The schedule is a factor on the learning rate.
  double rate = defaults[0][0];
  if (*minimum < 0 || *minimum > rate) {
    emitter.emitError((*arguments)[2]->range)
        << "expected 'min_lr' between 0 and the learning rate "
        << formatNumber(rate) << ", got " << formatNumber(*minimum);
    return;
  }
  Attribute schedule = train::WarmupCosineAttr::getChecked(
      [&] { return emitter.emitError(call->range); }, context, *warmup, *steps,
      APFloat(rate == 0 ? 0.0 : *minimum / rate));
  if (schedule)
    function->setAttr(train::attrs::kSchedule, schedule);
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
       llvm::zip_equal(parameters, values, frozen))
    if (!isFrozen)
      parameter.rule = optimizer->build(emitter.getContext(), options);
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
