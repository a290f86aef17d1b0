//===- EmitState.cpp - Declared state and its updates ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state is an argument behind the parameters; its update is a result of the
// model. Its name means the value before the step, in expressions also behind
// the update.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "accrue/Dialect/Train/RunState.h"

using namespace mlir;

namespace accrue::frontend {

void Emitter::emitState(const StateStmt &statement) {
  RankedTensorType type = resolveType(statement.type);
  if (!type)
    return assign(statement.name, Term());
  if (!type.hasStaticShape()) {
    emitError(statement.type.range)
        << "expected a state whose extents do not depend on the batch, got "
        << formatType(type);
    return assign(statement.name, Term());
  }
  Attribute init = emitInitializer(statement.initializer, type);
  std::string name = getFullName(statement.name);
  if (train::isRunState(name)) {
    emitError(statement.name.range)
        << "'" << name
        << "' is state of every training run, expected another name";
    return assign(statement.name, Term());
  }
  Location loc = getNamedLoc(name, statement.name.range);
  if (!declare(statement.name, name, loc, "state"))
    return assign(statement.name, Term());
  Value value = function.getBody().front().insertArgument(
      parameters.size() + states.size(), type, loc);
  states.push_back({std::move(name), type, loc, init, value, {}, {}});
  assign(statement.name, value);
}

Value Emitter::getRandomKey(Location loc) {
  Builder &ops = builder.getBuilder();
  if (!randomKey)
    randomKey = function.getBody().front().insertArgument(
        parameters.size() + states.size(),
        RankedTensorType::get({2}, ops.getI64Type()), loc);
  return randomKey;
}

ModelState *Emitter::findState(Value value) {
  ModelState *found = llvm::find_if(
      states, [&](const ModelState &state) { return state.value == value; });
  return found == states.end() ? nullptr : found;
}

void Emitter::emitUpdate(const UpdateStmt &statement) {
  Operand operand{statement.value, emitExpr(statement.value)};
  auto variable = frame->variables.find(statement.name.text);
  if (variable == frame->variables.end()) {
    SmallVector<StringRef> names;
    for (const auto &[name, binding] : frame->variables)
      if (Value value = binding.term.getTensor(); value && findState(value))
        names.push_back(name);
    InFlightDiagnostic diag = emitError(statement.name.range);
    diag << "unknown state '" << statement.name.text << "'";
    StringRef nearest = findNearest(statement.name.text, names);
    if (nearest.empty()) {
      diag << ", expected one that 'state' declares";
      return;
    }
    diag << ", did you mean '" << nearest << "'?";
    diag.attachNote(getDeclLoc(frame->variables[nearest].declared))
        << "declared here";
    return;
  }
  const Term &target = variable->second.term;
  if (target.isNothing() || operand.term.isNothing())
    return;
  ModelState *state =
      target.getTensor() ? findState(target.getTensor()) : nullptr;
  if (!state) {
    emitError(statement.name.range, "expected the name of a state, got '" +
                                        statement.name.text + "', " +
                                        target.describe())
            .attachNote(getDeclLoc(variable->second.declared))
        << "declared here";
    return;
  }
  if (state->update) {
    emitError(statement.name.range,
              "state '" + state->name + "' is updated twice")
            .attachNote(getDeclLoc(state->updated))
        << "updated here";
    return;
  }
  Value value = toTensor(operand, state->type.getElementType(),
                         getLoc(statement.value->range));
  if (!value)
    return;
  RankedTensorType type = getTensorType(value);
  // Numbers fill the state.
  if (operand.term.getStatic() && type.getRank() == 0) {
    value = builder.createBroadcast(getLoc(statement.value->range), value,
                                    nn::getExtents(state->type));
    type = getTensorType(value);
  }
  if (type != state->type) {
    InFlightDiagnostic diag = emitError(statement.value->range);
    diag << "expected the new value of state '" << state->name << "' to be "
         << formatType(state->type) << ", got " << formatType(type);
    if (!type.hasStaticShape())
      diag << ": a state has no samples, reduce them with mean or sum";
    diag.attachNote(state->loc) << "declared here";
    return;
  }
  state->update = value;
  state->updated = statement.range;
}

} // namespace accrue::frontend
