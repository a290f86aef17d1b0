//===- EmitBuiltins.cpp - Built-in functions ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table of names, parameters and handlers. A handler gets its arguments
// evaluated, none of them nothing; an optional argument that is missing has no
// expression.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;

namespace accrue::frontend {

struct Emitter::Builtin {
  StringLiteral name;
  SmallVector<Formal, 3> formals;
  Term (Emitter::*emit)(const CallExpr &call, Arguments arguments);
};

ArrayRef<Emitter::Builtin> Emitter::getBuiltins() {
  static const Builtin builtins[] = {
      {"argmax", {{"x"}, {"dim"}}, &Emitter::emitArgmax},
      {"broadcast", {{"x"}, {"shape"}}, &Emitter::emitBroadcast},
      {"convert", {{"x"}, {"type"}}, &Emitter::emitConvert},
      {"cross_entropy",
       {{"logits"}, {"label"}, {"reduction", false}},
       &Emitter::emitCrossEntropy},
      {"exp", {{"x"}}, &Emitter::emitFunctionOfOne},
      {"log", {{"x"}}, &Emitter::emitFunctionOfOne},
      {"max", {{"a"}, {"b"}}, &Emitter::emitMax},
      {"mean", {{"x"}, {"dims", false}}, &Emitter::emitReduction},
      {"range", {{"start"}, {"stop", false}}, &Emitter::emitRange},
      {"relu", {{"x"}}, &Emitter::emitFunctionOfOne},
      {"reshape", {{"x"}, {"shape"}}, &Emitter::emitReshape},
      {"select", {{"condition"}, {"a"}, {"b"}}, &Emitter::emitSelect},
      {"sigmoid", {{"x"}}, &Emitter::emitFunctionOfOne},
      {"sqrt", {{"x"}}, &Emitter::emitFunctionOfOne},
      {"square", {{"x"}}, &Emitter::emitFunctionOfOne},
      {"sum", {{"x"}, {"dims", false}}, &Emitter::emitReduction},
      {"tanh", {{"x"}}, &Emitter::emitFunctionOfOne},
      {"transpose", {{"x"}, {"permutation"}}, &Emitter::emitTranspose},
  };
  return builtins;
}

const Emitter::Builtin *Emitter::findBuiltin(StringRef name) {
  for (const Builtin &builtin : getBuiltins())
    if (builtin.name == name)
      return &builtin;
  return nullptr;
}

void Emitter::appendBuiltinNames(SmallVectorImpl<StringRef> &names) {
  for (const Builtin &builtin : getBuiltins())
    names.push_back(builtin.name);
}

Term Emitter::emitBuiltin(const CallExpr &call, const Builtin &builtin) {
  FailureOr<SmallVector<const Expr *>> bound =
      bindArguments(call, builtin.formals);
  if (failed(bound))
    return {};
  SmallVector<Operand> arguments;
  bool complete = true;
  for (const Expr *expr : *bound) {
    arguments.push_back({expr, expr ? emitExpr(expr) : Term()});
    complete &= !expr || !arguments.back().term.isNothing();
  }
  return complete ? (this->*builtin.emit)(call, arguments) : Term();
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Term Emitter::emitFunctionOfOne(const CallExpr &call, Arguments arguments) {
  StringRef name = call.callee.text;
  const Operand &operand = arguments.front();
  Term term;
  if (const StaticValue *value = operand.term.getStatic())
    if (takeStatic(evaluateFunction(name, *value), call.range, term))
      return term;
  std::string what = ("operand of " + name).str();
  Value x = expectFloat(operand, what);
  if (!x)
    return {};
  Location loc = getLoc(call.range);
  if (name == "exp")
    return builder.create<nn::ExpOp>(loc, x);
  if (name == "log")
    return builder.create<nn::LogOp>(loc, x);
  if (name == "relu")
    return builder.create<nn::ReluOp>(loc, x);
  if (name == "sigmoid")
    return builder.create<nn::SigmoidOp>(loc, x);
  if (name == "sqrt")
    return builder.create<nn::SqrtOp>(loc, x);
  if (name == "square")
    return builder.create<nn::SquareOp>(loc, x);
  assert(name == "tanh" && "no such function");
  return builder.create<nn::TanhOp>(loc, x);
}

Term Emitter::emitMax(const CallExpr &call, Arguments arguments) {
  const StaticValue *a = arguments[0].term.getStatic();
  const StaticValue *b = arguments[1].term.getStatic();
  if (a && b && a->getNumber() && b->getNumber())
    return StaticValue(std::max(*a->getNumber(), *b->getNumber()));
  std::optional<SmallVector<Value>> values = unify(call.range, arguments);
  if (!values)
    return {};
  if (getTensorType(values->front()).getElementType().isInteger(1)) {
    emitError(call.range) << "expected numbers as operands of max, got "
                          << formatType(getTensorType(values->front()));
    return {};
  }
  return builder.create<nn::MaxOp>(getLoc(call.range), (*values)[0],
                                   (*values)[1]);
}

Term Emitter::emitSelect(const CallExpr &call, Arguments arguments) {
  const Operand &condition = arguments[0];
  if (const StaticValue *value = condition.term.getStatic())
    if (const bool *known = value->getBoolean())
      return arguments[*known ? 1 : 2].term;
  Value flags = expectTensor(condition, "condition of select");
  if (!flags)
    return {};
  if (!getTensorType(flags).getElementType().isInteger(1)) {
    InFlightDiagnostic diag = emitError(condition.expr->range);
    diag << "expected a comparison as condition of select, got "
         << condition.term.describe();
    return {};
  }
  Type elementType = unifyElementTypes(call.range, arguments.drop_front());
  auto shape = unifyShapes(call.range, arguments);
  if (!elementType || !shape)
    return {};
  SmallVector<Value, 2> choices;
  for (const Operand &operand : arguments.drop_front()) {
    Location loc = getLoc(operand.expr->range);
    Value value = toTensor(operand, elementType, loc);
    if (!value)
      return {};
    choices.push_back(builder.createBroadcast(loc, value, *shape));
  }
  Location loc = getLoc(call.range);
  return builder.create<nn::SelectOp>(
      loc, builder.createBroadcast(loc, flags, *shape), choices[0], choices[1]);
}

Term Emitter::emitConvert(const CallExpr &call, Arguments arguments) {
  const StaticValue *value = arguments[1].term.getStatic();
  const Type *type = value ? value->getElementType() : nullptr;
  if (!type) {
    emitError(arguments[1].expr->range)
        << "expected a type such as f32, got " << arguments[1].term.describe();
    return {};
  }
  Value x = expectTensor(arguments[0], "operand of convert");
  return x ? builder.createConvert(getLoc(call.range), x, *type) : Value();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

std::optional<int64_t> Emitter::toDimension(const Operand &operand,
                                            int64_t rank) {
  const StaticValue *value = operand.term.getStatic();
  std::optional<int64_t> dim = value ? value->asInteger() : std::nullopt;
  if (!dim || *dim < -rank || *dim >= rank) {
    emitError(operand.expr->range)
        << "expected a dimension of a tensor of rank " << rank << ", got "
        << operand.term.describe();
    return std::nullopt;
  }
  return *dim < 0 ? *dim + rank : *dim;
}

std::optional<SmallVector<int64_t>>
Emitter::toDimensions(const Operand &operand, int64_t rank) {
  SmallVector<int64_t> dims;
  const StaticValue *value = operand.term.getStatic();
  const StaticValue::List *list = value ? value->getList() : nullptr;
  if (!list) {
    std::optional<int64_t> dim = toDimension(operand, rank);
    if (!dim)
      return std::nullopt;
    dims.push_back(*dim);
    return dims;
  }
  for (const StaticValue &element : *list) {
    std::optional<int64_t> dim = toDimension({operand.expr, element}, rank);
    if (!dim)
      return std::nullopt;
    if (llvm::is_contained(dims, *dim)) {
      emitError(operand.expr->range)
          << "expected every dimension once, got " << *dim << " twice";
      return std::nullopt;
    }
    dims.push_back(*dim);
  }
  return dims;
}

Term Emitter::emitReduction(const CallExpr &call, Arguments arguments) {
  Value x = toTensor(arguments[0], builder.getBuilder().getF32Type(),
                     getLoc(arguments[0].expr->range));
  if (!x)
    return {};
  Location loc = getLoc(call.range);
  // Truth values and integers are counted and averaged as f32.
  if (!isa<FloatType>(getTensorType(x).getElementType()))
    x = builder.createConvert(loc, x, builder.getBuilder().getF32Type());
  int64_t rank = getTensorType(x).getRank();
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (arguments[1].expr) {
    std::optional<SmallVector<int64_t>> given =
        toDimensions(arguments[1], rank);
    if (!given)
      return {};
    dims = *given;
    llvm::sort(dims);
  }
  if (call.callee.text == "mean")
    return builder.create<nn::MeanOp>(loc, x, dims);
  return builder.create<nn::SumOp>(loc, x, dims);
}

Term Emitter::emitArgmax(const CallExpr &call, Arguments arguments) {
  Value x = expectTensor(arguments[0], "operand of argmax");
  if (!x)
    return {};
  std::optional<int64_t> dim =
      toDimension(arguments[1], getTensorType(x).getRank());
  if (!dim)
    return {};
  if (getTensorType(x).getElementType().isInteger(1)) {
    emitError(arguments[0].expr->range)
        << "expected numbers as operand of argmax, got "
        << formatType(getTensorType(x));
    return {};
  }
  return builder.create<nn::ArgmaxOp>(getLoc(call.range), x, *dim);
}

Term Emitter::emitCrossEntropy(const CallExpr &call, Arguments arguments) {
  Value logits = expectTensor(arguments[0], "logits of cross_entropy");
  Value label = expectTensor(arguments[1], "label of cross_entropy");
  if (!logits || !label ||
      !expectFloat(arguments[0], "logits of cross_entropy"))
    return {};
  StringRef reduction = "mean";
  if (const Operand &given = arguments[2]; given.expr) {
    const StaticValue *value = given.term.getStatic();
    const StringRef *text = value ? value->getString() : nullptr;
    if (!text || (*text != "mean" && *text != "sum" && *text != "none")) {
      emitError(given.expr->range)
          << "expected the reduction \"mean\", \"sum\" or \"none\", got "
          << given.term.describe();
      return {};
    }
    reduction = *text;
  }
  RankedTensorType logitsType = getTensorType(logits);
  RankedTensorType labelType = getTensorType(label);
  Type labelElement = labelType.getElementType();
  SmallVector<nn::Extent> rows = nn::getExtents(logitsType);
  if (!rows.empty())
    rows.pop_back();
  if (logitsType.getRank() == 0 || nn::getExtents(labelType) != rows ||
      !(labelElement.isInteger(32) || labelElement.isInteger(64))) {
    InFlightDiagnostic diag = emitError(call.range);
    diag << "expected logits [..., classes] and an i32 or i64 label for each "
            "row, got "
         << formatType(logitsType) << " and " << formatType(labelType);
    noteOperands(diag, arguments.take_front(2));
    return {};
  }
  Location loc = getLoc(call.range);
  Value losses = builder.create<nn::CrossEntropyOp>(loc, logits, label);
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, labelType.getRank()));
  if (reduction == "none" || dims.empty())
    return losses;
  if (reduction == "mean")
    return builder.create<nn::MeanOp>(loc, losses, dims);
  return builder.create<nn::SumOp>(loc, losses, dims);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::optional<SmallVector<nn::Extent>>
Emitter::toExtents(const Operand &operand, std::optional<nn::Extent> total) {
  const StaticValue *value = operand.term.getStatic();
  const StaticValue::List *list = value ? value->getList() : nullptr;
  if (!list) {
    emitError(operand.expr->range)
        << "expected a list of extents such as [batch, 64], got "
        << operand.term.describe();
    return std::nullopt;
  }
  SmallVector<nn::Extent> extents;
  std::optional<size_t> open;
  for (const StaticValue &element : *list) {
    std::optional<nn::Extent> extent = element.asExtent();
    if (!extent && total && !open && element.asInteger() == -1) {
      open = extents.size();
      extent = nn::Extent(1);
    }
    if (!extent) {
      emitError(operand.expr->range)
          << "expected positive whole extents, got " << element.describe();
      return std::nullopt;
    }
    extents.push_back(*extent);
  }
  if (!open)
    return extents;
  StaticValue rest(*total / nn::getProduct(extents));
  std::optional<nn::Extent> extent = rest.asExtent();
  if (!extent) {
    emitError(operand.expr->range)
        << "expected extents that divide " << formatExtent(*total)
        << " elements, got " << value->describe();
    return std::nullopt;
  }
  extents[*open] = *extent;
  return extents;
}

Term Emitter::emitReshape(const CallExpr &call, Arguments arguments) {
  Value x = expectTensor(arguments[0], "operand of reshape");
  if (!x)
    return {};
  nn::Extent before = nn::getProduct(nn::getExtents(getTensorType(x)));
  std::optional<SmallVector<nn::Extent>> extents =
      toExtents(arguments[1], before);
  if (!extents)
    return {};
  nn::Extent after = nn::getProduct(*extents);
  if (before != after) {
    InFlightDiagnostic diag = emitError(call.range);
    diag << "expected a shape of " << formatExtent(before) << " elements, got "
         << formatExtent(after);
    noteOperands(diag, arguments[0]);
    return {};
  }
  return builder.createReshape(getLoc(call.range), x, *extents);
}

Term Emitter::emitTranspose(const CallExpr &call, Arguments arguments) {
  Value x = expectTensor(arguments[0], "operand of transpose");
  if (!x)
    return {};
  int64_t rank = getTensorType(x).getRank();
  std::optional<SmallVector<int64_t>> permutation =
      toDimensions(arguments[1], rank);
  if (!permutation)
    return {};
  if (static_cast<int64_t>(permutation->size()) != rank) {
    emitError(arguments[1].expr->range)
        << "expected a permutation of " << rank << " dimensions, got "
        << arguments[1].term.describe();
    return {};
  }
  return builder.create<nn::TransposeOp>(getLoc(call.range), x, *permutation);
}

Term Emitter::emitBroadcast(const CallExpr &call, Arguments arguments) {
  Value x = toTensor(arguments[0], builder.getBuilder().getF32Type(),
                     getLoc(arguments[0].expr->range));
  std::optional<SmallVector<nn::Extent>> extents =
      toExtents(arguments[1], std::nullopt);
  if (!x || !extents)
    return {};
  SmallVector<nn::Extent> own = nn::getExtents(getTensorType(x));
  bool fits = own.size() <= extents->size();
  for (size_t dim = 0; fits && dim < own.size(); ++dim) {
    const nn::Extent &target = (*extents)[extents->size() - own.size() + dim];
    fits = own[dim] == target || own[dim] == nn::Extent(1);
  }
  if (!fits) {
    InFlightDiagnostic diag = emitError(call.range);
    diag << "expected a shape that " << formatType(getTensorType(x))
         << " broadcasts to, got " << arguments[1].term.describe();
    noteOperands(diag, arguments[0]);
    return {};
  }
  return builder.createBroadcast(getLoc(call.range), x, *extents);
}

Term Emitter::emitRange(const CallExpr &call, Arguments arguments) {
  constexpr int64_t maxLength = 100000;
  SmallVector<int64_t, 2> bounds;
  for (const Operand &operand : arguments) {
    if (!operand.expr)
      continue;
    const StaticValue *value = operand.term.getStatic();
    std::optional<int64_t> bound = value ? value->asInteger() : std::nullopt;
    if (!bound) {
      emitError(operand.expr->range)
          << "expected a whole number as bound of a range, got "
          << operand.term.describe();
      return {};
    }
    bounds.push_back(*bound);
  }
  int64_t start = bounds.size() == 2 ? bounds[0] : 0;
  int64_t stop = bounds.back();
  if (stop - start > maxLength) {
    emitError(call.range) << "expected a range of at most " << maxLength
                          << " numbers, got " << stop - start;
    return {};
  }
  StaticValue::List list;
  for (int64_t i = start; i < stop; ++i)
    list.push_back(StaticValue(static_cast<double>(i)));
  return StaticValue(std::move(list));
}

} // namespace accrue::frontend
