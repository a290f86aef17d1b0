//===- Signature.cpp - Arguments and results of a model or step -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/Signature.h"
#include "accrue/Dialect/Train/RunState.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

const Signature::Result *Signature::find(ResultKind kind) const {
  const Result *found = llvm::find_if(
      results, [&](const Result &result) { return result.kind == kind; });
  return found == results.end() ? nullptr : found;
}

double Signature::getBaseLearningRate() const {
  for (const Parameter &parameter : parameters)
    if (parameter.rule)
      return parameter.rule.getLearningRate();
  return 0;
}

double Signature::getLearningRate(int64_t completed) const {
  double factor = schedule ? schedule.getFactor(completed) : 1.0;
  return factor * getBaseLearningRate();
}

/// The shape of the key of random numbers.
static constexpr int64_t kKey[] = {2};

/// Adds argument `number` to its list in `signature`.
static LogicalResult readArgument(func::FuncOp function, unsigned number,
                                  Signature &signature) {
  Location loc = function.getArgument(number).getLoc();
  auto role = function.getArgAttrOfType<RoleAttr>(number, attrs::kRole);
  auto name = function.getArgAttrOfType<StringAttr>(number, attrs::kName);
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[number]);
  if (!role || !name || !type)
    return emitError(loc) << "expected argument " << number << " of '"
                          << function.getSymName()
                          << "' to be a ranked tensor with '" << attrs::kRole
                          << "' and '" << attrs::kName << "'";
  Signature::Argument argument{number, name.str(), type};
  switch (role.getValue()) {
  case Role::param: {
    if (!type.hasStaticShape())
      return emitError(loc) << "expected parameter '" << argument.name
                            << "' to have a static shape, got " << type;
    Signature::Parameter &parameter = signature.parameters.emplace_back();
    static_cast<Signature::Argument &>(parameter) = argument;
    parameter.init = function.getArgAttr(number, attrs::kInit);
    parameter.rule =
        function.getArgAttrOfType<OptimizerRule>(number, attrs::kRule);
    return success();
  }
  case Role::state: {
    if (!type.hasStaticShape())
      return emitError(loc) << "expected state '" << argument.name
                            << "' to have a static shape, got " << type;
    Signature::State &state = signature.states.emplace_back();
    static_cast<Signature::Argument &>(state) = argument;
    if (auto slot = function.getArgAttrOfType<StringAttr>(number, attrs::kSlot))
      state.slot = slot.str();
    state.init = function.getArgAttr(number, attrs::kInit);
    return success();
  }
  case Role::batch: {
    auto dim = function.getArgAttrOfType<IntegerAttr>(number, attrs::kBatchDim);
    if (!dim || dim.getInt() < 0 || dim.getInt() >= type.getRank())
      return emitError(loc) << "expected batch input '" << argument.name
                            << "' to name one of its " << type.getRank()
                            << " dimensions by '" << attrs::kBatchDim << "'";
    Signature::Input &input = signature.inputs.emplace_back();
    static_cast<Signature::Argument &>(input) = argument;
    input.batchDim = dim.getInt();
    return success();
  }
  case Role::scalar: {
    // The only one that a run provides.
    if (argument.name != kRandomKeyName || type.getShape() != ArrayRef(kKey) ||
        !type.getElementType().isInteger(64))
      return emitError(loc)
             << "expected a scalar argument to be '" << kRandomKeyName
             << "' of type tensor<2xi64>, got '" << argument.name
             << "' of type " << type;
    Signature::State &state = signature.states.emplace_back();
    static_cast<Signature::Argument &>(state) = argument;
    return success();
  }
  }
  llvm_unreachable("unknown role");
}

/// Ties result `number` to the argument it updates, or lists it.
static LogicalResult readResult(func::FuncOp function, unsigned number,
                                Signature &signature) {
  if (auto updates =
          function.getResultAttrOfType<IntegerAttr>(number, attrs::kUpdates)) {
    for (Signature::Parameter &parameter : signature.parameters)
      if (parameter.number == updates.getInt())
        return parameter.update = number, success();
    for (Signature::State &state : signature.states)
      if (state.number == updates.getInt())
        return state.update = number, success();
    return function.emitError("expected result ")
           << number << " to update a parameter or state, got argument "
           << updates.getInt();
  }
  auto kind =
      function.getResultAttrOfType<ResultKindAttr>(number, attrs::kResult);
  if (!kind)
    return function.emitError("expected result ")
           << number << " to have '" << attrs::kResult << "' or '"
           << attrs::kUpdates << "'";
  auto name = function.getResultAttrOfType<StringAttr>(number, attrs::kName);
  auto type = dyn_cast<RankedTensorType>(function.getResultTypes()[number]);
  bool isNumber = kind.getValue() == ResultKind::loss ||
                  kind.getValue() == ResultKind::metric;
  if (isNumber && (!type || type.getRank() != 0))
    return function.emitError("expected ")
           << stringifyResultKind(kind.getValue()) << " '"
           << (name ? name.getValue() : "") << "' to be one number, got "
           << function.getResultTypes()[number];
  signature.results.push_back(
      {number, kind.getValue(), name ? name.str() : std::string()});
  return success();
}

FailureOr<Signature> train::readSignature(func::FuncOp function) {
  Signature signature;
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected '")
           << function.getSymName() << "' to have a body of one block";
  for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
    if (failed(readArgument(function, i, signature)))
      return failure();
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i)
    if (failed(readResult(function, i, signature)))
      return failure();
  llvm::StringMap<unsigned> names;
  auto isUnique = [&](const Signature::Argument &argument) {
    auto [it, inserted] = names.try_emplace(argument.name, argument.number);
    if (inserted)
      return true;
    InFlightDiagnostic diag =
        emitError(function.getArgument(argument.number).getLoc());
    diag << "the name '" << argument.name << "' is used twice";
    diag.attachNote(function.getArgument(it->second).getLoc()) << "first here";
    return false;
  };
  auto isUniqueState = [&](const Signature::State &state) {
    return !state.slot.empty() || isUnique(state);
  };
  if (!llvm::all_of(signature.parameters, isUnique) ||
      !llvm::all_of(signature.states, isUniqueState) ||
      !llvm::all_of(signature.inputs, isUnique))
    return failure();
  if (auto batch = function->getAttrOfType<IntegerAttr>(attrs::kBatch))
    signature.batch = batch.getInt();
  signature.schedule = function->getAttrOfType<Schedule>(attrs::kSchedule);
  return signature;
}
