//===- EmitCall.cpp - Calls -----------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments are matched to parameters by position and name; a function of the
// file is expanded in a frame of its own.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

/// Calls that nest deeper are refused before the stack ends.
static constexpr unsigned maxCallDepth = 64;

FailureOr<SmallVector<const Expr *>>
Emitter::bindArguments(const CallExpr &call, ArrayRef<Formal> formals,
                       llvm::SMRange declared) {
  auto noteDeclared = [&](InFlightDiagnostic &diag) {
    if (declared.isValid())
      diag.attachNote(getDeclLoc(declared))
          << "'" << call.callee.text << "' is declared here";
  };
  SmallVector<const Expr *> bound(formals.size(), nullptr);
  for (auto [index, argument] : llvm::enumerate(call.arguments)) {
    size_t position = index;
    StringRef keyword = argument.keyword.text;
    if (!keyword.empty())
      position = std::distance(
          formals.begin(), llvm::find_if(formals, [&](const Formal &formal) {
            return formal.name == keyword;
          }));
    if (position >= formals.size()) {
      InFlightDiagnostic diag = emitError(
          keyword.empty() ? argument.value->range : argument.keyword.range);
      if (keyword.empty()) {
        diag << "expected at most " << formals.size() << " arguments of '"
             << call.callee.text << "', got " << call.arguments.size();
      } else {
        diag << "'" << call.callee.text << "' has no parameter '" << keyword
             << "'";
        SmallVector<StringRef> names;
        for (const Formal &formal : formals)
          names.push_back(formal.name);
        StringRef nearest = findNearest(keyword, names);
        if (!nearest.empty())
          diag << ", did you mean '" << nearest << "'?";
        else if (!names.empty())
          diag << ", expected one of: " << llvm::join(names, ", ");
      }
      noteDeclared(diag);
      return failure();
    }
    if (bound[position]) {
      InFlightDiagnostic diag = emitError(argument.keyword.range);
      diag << "argument '" << keyword << "' is given twice";
      diag.attachNote(getDeclLoc(bound[position]->range)) << "given here";
      return failure();
    }
    bound[position] = argument.value;
  }
  for (auto [formal, expr] : llvm::zip_equal(formals, bound)) {
    if (expr || !formal.required)
      continue;
    InFlightDiagnostic diag = emitError(call.range);
    diag << "expected the argument '" << formal.name << "' of '"
         << call.callee.text << "'";
    noteDeclared(diag);
    return failure();
  }
  return bound;
}

Term Emitter::emitCall(const CallExpr &call) {
  StringRef name = call.callee.text;
  if (const FunctionDecl *function = findFunction(name))
    return emitFunction(call, *function);
  if (const Builtin *builtin = findBuiltin(name)) {
    if (!call.scope)
      return emitBuiltin(call, *builtin);
    emitError(call.scope->range)
        << "'as' names the parameters of a function, but '" << name
        << "' is built in and has none";
    return {};
  }
  SmallVector<StringRef> candidates;
  llvm::append_range(candidates, functions.keys());
  llvm::append_range(candidates, libraryFunctions.keys());
  llvm::sort(candidates);
  appendBuiltinNames(candidates);
  InFlightDiagnostic diag = emitError(call.callee.range);
  diag << "unknown function '" << name << "'";
  StringRef nearest = findNearest(name, candidates);
  if (nearest.empty())
    return {};
  diag << ", did you mean '" << nearest << "'?";
  if (const FunctionDecl *function = findFunction(nearest))
    diag.attachNote(getDeclLoc(function->name.range)) << "declared here";
  return {};
}

const FunctionDecl *Emitter::findFunction(StringRef name) const {
  if (!frame->inLibrary)
    if (const FunctionDecl *function = functions.lookup(name))
      return function;
  return libraryFunctions.lookup(name);
}

Term Emitter::emitFunction(const CallExpr &call, const FunctionDecl &function) {
  SmallVector<Formal> formals;
  for (const FormalParameter &parameter : function.parameters)
    formals.push_back({parameter.name.text, !parameter.defaultValue});
  FailureOr<SmallVector<const Expr *>> arguments =
      bindArguments(call, formals, function.name.range);
  if (failed(arguments))
    return {};

  for (const Frame *outer = frame; outer; outer = outer->caller) {
    if (outer->function != &function)
      continue;
    emitError(call.range)
        << "'" << call.callee.text
        << "' calls itself, which would never end: a model is a fixed graph";
    return {};
  }
  if (frame->depth == maxCallDepth) {
    emitError(call.range) << "expected at most " << maxCallDepth
                          << " calls inside each other";
    return {};
  }

  Frame callee;
  callee.function = &function;
  callee.inLibrary = libraryFunctions.lookup(function.name.text) == &function;
  callee.caller = frame;
  callee.callLoc = getLoc(call.range);
  callee.depth = frame->depth + 1;
  callee.prefix = frame->prefix;
  if (call.scope) {
    std::optional<std::string> scope = joinScope(*call.scope);
    if (!scope)
      return {};
    callee.prefix = *scope;
  }
  SmallVector<Term> values;
  for (const Expr *argument : *arguments)
    values.push_back(argument ? emitExpr(argument) : Term());

  Frame *outer = std::exchange(frame, &callee);
  bool complete = true;
  for (auto [parameter, argument, value] :
       llvm::zip_equal(function.parameters, *arguments, values)) {
    // A default is evaluated inside the call and may use earlier parameters.
    if (!argument)
      value = emitExpr(parameter.defaultValue);
    complete &= !value.isNothing();
    assign(parameter.name, value);
  }
  if (complete)
    emitBlock(function.body);
  frame = outer;
  bool returns =
      !function.body.empty() && isa<ReturnStmt>(function.body.back());
  if (!returns) {
    InFlightDiagnostic diag = emitError(call.range);
    diag << "expected '" << call.callee.text << "' to return a value";
    diag.attachNote(getDeclLoc(function.name.range)) << "declared here";
  }
  return callee.result;
}

} // namespace accrue::frontend
