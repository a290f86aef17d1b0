//===- EmitOperands.cpp - Types and shapes of operands --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings the operands of an elementwise operation to one type: numbers take the
// element type of the tensors beside them, and shapes broadcast as in NumPy.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "accrue/Interfaces/ElementwiseOpInterface.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace accrue::frontend {

Term Term::fromList(List elements) {
  StaticValue::List known;
  for (const Term &element : elements)
    if (const StaticValue *value = element.getStatic())
      known.push_back(*value);
  if (known.size() == elements.size())
    return StaticValue(std::move(known));
  Term term;
  term.value = std::move(elements);
  return term;
}

std::optional<Term::List> Term::getElements() const {
  if (const List *list = std::get_if<List>(&value))
    return *list;
  const StaticValue *known = getStatic();
  const StaticValue::List *list = known ? known->getList() : nullptr;
  if (!list)
    return std::nullopt;
  return List(list->begin(), list->end());
}

std::string Term::describe() const {
  if (Value tensor = getTensor())
    return formatType(getTensorType(tensor));
  if (const StaticValue *value = getStatic())
    return value->describe();
  if (const List *list = std::get_if<List>(&value))
    return "a list of " + std::to_string(list->size()) + " values";
  return "nothing";
}

void Emitter::noteOperands(InFlightDiagnostic &diag,
                           ArrayRef<Operand> operands) {
  SmallVector<Location, 2> noted;
  for (const Operand &operand : operands) {
    llvm::SMRange place = operand.expr->range;
    std::string what = "this";
    if (const auto *name = dyn_cast<NameExpr>(operand.expr)) {
      auto it = frame->variables.find(name->name);
      if (it != frame->variables.end()) {
        place = it->second.declared;
        what = ("'" + name->name + "'").str();
      }
    }
    // What a number is stands there.
    bool isVariable = place.Start != operand.expr->range.Start;
    if (operand.term.getStatic() && !isVariable)
      continue;
    Location loc = getDeclLoc(place);
    if (llvm::is_contained(noted, loc))
      continue;
    noted.push_back(loc);
    diag.attachNote(loc) << what << " is " << operand.term.describe();
  }
}

bool Emitter::isOfNumbers(Value value) {
  RankedTensorType type = getTensorType(value);
  Operation *op = value.getDefiningOp();
  if (!op || type.getRank() != 0 || !type.getElementType().isF32())
    return false;
  if (isa<nn::ConstantOp, nn::ExtentOp>(op))
    return true;
  auto [known, isNew] = ofNumbers.try_emplace(value, false);
  if (!isNew)
    return known->second;
  return ofNumbers[value] =
             isa<ElementwiseOpInterface>(op) && op->getNumOperands() > 0 &&
             llvm::all_of(op->getOperands(),
                          [&](Value operand) { return isOfNumbers(operand); });
}

Value Emitter::retype(Value value, Type elementType, IRMapping &done) {
  if (Value known = done.lookupOrNull(value))
    return known;
  Value result;
  auto number = numbers.find(value);
  if (number != numbers.end()) {
    result =
        builder.createConstant(value.getLoc(), number->second, elementType);
  } else if (value.getDefiningOp<nn::ConstantOp>()) {
    result = builder.createConvert(value.getLoc(), value, elementType);
  } else {
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      retype(operand, elementType, done);
    result = builder.getBuilder().clone(*op, done)->getResult(0);
    result.setType(nn::withElementType(getTensorType(value), elementType));
  }
  done.map(value, result);
  return result;
}

Type Emitter::unifyElementTypes(llvm::SMRange range, ArrayRef<Operand> operands,
                                bool numbersFollow) {
  const Operand *first = nullptr;
  for (const Operand &operand : operands) {
    Value tensor = operand.term.getTensor();
    if (!tensor || (numbersFollow && isOfNumbers(tensor)))
      continue;
    if (!first) {
      first = &operand;
      continue;
    }
    Type expected = getTensorType(first->term.getTensor()).getElementType();
    Type actual = getTensorType(operand.term.getTensor()).getElementType();
    if (expected == actual)
      continue;
    InFlightDiagnostic diag = emitError(range);
    diag << "expected operands of one element type, got " << expected << " and "
         << actual;
    noteOperands(diag, {*first, operand});
    return {};
  }
  if (!first)
    return builder.getBuilder().getF32Type();
  return getTensorType(first->term.getTensor()).getElementType();
}

std::optional<SmallVector<nn::Extent>>
Emitter::unifyShapes(llvm::SMRange range, ArrayRef<Operand> operands) {
  SmallVector<nn::Extent> shape;
  const Operand *previous = nullptr;
  for (const Operand &operand : operands) {
    Value tensor = operand.term.getTensor();
    if (!tensor)
      continue;
    auto joined = broadcastShapes(shape, nn::getExtents(getTensorType(tensor)));
    if (!joined) {
      InFlightDiagnostic diag = emitError(range);
      diag << "expected shapes that broadcast, got "
           << previous->term.describe() << " and " << operand.term.describe();
      noteOperands(diag, {*previous, operand});
      return std::nullopt;
    }
    shape = *joined;
    if (!previous || getTensorType(tensor).getRank() != 0)
      previous = &operand;
  }
  return shape;
}

/// Whether `elementType` can hold `number`, rounded if it is a float type.
static bool canHold(Type elementType, double number) {
  if (auto type = dyn_cast<FloatType>(elementType)) {
    llvm::APFloat rounded(number);
    bool losesInfo = false;
    rounded.convert(type.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return rounded.isFinite();
  }
  std::optional<int64_t> integer = StaticValue(number).asInteger();
  unsigned width = elementType.getIntOrFloatBitWidth();
  return width > 1 && integer && llvm::isIntN(width, *integer);
}

Value Emitter::toTensor(const Operand &operand, Type elementType,
                        Location loc) {
  if (Value tensor = operand.term.getTensor()) {
    if (!isa<FloatType>(elementType) || elementType.isF32() ||
        !isOfNumbers(tensor))
      return tensor;
    IRMapping done;
    return retype(tensor, elementType, done);
  }
  if (operand.term.isNothing())
    return {};
  const StaticValue *value = operand.term.getStatic();
  if (!value) {
    emitError(operand.expr->range)
        << "expected a number or a tensor, got " << operand.term.describe();
    return {};
  }
  if (const nn::Extent *extent = value->getBatchExtent()) {
    bool isWhole = extent->getDen() == 1 && extent->getPower() >= 0;
    if (isa<FloatType>(elementType) ||
        (isWhole && elementType.getIntOrFloatBitWidth() > 1))
      return builder.createExtent(loc, *extent, elementType);
    emitError(operand.expr->range)
        << "expected " << (isWhole ? "numbers" : "floats")
        << " beside an extent, got " << elementType;
    return {};
  }
  if (!value->getNumber()) {
    emitError(operand.expr->range)
        << "expected a number or a tensor, got " << value->describe();
    return {};
  }
  if (!canHold(elementType, *value->getNumber())) {
    emitError(operand.expr->range) << "expected a value of type " << elementType
                                   << ", got " << value->describe();
    return {};
  }
  Value constant =
      builder.createConstant(loc, *value->getNumber(), elementType);
  numbers[constant] = *value->getNumber();
  return constant;
}

std::optional<SmallVector<Value>> Emitter::unify(llvm::SMRange range,
                                                 ArrayRef<Operand> operands) {
  Type elementType = unifyElementTypes(range, operands, /*numbersFollow=*/true);
  if (!elementType)
    return std::nullopt;
  auto shape = unifyShapes(range, operands);
  if (!shape)
    return std::nullopt;
  SmallVector<Value> values;
  for (const Operand &operand : operands) {
    Location loc = getLoc(operand.expr->range);
    Value value = toTensor(operand, elementType, loc);
    if (!value)
      return std::nullopt;
    values.push_back(builder.createBroadcast(loc, value, *shape));
  }
  return values;
}

Value Emitter::expectTensor(const Operand &operand, StringRef what) {
  if (operand.term.isNothing())
    return {};
  if (Value tensor = operand.term.getTensor())
    return tensor;
  emitError(operand.expr->range)
      << "expected a tensor as " << what << ", got " << operand.term.describe();
  return {};
}

Value Emitter::expectFloat(const Operand &operand, StringRef what) {
  Value value = toTensor(operand, builder.getBuilder().getF32Type(),
                         getLoc(operand.expr->range));
  if (!value || isa<FloatType>(getTensorType(value).getElementType()))
    return value;
  InFlightDiagnostic diag = emitError(operand.expr->range);
  diag << "expected floats as " << what << ", got " << operand.term.describe()
       << ": convert(x, f32) makes them";
  if (isa<NameExpr>(operand.expr))
    noteOperands(diag, operand);
  return {};
}

} // namespace accrue::frontend
