//===- EmitModel.cpp - Declarations and statements ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters and states are found while the body is evaluated, so they are
// inserted as block arguments before the inputs, and the function's type and
// marks are set at the end.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "TrainConfig.h"
#include "accrue/Dialect/Train/RunState.h"
#include "mlir/IR/IRMapping.h"
#include <cmath>

using namespace mlir;

namespace accrue::frontend {

/// A program that unrolls to more statements is taken for a mistake.
static constexpr unsigned maxEvaluated = 1000000;

Emitter::Emitter(const Program &program, const Program &library,
                 const SourceLocations &locations,
                 const FrontendOptions &options)
    : program(program), library(library), locations(locations),
      options(options), builder(locations.getContext()) {}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

Location Emitter::getLoc(llvm::SMRange range) const {
  Location loc = locations.get(range);
  if (frame && frame->callLoc)
    return CallSiteLoc::get(loc, *frame->callLoc);
  return loc;
}

Location Emitter::getNamedLoc(StringRef name, llvm::SMRange range) const {
  return NameLoc::get(StringAttr::get(getContext(), name), getLoc(range));
}

InFlightDiagnostic Emitter::emitError(llvm::SMRange range,
                                      const Twine &message) {
  ++errors;
  InFlightDiagnostic diag = mlir::emitError(getLoc(range), message);
  if (range.isValid() &&
      !reported.insert({range.Start.getPointer(), range.End.getPointer()})
           .second)
    diag.abandon();
  return diag;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void Emitter::declareFunctions() {
  for (const FunctionDecl *decl : library.functions)
    libraryFunctions.try_emplace(decl->name.text, decl);
  for (const FunctionDecl *decl : program.functions) {
    auto [it, inserted] = functions.try_emplace(decl->name.text, decl);
    if (!inserted)
      emitError(decl->name.range,
                "function '" + decl->name.text + "' is declared twice")
              .attachNote(getDeclLoc(it->second->name.range))
          << "declared here";
  }
}

void Emitter::emitConfig(const ConfigStmt &statement) {
  const Name &name = statement.name;
  auto [it, inserted] = configs.insert({name.text, name.range});
  if (!inserted) {
    emitError(name.range, "config value '" + name.text + "' is declared twice")
            .attachNote(getDeclLoc(it->second))
        << "declared here";
    return;
  }
  std::optional<StaticValue> value =
      evaluateStatic(statement.value, "a config value");
  if (!value)
    return assign(name, Term());
  for (const auto &[key, text] : options.configOverrides) {
    if (key != name.text)
      continue;
    double number;
    std::optional<StaticValue> given;
    if (value->getNumber() && !StringRef(text).getAsDouble(number) &&
        std::isfinite(number))
      given = StaticValue(number);
    else if (value->getBoolean() && (text == "true" || text == "false"))
      given = StaticValue(text == "true");
    else if (value->getString())
      given = StaticValue(StringRef(text));
    if (!given) {
      ++errors;
      mlir::emitError(UnknownLoc::get(getContext()))
              .append("cannot set '", key, "' to '", text,
                      "': expected a value like ", value->str())
              .attachNote(getDeclLoc(name.range))
          << "declared here";
      continue;
    }
    value = given;
  }
  assign(name, *value);
}

void Emitter::checkOverrides() {
  SmallVector<StringRef> names =
      llvm::to_vector(llvm::make_first_range(configs));
  for (const auto &[key, text] : options.configOverrides) {
    if (configs.contains(key))
      continue;
    ++errors;
    InFlightDiagnostic diag = mlir::emitError(UnknownLoc::get(getContext()));
    diag << "unknown config value '" << key << "' in '" << key << "=" << text
         << "'";
    StringRef nearest = findNearest(key, names);
    if (nearest.empty())
      continue;
    diag << ", did you mean '" << nearest << "'?";
    diag.attachNote(getDeclLoc(configs[nearest])) << "declared here";
  }
}

Type Emitter::resolveElementType(const Name &name) {
  if (Type type = findElementType(name.text, getContext()))
    return type;
  if (auto it = frame->variables.find(name.text);
      it != frame->variables.end()) {
    if (it->second.term.isNothing())
      return {};
    const StaticValue *value = it->second.term.getStatic();
    if (const Type *type = value ? value->getElementType() : nullptr)
      return *type;
  }
  emitError(name.range) << "unknown type '" << name.text
                        << "', expected f32, f16, bf16, f64, i32, i64 or i1";
  return {};
}

RankedTensorType Emitter::resolveType(const TypeExpr &type) {
  Type elementType = resolveElementType(type.element);
  SmallVector<nn::Extent> extents;
  bool valid = elementType != nullptr;
  for (const Expr *expr : type.extents) {
    std::optional<StaticValue> value =
        evaluateStatic(expr, "an extent c * batch**p");
    std::optional<nn::Extent> extent = value ? value->asExtent() : std::nullopt;
    if (value && !extent)
      emitError(expr->range)
          << "expected a positive whole extent, got " << value->describe();
    valid &= extent.has_value();
    extents.push_back(extent.value_or(1));
  }
  return valid ? nn::getTensorType(extents, elementType) : RankedTensorType();
}

void Emitter::emitInputs(const ModelDecl &model) {
  for (const ModelInput &input : model.inputs) {
    if (auto it = frame->variables.find(input.name.text);
        it != frame->variables.end()) {
      emitError(input.name.range,
                "input '" + input.name.text + "' is declared twice")
              .attachNote(getDeclLoc(it->second.declared))
          << "declared here";
      continue;
    }
    RankedTensorType type = resolveType(input.type);
    if (!type) {
      assign(input.name, Term());
      continue;
    }
    auto extents = nn::getExtents(type);
    unsigned dynamic = type.getNumDynamicDims();
    if (dynamic != 1 || !llvm::any_of(extents, [](const nn::Extent &extent) {
          return extent.isBatch();
        })) {
      emitError(input.type.range)
          << "expected exactly one extent of an input to be 'batch', got "
          << formatType(type);
      assign(input.name, Term());
      continue;
    }
    assign(input.name,
           function.getBody().front().addArgument(
               type, getNamedLoc(input.name.text, input.name.range)));
  }
}

OwningOpRef<ModuleOp> Emitter::emit(const ModelDecl &model) {
  OpBuilder &ops = builder.getBuilder();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(locations.get(model.name.range));
  ops.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(ops, locations.get(model.name.range),
                                  model.name.text, ops.getFunctionType({}, {}));
  ops.setInsertionPointToEnd(function.addEntryBlock());

  declareFunctions();
  frame = &globals;
  for (const ConfigStmt *config : program.configs)
    emitConfig(*config);

  Frame body;
  frame = &body;
  emitInputs(model);
  emitBlock(model.body);
  checkOverrides();
  if (!loss && !hadError())
    emitError(model.name.range)
        << "expected at least one 'loss' in model '" << model.name.text << "'";

  TrainConfig config(*this, function, parameters);
  config.emit(program, model);
  if (hadError())
    return nullptr;
  finishFunction(model);
  return module;
}

void Emitter::finishFunction(const ModelDecl &model) {
  OpBuilder &ops = builder.getBuilder();
  Block &block = function.getBody().front();
  auto name = [&](StringRef text) {
    return ops.getNamedAttr(train::attrs::kName, ops.getStringAttr(text));
  };
  auto role = [&](train::Role value) {
    return ops.getNamedAttr(train::attrs::kRole,
                            train::RoleAttr::get(getContext(), value));
  };

  SmallVector<DictionaryAttr> argAttrs, resultAttrs;
  for (const ModelParameter &parameter : parameters) {
    SmallVector<NamedAttribute> attrs = {
        role(train::Role::param), name(parameter.name),
        ops.getNamedAttr(train::attrs::kInit, parameter.init)};
    if (parameter.rule)
      attrs.push_back(ops.getNamedAttr(train::attrs::kRule, parameter.rule));
    argAttrs.push_back(ops.getDictionaryAttr(attrs));
  }
  for (const ModelState &state : states)
    argAttrs.push_back(ops.getDictionaryAttr(
        {role(train::Role::state), name(state.name),
         ops.getNamedAttr(train::attrs::kInit, state.init)}));
  if (randomKey)
    argAttrs.push_back(ops.getDictionaryAttr(
        {role(train::Role::scalar), name(train::kRandomKeyName)}));
  for (auto [input, arg] : llvm::zip_equal(
           model.inputs, block.getArguments().drop_front(argAttrs.size()))) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(arg.getType()).getShape();
    int64_t dim =
        std::distance(shape.begin(), llvm::find(shape, ShapedType::kDynamic));
    argAttrs.push_back(
        ops.getDictionaryAttr({role(train::Role::batch), name(input.name.text),
                               ops.getNamedAttr(train::attrs::kBatchDim,
                                                ops.getI64IntegerAttr(dim))}));
  }

  SmallVector<Value> results;
  auto addResult = [&](Value value, train::ResultKind kind, StringRef text) {
    results.push_back(value);
    resultAttrs.push_back(ops.getDictionaryAttr(
        {ops.getNamedAttr(train::attrs::kResult,
                          train::ResultKindAttr::get(getContext(), kind)),
         name(text)}));
  };
  addResult(loss, train::ResultKind::loss, "loss");
  for (const auto &[text, binding] : metrics)
    addResult(binding.term.getTensor(), train::ResultKind::metric, text);
  for (const auto &[text, binding] : outputs) {
    addResult(binding.term.getTensor(), train::ResultKind::output, text);
    NamedAttrList attrs(resultAttrs.back());
    attrs.set(train::attrs::kOnDemand, ops.getUnitAttr());
    resultAttrs.back() = attrs.getDictionary(getContext());
  }
  for (const ModelState &state : states) {
    if (!state.update)
      continue;
    results.push_back(state.update);
    unsigned number = cast<BlockArgument>(state.value).getArgNumber();
    resultAttrs.push_back(ops.getDictionaryAttr(ops.getNamedAttr(
        train::attrs::kUpdates, ops.getI64IntegerAttr(number))));
  }

  func::ReturnOp::create(ops, function.getLoc(), results);
  function.setFunctionType(ops.getFunctionType(block.getArgumentTypes(),
                                               ValueRange(results).getTypes()));
  function.setAllArgAttrs(argAttrs);
  function.setAllResultAttrs(resultAttrs);
  function->setAttr(train::attrs::kModel, ops.getUnitAttr());
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Emitter::emitBlock(StmtList block) {
  for (const Stmt *statement : block) {
    if (!tooLarge && ++evaluated > maxEvaluated) {
      emitError(statement->range) << "expected a model of at most "
                                  << maxEvaluated << " unrolled statements";
      tooLarge = true;
    }
    if (tooLarge)
      return;
    emitStatement(statement);
  }
}

void Emitter::emitStatement(const Stmt *statement) {
  switch (statement->kind) {
  case Stmt::Kind::Assign:
    return emitAssign(*cast<AssignStmt>(statement));
  case Stmt::Kind::Config:
    return emitConfig(*cast<ConfigStmt>(statement));
  case Stmt::Kind::For:
    return emitFor(*cast<ForStmt>(statement));
  case Stmt::Kind::If:
    return emitIf(*cast<IfStmt>(statement));
  case Stmt::Kind::Loss:
    return emitLoss(*cast<LossStmt>(statement));
  case Stmt::Kind::Metric:
    return emitMetric(*cast<MetricStmt>(statement));
  case Stmt::Kind::Output:
    return emitOutput(*cast<OutputStmt>(statement));
  case Stmt::Kind::Param:
    return emitParam(*cast<ParamStmt>(statement));
  case Stmt::Kind::Recompute: {
    bool outer = builder.getRecompute();
    builder.setRecompute(true);
    emitBlock(cast<RecomputeStmt>(statement)->body);
    return builder.setRecompute(outer);
  }
  case Stmt::Kind::Return:
    frame->result = emitExpr(cast<ReturnStmt>(statement)->value);
    return;
  case Stmt::Kind::Scope:
    return emitScope(*cast<ScopeStmt>(statement));
  case Stmt::Kind::State:
    return emitState(*cast<StateStmt>(statement));
  case Stmt::Kind::Update:
    return emitUpdate(*cast<UpdateStmt>(statement));
  }
}

void Emitter::assign(const Name &name, Term term) {
  if (isReservedName(name.text, getContext())) {
    emitError(name.range) << "'" << name.text
                          << "' has a meaning of its own, expected another "
                             "name";
    return;
  }
  frame->variables[name.text] = {std::move(term), name.range};
}

void Emitter::emitAssign(const AssignStmt &statement) {
  Term term = emitExpr(statement.value);
  if (statement.names.size() == 1)
    return assignNamed(statement.names.front(), std::move(term));

  std::optional<Term::List> elements = term.getElements();
  if (!term.isNothing() &&
      (!elements || elements->size() != statement.names.size())) {
    InFlightDiagnostic diag = emitError(statement.value->range);
    diag << "expected a list of " << statement.names.size() << " values, got "
         << term.describe();
    if (term.getTensor())
      diag << ": split(x, parts, dim) makes one of a tensor";
    elements = std::nullopt;
  }
  for (auto [index, name] : llvm::enumerate(statement.names))
    assignNamed(name, elements ? (*elements)[index] : Term());
}

void Emitter::assignNamed(const Name &name, Term term) {
  // The first name of a value stays with its op: for readable IR and kernels.
  if (Value tensor = term.getTensor())
    if (Operation *op = tensor.getDefiningOp();
        op && !isa<NameLoc>(op->getLoc()))
      op->setLoc(
          NameLoc::get(StringAttr::get(getContext(), name.text), op->getLoc()));
  assign(name, std::move(term));
}

void Emitter::emitIf(const IfStmt &statement) {
  std::optional<StaticValue> value =
      evaluateStatic(statement.condition, "a condition known while compiling");
  if (!value)
    return;
  const bool *condition = value->getBoolean();
  if (!condition) {
    emitError(statement.condition->range)
        << "expected true or false as condition, got " << value->describe();
    return;
  }
  emitBlock(*condition ? statement.thenBody : statement.elseBody);
}

void Emitter::emitFor(const ForStmt &statement) {
  Term sequence = emitExpr(statement.sequence);
  if (sequence.isNothing())
    return;
  std::optional<Term::List> list = sequence.getElements();
  if (!list) {
    InFlightDiagnostic diag = emitError(statement.sequence->range);
    diag << "expected a list or range, got ";
    if (sequence.getTensor())
      diag << "a value that only the step computes, of type ";
    diag << sequence.describe();
    return;
  }
  for (const Term &value : *list) {
    unsigned before = errors;
    assign(statement.variable, value);
    emitBlock(statement.body);
    // The next iteration would report the same.
    if (errors != before || tooLarge)
      return;
  }
}

Value Emitter::emitScalar(const Expr *expr, StringRef what) {
  Operand operand{expr, emitExpr(expr)};
  if (operand.term.isNothing())
    return {};
  Value value =
      toTensor(operand, builder.getBuilder().getF32Type(), getLoc(expr->range));
  if (!value)
    return {};
  RankedTensorType type = getTensorType(value);
  if (type.getRank() != 0) {
    InFlightDiagnostic diag = emitError(expr->range);
    diag << "expected a scalar " << what << ", got " << formatType(type)
         << ": reduce it with mean or sum";
    if (isa<NameExpr>(expr))
      noteOperands(diag, operand);
    return {};
  }
  if (isa<FloatType>(type.getElementType()))
    return value;
  return builder.createConvert(getLoc(expr->range), value,
                               builder.getBuilder().getF32Type());
}

void Emitter::emitLoss(const LossStmt &statement) {
  Value term = emitScalar(statement.value, "loss");
  if (!term)
    return;
  if (!loss) {
    loss = term;
    return;
  }
  // A number has the type of the other terms.
  IRMapping done;
  Type type = getTensorType(isOfNumbers(loss) ? term : loss).getElementType();
  for (Value *value : {&loss, &term})
    if (isOfNumbers(*value) && getTensorType(*value).getElementType() != type)
      *value = retype(*value, type, done);
  if (loss.getType() != term.getType()) {
    emitError(statement.value->range, "expected loss terms of one type, got " +
                                          formatType(getTensorType(term)))
            .attachNote(loss.getLoc())
        << "an earlier term is " << formatType(getTensorType(loss));
    return;
  }
  loss = builder.create<nn::AddOp>(getLoc(statement.range), loss, term);
}

void Emitter::emitMetric(const MetricStmt &statement) {
  Value value = emitScalar(statement.value, "metric");
  auto [it, inserted] = metrics.insert(
      {statement.name.text, Binding{value, statement.name.range}});
  if (!inserted)
    emitError(statement.name.range,
              "metric '" + statement.name.text + "' is declared twice")
            .attachNote(getDeclLoc(it->second.declared))
        << "declared here";
}

void Emitter::emitOutput(const OutputStmt &statement) {
  Operand operand{statement.value, emitExpr(statement.value)};
  if (operand.term.isNothing())
    return;
  Value value = toTensor(operand, builder.getBuilder().getF32Type(),
                         getLoc(statement.value->range));
  if (!value)
    return;
  auto [it, inserted] = outputs.insert(
      {statement.name.text, Binding{value, statement.name.range}});
  if (!inserted)
    emitError(statement.name.range,
              "output '" + statement.name.text + "' is declared twice")
            .attachNote(getDeclLoc(it->second.declared))
        << "declared here";
}

std::string Emitter::getFullName(const Name &name) const {
  std::string full = frame->prefix;
  if (!full.empty())
    full += '.';
  return full + name.text.str();
}

bool Emitter::declare(const Name &name, StringRef fullName, Location loc,
                      StringRef what) {
  auto [it, inserted] = declarations.try_emplace(fullName, loc);
  if (!inserted)
    emitError(name.range,
              what + " '" + fullName +
                  "' is declared twice: name the calls with 'as' or 'scope'")
            .attachNote(it->second)
        << "declared here";
  return inserted;
}

void Emitter::emitParam(const ParamStmt &statement) {
  RankedTensorType type = resolveType(statement.type);
  if (!type)
    return assign(statement.name, Term());
  if (!isa<FloatType>(type.getElementType()) || !type.hasStaticShape()) {
    emitError(statement.type.range)
        << "expected a parameter of floats whose extents do not depend on the "
           "batch, got "
        << formatType(type);
    return assign(statement.name, Term());
  }
  if (type.getRank() >= 2)
    frame->fanIn = ShapedType::getNumElements(type.getShape().drop_front());
  Attribute init = emitInitializer(statement.initializer, type);
  std::string name = getFullName(statement.name);
  Location loc = getNamedLoc(name, statement.name.range);
  if (!declare(statement.name, name, loc, "parameter"))
    return assign(statement.name, Term());
  Value value =
      function.getBody().front().insertArgument(parameters.size(), type, loc);
  parameters.push_back({std::move(name), type, loc, init, {}});
  assign(statement.name, value);
}

std::optional<std::string> Emitter::joinScope(const NameTemplate &name) {
  std::string result = frame->prefix;
  if (!result.empty())
    result += '.';
  for (const TemplatePart &part : name.parts) {
    result += part.text;
    if (!part.value)
      continue;
    std::optional<StaticValue> value =
        evaluateStatic(part.value, "a part of a name");
    if (!value)
      return std::nullopt;
    if (const StringRef *text = value->getString()) {
      result += *text;
    } else if (std::optional<int64_t> integer = value->asInteger()) {
      result += std::to_string(*integer);
    } else {
      emitError(part.value->range)
          << "expected a whole number or a string in a name, got "
          << value->describe();
      return std::nullopt;
    }
  }
  return result;
}

void Emitter::emitScope(const ScopeStmt &statement) {
  std::optional<std::string> scope = joinScope(*statement.name);
  if (!scope)
    return;
  std::string outer = std::exchange(frame->prefix, *scope);
  emitBlock(statement.body);
  frame->prefix = outer;
}

} // namespace accrue::frontend
