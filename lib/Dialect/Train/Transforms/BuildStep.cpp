//===- BuildStep.cpp - From a model to a training step --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Appends to a model what one optimizer step does after the loss is known:
// gradient, of a loss that may be scaled, norm, finite check, clipping,
// schedule and one update per trainable parameter, with arguments for the state
// and results tied to them.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/RunState.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace accrue::train {
#define GEN_PASS_DEF_BUILDSTEP
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {
/// A parameter with a rule.
struct Trainable {
  BlockArgument param;
  StringAttr name;
  OptimizerRule rule;
};

/// Builds the step of one model in place.
class StepBuilder {
public:
  StepBuilder(func::FuncOp function, bool gradientsOnly, bool stateUpdates)
      : function(function), gradientsOnly(gradientsOnly),
        stateUpdates(stateUpdates), builder(function.getContext()) {}

  LogicalResult build();

private:
  LogicalResult collectTrainable();
  LogicalResult collectResults();
  /// Sets `scaledLoss`.
  LogicalResult scaleLoss();
  /// The gradient of the loss from that of `scaledLoss`.
  Value unscale(Value gradient);
  /// Appends the updates; `gradients` has one value per trainable parameter.
  /// Returns the learning rate, in the type of the norm.
  Value buildUpdates(ValueRange gradients, Value norm, Value finite);
  void addStateUpdates(Value finite);
  void advanceRandomKey();
  void finish();

  BlockArgument addState(Type type, StringRef name, StringRef slot);
  void addResult(Value value, DictionaryAttr attributes) {
    results.push_back(value);
    resultAttributes.push_back(attributes);
  }
  void addUpdateResult(Value value, BlockArgument argument) {
    addResult(value, builder.getDictionaryAttr(builder.getNamedAttr(
                         attrs::kUpdates,
                         builder.getI64IntegerAttr(argument.getArgNumber()))));
  }
  void addResult(Value value, ResultKind kind, StringAttr name) {
    addResult(value, builder.getDictionaryAttr(
                         {builder.getNamedAttr(
                              attrs::kResult,
                              ResultKindAttr::get(builder.getContext(), kind)),
                          builder.getNamedAttr(attrs::kName, name)}));
  }

  func::FuncOp function;
  bool gradientsOnly;
  bool stateUpdates;
  OpBuilder builder;
  SmallVector<Trainable> trainable;
  Value loss;
  DictionaryAttr lossAttributes;
  /// The loss times `lossScale`: what is differentiated.
  Value scaledLoss;
  double lossScale = 1;
  /// New values of declared state.
  SmallVector<std::pair<Value, BlockArgument>> stateValues;
  /// Metrics and outputs of the model.
  SmallVector<std::pair<Value, DictionaryAttr>> others;
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> resultAttributes;
};
} // namespace

LogicalResult StepBuilder::collectTrainable() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto rule = function.getArgAttrOfType<OptimizerRule>(number, attrs::kRule);
    if (!rule)
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(number, attrs::kName);
    if (!name)
      return emitError(argument.getLoc())
             << "expected a parameter to have the attribute '" << attrs::kName
             << "'";
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape() ||
        !isa<FloatType>(type.getElementType()))
      return emitError(argument.getLoc())
             << "expected parameter " << name
             << " to be a float tensor of static shape, got "
             << argument.getType();
    trainable.push_back({argument, name, rule});
  }
  if (trainable.empty()) {
    InFlightDiagnostic error =
        function.emitError("expected a parameter with a '")
        << attrs::kRule << "', got none: nothing is trained";
    error.attachNote() << "a 'train' block of the model gives its parameters "
                          "rules, but for those that it freezes";
    return error;
  }
  return success();
}

LogicalResult StepBuilder::collectResults() {
  auto terminator =
      cast<func::ReturnOp>(function.getBody().back().getTerminator());
  for (auto [i, value] : llvm::enumerate(terminator.getOperands())) {
    if (auto updates =
            function.getResultAttrOfType<IntegerAttr>(i, attrs::kUpdates)) {
      BlockArgument state = function.getArgument(updates.getInt());
      auto role = function.getArgAttrOfType<RoleAttr>(state.getArgNumber(),
                                                      attrs::kRole);
      if (!role || role.getValue() != Role::state)
        return terminator.emitError("expected result ")
               << i << " of a model to update a state, got argument "
               << updates.getInt();
      stateValues.push_back({value, state});
      continue;
    }
    auto kind = function.getResultAttrOfType<ResultKindAttr>(i, attrs::kResult);
    if (!kind)
      return terminator.emitError("expected result ")
             << i << " to have the attribute '" << attrs::kResult << "'";
    DictionaryAttr attributes = function.getResultAttrDict(i);
    switch (kind.getValue()) {
    case ResultKind::metric:
    case ResultKind::output:
      others.push_back({value, attributes});
      continue;
    case ResultKind::loss:
      break;
    default:
      return terminator.emitError("expected result ")
             << i << " to be the loss, a metric or an output, got " << kind;
    }
    if (loss) {
      InFlightDiagnostic error = emitError(value.getLoc(), "expected one loss");
      error.attachNote(loss.getLoc()) << "another loss is computed here";
      return error;
    }
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() != 0 || !isa<FloatType>(type.getElementType()))
      return emitError(value.getLoc())
             << "expected the loss to be a float scalar, got "
             << value.getType();
    loss = value;
    lossAttributes = attributes;
  }
  if (!loss)
    return function.emitError("expected a result that is the loss");
  return success();
}

/// The constant `value` as a tensor of type `type`.
static Value createConstant(OpBuilder &builder, Location loc,
                            RankedTensorType type, double value) {
  return nn::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, builder.getFloatAttr(type.getElementType(), value)));
}

LogicalResult StepBuilder::scaleLoss() {
  scaledLoss = loss;
  auto scale = function->getAttrOfType<FloatAttr>(attrs::kLossScale);
  if (!scale)
    return success();
  lossScale = scale.getValueAsDouble();
  auto type = cast<RankedTensorType>(loss.getType());
  auto element = cast<FloatType>(type.getElementType());
  double largest =
      APFloat::getLargest(element.getFloatSemantics()).convertToDouble();
  if (!(lossScale > 0 && lossScale <= largest))
    return function.emitError("expected '")
           << attrs::kLossScale << "' to be positive and, for a loss of type "
           << element << ", at most " << largest << ", got " << scale;
  scaledLoss = nn::MulOp::create(
      builder, loss.getLoc(), loss,
      createConstant(builder, loss.getLoc(), type, lossScale));
  return success();
}

Value StepBuilder::unscale(Value gradient) {
  if (lossScale == 1)
    return gradient;
  Location loc = function.getLoc();
  auto type = cast<RankedTensorType>(gradient.getType());
  // The inverse of a large scale has few bits in f16.
  RankedTensorType wide = type;
  if (type.getElementTypeBitWidth() < 32)
    wide = type.clone(builder.getF32Type());
  if (wide != type)
    gradient = nn::ConvertOp::create(builder, loc, wide, gradient);
  gradient =
      nn::MulOp::create(builder, loc, gradient,
                        createConstant(builder, loc, wide, 1 / lossScale));
  if (wide != type)
    gradient = nn::ConvertOp::create(builder, loc, type, gradient);
  return gradient;
}

BlockArgument StepBuilder::addState(Type type, StringRef name, StringRef slot) {
  NamedAttrList attributes;
  attributes.set(attrs::kRole,
                 RoleAttr::get(builder.getContext(), Role::state));
  attributes.set(attrs::kName, builder.getStringAttr(name));
  if (!slot.empty())
    attributes.set(attrs::kSlot, builder.getStringAttr(slot));
  unsigned number = function.getNumArguments();
  LogicalResult inserted = function.insertArgument(
      number, type, attributes.getDictionary(builder.getContext()),
      function.getLoc());
  assert(succeeded(inserted) && "a func.func takes any argument");
  (void)inserted;
  return function.getArgument(number);
}

Value StepBuilder::buildUpdates(ValueRange gradients, Value norm,
                                Value finite) {
  Location loc = function.getLoc();
  SmallVector<SmallVector<Value>> slots;
  for (const Trainable &entry : trainable) {
    slots.emplace_back();
    for (StringRef slot : entry.rule.getSlotNames())
      slots.back().push_back(
          addState(entry.param.getType(), entry.name.getValue(), slot));
  }
  auto counterType = RankedTensorType::get({}, builder.getI64Type());
  BlockArgument completed = addState(counterType, kCounterName, "");

  SmallVector<Value> scaled(gradients);
  if (auto limit = function->getAttrOfType<FloatAttr>(attrs::kClipNorm))
    scaled = llvm::to_vector_of<Value>(
        ClipOp::create(builder, loc, gradients.getTypes(), gradients, norm,
                       builder.getF64FloatAttr(limit.getValueAsDouble()))
            .getResults());
  auto schedule = function->getAttrOfType<Schedule>(attrs::kSchedule);
  if (!schedule)
    schedule = cast<Schedule>(
        Attribute(ConstantScheduleAttr::get(builder.getContext())));
  auto scalar = cast<RankedTensorType>(norm.getType());
  Value factor = ScheduleOp::create(builder, loc, scalar, completed, schedule);

  SmallVector<UpdateOp> updates;
  for (auto [i, entry] : llvm::enumerate(trainable)) {
    SmallVector<Type> slotTypes(slots[i].size(), entry.param.getType());
    updates.push_back(UpdateOp::create(builder, entry.param.getLoc(),
                                       entry.param.getType(), slotTypes,
                                       entry.param, scaled[i], slots[i],
                                       completed, factor, finite, entry.rule));
    addUpdateResult(updates.back().getNewParam(), entry.param);
  }
  for (auto [i, update] : llvm::enumerate(updates))
    for (auto [value, slot] : llvm::zip_equal(update.getNewSlots(), slots[i]))
      addUpdateResult(value, cast<BlockArgument>(slot));

  Value one = nn::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(counterType, int64_t(1)));
  Value next = nn::AddOp::create(builder, loc, completed, one);
  addUpdateResult(
      nn::SelectOp::create(builder, loc, counterType, finite, next, completed),
      completed);
  // That of the first parameter, as `Signature::getLearningRate`.
  Value base = createConstant(builder, loc, scalar,
                              trainable.front().rule.getLearningRate());
  return nn::MulOp::create(builder, loc, factor, base);
}

/// The state after the step: as it was where the step is not finite.
void StepBuilder::addStateUpdates(Value finite) {
  for (auto [value, state] : stateValues) {
    Value next = value;
    if (finite) {
      auto type = cast<RankedTensorType>(value.getType());
      Value condition = finite;
      if (type.getRank() != 0)
        condition = nn::BroadcastOp::create(
            builder, value.getLoc(), type.clone(builder.getI1Type()), finite,
            llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
      next = nn::SelectOp::create(builder, value.getLoc(), type, condition,
                                  value, state);
    }
    addUpdateResult(next, state);
  }
}

/// The index of the logical batch advances with every step, also with one that
/// is not finite.
void StepBuilder::advanceRandomKey() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto role = function.getArgAttrOfType<RoleAttr>(number, attrs::kRole);
    auto name = function.getArgAttrOfType<StringAttr>(number, attrs::kName);
    if (!role || role.getValue() != Role::scalar || !name ||
        name != kRandomKeyName)
      continue;
    // (0, 1)
    Value one = nn::IotaOp::create(builder, argument.getLoc(),
                                   argument.getType(), /*dim=*/0);
    addUpdateResult(
        nn::AddOp::create(builder, argument.getLoc(), argument, one), argument);
  }
}

void StepBuilder::finish() {
  for (auto [value, attributes] : others)
    addResult(value, attributes);
  Operation *terminator = function.getBody().back().getTerminator();
  terminator->setOperands(results);
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), ValueRange(results).getTypes()));
  function.setAllResultAttrs(resultAttributes);
  function->removeAttr(attrs::kModel);
  function->setAttr(attrs::kStep, builder.getUnitAttr());
  function->setAttr(attrs::kProgram,
                    ProgramKindAttr::get(builder.getContext(),
                                         gradientsOnly ? ProgramKind::gradients
                                                       : ProgramKind::step));
}

LogicalResult StepBuilder::build() {
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected a model of one block, got ")
           << function.getBody().getBlocks().size();
  auto limit = function->getAttrOfType<FloatAttr>(attrs::kClipNorm);
  if (limit && !(limit.getValueAsDouble() > 0))
    return function.emitError("expected '")
           << attrs::kClipNorm << "' to be positive, got " << limit;
  if (failed(collectTrainable()) || failed(collectResults()))
    return failure();

  Location loc = function.getLoc();
  builder.setInsertionPoint(function.getBody().back().getTerminator());
  SmallVector<Value> params;
  for (const Trainable &entry : trainable)
    params.push_back(entry.param);
  if (failed(scaleLoss()))
    return failure();
  auto gradient =
      GradientOp::create(builder, loss.getLoc(), ValueRange(params).getTypes(),
                         scaledLoss, params);
  SmallVector<Value> gradients(gradient.getGradients());
  // Who asks for gradients alone sums those of several devices elsewhere.
  if (!gradientsOnly)
    gradients = llvm::to_vector_of<Value>(
        AllReduceOp::create(builder, loc, ValueRange(gradients).getTypes(),
                            gradients)
            .getResults());
  for (Value &value : gradients)
    value = unscale(value);
  auto scalar = RankedTensorType::get(
      {}, getStepScalarType(ValueRange(gradients).getTypes()));
  Value norm = GlobalNormOp::create(builder, loc, scalar, gradients);
  StringAttr normName = builder.getStringAttr("grad_norm");

  if (gradientsOnly) {
    addResult(loss, lossAttributes);
    for (auto [entry, value] : llvm::zip_equal(trainable, gradients))
      addResult(value, ResultKind::gradient, entry.name);
    addResult(norm, ResultKind::norm, normName);
    if (stateUpdates)
      addStateUpdates(/*finite=*/Value());
  } else {
    auto flag = RankedTensorType::get({}, builder.getI1Type());
    Value finite =
        AllFiniteOp::create(builder, loc, flag, ValueRange{loss, norm});
    Value rate = buildUpdates(gradients, norm, finite);
    addStateUpdates(finite);
    advanceRandomKey();
    addResult(loss, lossAttributes);
    addResult(norm, ResultKind::norm, normName);
    addResult(finite, ResultKind::finite, builder.getStringAttr("finite"));
    addResult(rate, ResultKind::rate, builder.getStringAttr("learning_rate"));
  }
  finish();
  return success();
}

namespace {
struct BuildStep : train::impl::BuildStepBase<BuildStep> {
  using BuildStepBase::BuildStepBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(attrs::kModel) &&
          failed(StepBuilder(function, gradientsOnly, stateUpdates).build()))
        return signalPassFailure();
  }
};
} // namespace
