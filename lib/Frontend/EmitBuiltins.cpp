//===- EmitBuiltins.cpp - Calls of built-in functions ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables of all families, and the checks of arguments that they share.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

static SmallVector<ArrayRef<Builtin>> getFamilies() {
  return {getAttentionBuiltins(),     getEinsumBuiltins(),
          getElementwiseBuiltins(),   getIndexingBuiltins(),
          getLossBuiltins(),          getModeBuiltins(),
          getNormalizationBuiltins(), getReductionBuiltins(),
          getShapeBuiltins(),         getStaticBuiltins(),
          getWindowBuiltins()};
}

const Builtin *findBuiltin(StringRef name) {
  for (ArrayRef<Builtin> family : getFamilies())
    for (const Builtin &builtin : family)
      if (builtin.name == name)
        return &builtin;
  return nullptr;
}

void appendBuiltinNames(SmallVectorImpl<StringRef> &names) {
  for (ArrayRef<Builtin> family : getFamilies())
    for (const Builtin &builtin : family)
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
  if (!complete)
    return {};
  BuiltinCall builtinCall(*this, call, builtin, arguments);
  return builtin.emit(builtinCall);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

std::string BuiltinCall::describe(unsigned index) const {
  StringRef formal = builtin.formals[index].name;
  return ((formal == "x" ? "operand" : formal) + " of " + builtin.name).str();
}

void BuiltinCall::reportUnexpected(unsigned index, const Twine &expected) {
  const Operand &operand = arguments[index];
  InFlightDiagnostic diag = emitError(index);
  diag << "expected " << expected << ", got " << operand.term.describe();
  if (isa<NameExpr>(operand.expr))
    emitter.noteOperands(diag, operand);
}

Value BuiltinCall::getTensor(unsigned index) {
  return emitter.expectTensor(arguments[index], describe(index));
}

Value BuiltinCall::getFloats(unsigned index) {
  return emitter.expectFloat(arguments[index], describe(index));
}

Value BuiltinCall::getFloatTensor(unsigned index) {
  return getTensor(index) ? getFloats(index) : Value();
}

Value BuiltinCall::getIndices(unsigned index) {
  Value value = getTensor(index);
  if (!value)
    return {};
  Type type = getTensorType(value).getElementType();
  if (type.isInteger(32) || type.isInteger(64))
    return value;
  reportUnexpected(index, "i32 or i64 as " + describe(index));
  return {};
}

Value BuiltinCall::getFloatTensorOfRank(unsigned index, int64_t rank,
                                        StringRef form) {
  Value value = getFloatTensor(index);
  if (!value || getTensorType(value).getRank() == rank)
    return value;
  reportUnexpected(index, describe(index) + " to be " + form);
  return {};
}

//===----------------------------------------------------------------------===//
// Static values
//===----------------------------------------------------------------------===//

/// The whole number that `term` is, if it is at least `minimum`.
static std::optional<int64_t> toInteger(const Term &term, int64_t minimum) {
  const StaticValue *value = term.getStatic();
  std::optional<int64_t> integer = value ? value->asInteger() : std::nullopt;
  return integer && *integer >= minimum ? integer : std::nullopt;
}

static std::string describeMinimum(int64_t minimum) {
  return minimum == std::numeric_limits<int64_t>::min() ? "a whole number"
         : minimum == 1
             ? "a positive whole number"
             : "a whole number of at least " + std::to_string(minimum);
}

std::optional<int64_t> BuiltinCall::getInteger(unsigned index,
                                               std::optional<int64_t> fallback,
                                               int64_t minimum) {
  if (!has(index))
    return fallback;
  std::optional<int64_t> integer = toInteger(arguments[index].term, minimum);
  if (!integer)
    reportUnexpected(index,
                     describeMinimum(minimum) + " as " + describe(index));
  return integer;
}

std::optional<nn::Extent> BuiltinCall::getExtent(unsigned index) {
  const StaticValue *value = arguments[index].term.getStatic();
  std::optional<nn::Extent> extent = value ? value->asExtent() : std::nullopt;
  if (!extent)
    reportUnexpected(index, "a positive whole extent as " + describe(index));
  return extent;
}

std::optional<double> BuiltinCall::getNumber(unsigned index,
                                             std::optional<double> fallback) {
  if (!has(index))
    return fallback;
  const StaticValue *value = arguments[index].term.getStatic();
  if (const double *number = value ? value->getNumber() : nullptr)
    return *number;
  reportUnexpected(index, "a number as " + describe(index));
  return std::nullopt;
}

std::optional<bool> BuiltinCall::getFlag(unsigned index, bool fallback) {
  if (!has(index))
    return fallback;
  const StaticValue *value = arguments[index].term.getStatic();
  if (const bool *flag = value ? value->getBoolean() : nullptr)
    return *flag;
  reportUnexpected(index, "true or false as " + describe(index));
  return std::nullopt;
}

std::optional<StringRef> BuiltinCall::getChoice(unsigned index,
                                                ArrayRef<StringRef> choices) {
  if (!has(index))
    return choices.front();
  const StaticValue *value = arguments[index].term.getStatic();
  const StringRef *text = value ? value->getString() : nullptr;
  if (text && llvm::is_contained(choices, *text))
    return *text;
  std::string expected;
  for (auto [position, choice] : llvm::enumerate(choices)) {
    if (position != 0)
      expected += position + 1 == choices.size() ? " or " : ", ";
    expected += ("\"" + choice + "\"").str();
  }
  emitError(index) << "expected the " << builtin.formals[index].name << " "
                   << expected << ", got " << arguments[index].term.describe();
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> BuiltinCall::getIntegers(unsigned index,
                                                             size_t count,
                                                             int64_t fallback,
                                                             int64_t minimum) {
  if (!has(index))
    return SmallVector<int64_t>(count, fallback);
  const Term &term = arguments[index].term;
  if (std::optional<int64_t> integer = toInteger(term, minimum))
    return SmallVector<int64_t>(count, *integer);
  SmallVector<int64_t> integers;
  if (std::optional<Term::List> elements = term.getElements())
    for (const Term &element : *elements)
      if (std::optional<int64_t> integer = toInteger(element, minimum))
        integers.push_back(*integer);
  if (integers.size() == count && term.getElements()->size() == count)
    return integers;
  reportUnexpected(index, describeMinimum(minimum) + " or a list of " +
                              Twine(count) + " as " + describe(index));
  return std::nullopt;
}

Type BuiltinCall::getElementType(unsigned index, Type fallback) {
  if (!has(index))
    return fallback;
  const StaticValue *value = arguments[index].term.getStatic();
  if (const Type *type = value ? value->getElementType() : nullptr)
    return *type;
  emitError(index) << "expected a type such as f32, got "
                   << arguments[index].term.describe();
  return {};
}

//===----------------------------------------------------------------------===//
// Dimensions and extents
//===----------------------------------------------------------------------===//

std::optional<int64_t> BuiltinCall::toDim(const Operand &operand,
                                          int64_t rank) {
  std::optional<int64_t> dim = toInteger(operand.term, -rank);
  if (!dim || *dim >= rank) {
    emitter.emitError(operand.expr->range)
        << "expected a dimension of a tensor of rank " << rank << ", got "
        << operand.term.describe();
    return std::nullopt;
  }
  return *dim < 0 ? *dim + rank : *dim;
}

std::optional<int64_t> BuiltinCall::getDim(unsigned index, int64_t rank,
                                           std::optional<int64_t> fallback) {
  if (has(index))
    return toDim(arguments[index], rank);
  if (rank == 0) {
    emitError() << "expected a tensor of rank 1 or more as " << describe(0)
                << ", got " << arguments[0].term.describe();
    return std::nullopt;
  }
  return *fallback < 0 ? *fallback + rank : *fallback;
}

std::optional<SmallVector<int64_t>> BuiltinCall::getDims(unsigned index,
                                                         int64_t rank) {
  const Operand &operand = arguments[index];
  std::optional<Term::List> elements = operand.term.getElements();
  if (!elements)
    elements = {operand.term};
  SmallVector<int64_t> dims;
  for (const Term &element : *elements) {
    std::optional<int64_t> dim = toDim({operand.expr, element}, rank);
    if (!dim)
      return std::nullopt;
    if (llvm::is_contained(dims, *dim)) {
      emitError(index) << "expected every dimension once, got " << *dim
                       << " twice";
      return std::nullopt;
    }
    dims.push_back(*dim);
  }
  return dims;
}

std::optional<SmallVector<int64_t>> BuiltinCall::getReducedDims(unsigned index,
                                                                int64_t rank) {
  if (!has(index))
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::optional<SmallVector<int64_t>> dims = getDims(index, rank);
  if (dims)
    llvm::sort(*dims);
  return dims;
}

std::optional<SmallVector<nn::Extent>>
BuiltinCall::getExtents(unsigned index, std::optional<nn::Extent> total) {
  const Operand &operand = arguments[index];
  const StaticValue *value = operand.term.getStatic();
  const StaticValue::List *list = value ? value->getList() : nullptr;
  if (!list) {
    emitError(index) << "expected a list of extents such as [batch, 64], got "
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
      emitError(index) << "expected positive whole extents, got "
                       << element.describe();
      return std::nullopt;
    }
    extents.push_back(*extent);
  }
  if (!open)
    return extents;
  StaticValue rest(*total / nn::getProduct(extents));
  std::optional<nn::Extent> extent = rest.asExtent();
  if (!extent) {
    emitError(index) << "expected extents that divide " << formatExtent(*total)
                     << " elements, got " << value->describe();
    return std::nullopt;
  }
  extents[*open] = *extent;
  return extents;
}

} // namespace accrue::frontend
