//===- EmitShapes.cpp - Changes of shape ----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshape and its relatives, and what puts tensors together or cuts them.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

static Term emitReshape(BuiltinCall &call) {
  Value x = call.getTensor(0);
  if (!x)
    return {};
  nn::Extent before = nn::getProduct(nn::getExtents(getTensorType(x)));
  std::optional<SmallVector<nn::Extent>> extents = call.getExtents(1, before);
  if (!extents)
    return {};
  nn::Extent after = nn::getProduct(*extents);
  if (before != after) {
    InFlightDiagnostic diag = call.emitError();
    diag << "expected a shape of " << formatExtent(before) << " elements, got "
         << formatExtent(after);
    call.getEmitter().noteOperands(diag, call[0]);
    return {};
  }
  return call.getBuilder().createReshape(call.getLoc(), x, *extents);
}

static Term emitTranspose(BuiltinCall &call) {
  Value x = call.getTensor(0);
  if (!x)
    return {};
  int64_t rank = getTensorType(x).getRank();
  std::optional<SmallVector<int64_t>> permutation = call.getDims(1, rank);
  if (!permutation)
    return {};
  if (static_cast<int64_t>(permutation->size()) != rank) {
    call.emitError(1) << "expected a permutation of " << rank
                      << " dimensions, got " << call[1].term.describe();
    return {};
  }
  return call.create<nn::TransposeOp>(x, *permutation);
}

static Term emitBroadcast(BuiltinCall &call) {
  Emitter &emitter = call.getEmitter();
  Value x =
      emitter.toTensor(call[0], call.getBuilder().getBuilder().getF32Type(),
                       emitter.getLoc(call[0].expr->range));
  std::optional<SmallVector<nn::Extent>> extents = call.getExtents(1);
  if (!x || !extents)
    return {};
  SmallVector<nn::Extent> own = nn::getExtents(getTensorType(x));
  bool fits = own.size() <= extents->size();
  for (size_t dim = 0; fits && dim < own.size(); ++dim) {
    const nn::Extent &target = (*extents)[extents->size() - own.size() + dim];
    fits = own[dim] == target || own[dim] == nn::Extent(1);
  }
  if (!fits) {
    InFlightDiagnostic diag = call.emitError();
    diag << "expected a shape that " << formatType(getTensorType(x))
         << " broadcasts to, got " << call[1].term.describe();
    emitter.noteOperands(diag, call[0]);
    return {};
  }
  return call.getBuilder().createBroadcast(call.getLoc(), x, *extents);
}

/// The extent of dimension `dim`, which must not depend on the batch.
static std::optional<int64_t> getStaticExtent(BuiltinCall &call, Value x,
                                              int64_t dim) {
  RankedTensorType type = getTensorType(x);
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  call.emitError() << "expected a dimension whose extent does not depend on "
                      "the batch, got dimension "
                   << dim << " of " << formatType(type);
  return std::nullopt;
}

static Term emitPad(BuiltinCall &call) {
  Value x = call.getTensor(0);
  if (!x)
    return {};
  std::optional<int64_t> dim = call.getDim(1, getTensorType(x).getRank());
  std::optional<int64_t> low = call.getInteger(2, std::nullopt, 0);
  std::optional<int64_t> high = call.getInteger(3, 0, 0);
  std::optional<double> value = call.getNumber(4, 0);
  if (!dim || !low || !high || !value || !getStaticExtent(call, x, *dim))
    return {};
  return call.create<nn::PadOp>(x, *dim, *low, *high, /*interior=*/0,
                                llvm::APFloat(*value));
}

static Term emitFlip(BuiltinCall &call) {
  Value x = call.getTensor(0);
  if (!x)
    return {};
  std::optional<SmallVector<int64_t>> dims =
      call.getReducedDims(1, getTensorType(x).getRank());
  return dims ? call.create<nn::FlipOp>(x, *dims) : Value();
}

static Term emitConcat(BuiltinCall &call) {
  Emitter &emitter = call.getEmitter();
  std::optional<Term::List> elements = call[0].term.getElements();
  if (!elements || elements->empty()) {
    call.emitError(0) << "expected a list of tensors such as [a, b], got "
                      << call[0].term.describe();
    return {};
  }
  // Each element with its own place, where the list is written out.
  const auto *list = dyn_cast<ListExpr>(call[0].expr);
  SmallVector<Operand> operands;
  SmallVector<Value> values;
  for (auto [index, element] : llvm::enumerate(*elements)) {
    operands.push_back({list ? list->elements[index] : call[0].expr, element});
    Value value = emitter.expectTensor(operands.back(), "element of concat");
    if (!value)
      return {};
    values.push_back(value);
  }
  if (!emitter.unifyElementTypes(call.getRange(), operands))
    return {};
  RankedTensorType first = getTensorType(values.front());
  std::optional<int64_t> dim = call.getDim(1, first.getRank());
  if (!dim)
    return {};
  nn::Extent along = nn::getExtents(first)[*dim];
  for (auto [operand, value] : llvm::zip_equal(operands, values)) {
    RankedTensorType type = getTensorType(value);
    SmallVector<nn::Extent> extents = nn::getExtents(type);
    bool isAlike = true;
    if (type.getRank() == first.getRank()) {
      isAlike = extents[*dim].getPower() == along.getPower();
      extents[*dim] = along;
    }
    if (isAlike && extents == nn::getExtents(first))
      continue;
    InFlightDiagnostic diag = call.emitError();
    if (extents != nn::getExtents(first))
      diag << "expected tensors that differ in dimension " << *dim
           << " only, got ";
    else
      diag << "expected tensors whose extents of dimension " << *dim
           << " are multiples of one, got ";
    diag << formatType(first) << " and " << formatType(type);
    emitter.noteOperands(diag, {operands.front(), operand});
    return {};
  }
  return values.size() == 1 ? values.front()
                            : call.create<nn::ConcatOp>(values, *dim);
}

/// Appends the numbers of nested lists in row-major order, and sets `extents`
/// to their shape from dimension `depth` on. Returns an error, or nothing.
static std::optional<std::string>
flatten(const StaticValue &value, size_t depth,
        SmallVectorImpl<nn::Extent> &extents,
        SmallVectorImpl<StaticValue> &numbers) {
  const StaticValue::List *list = value.getList();
  bool isFirst = numbers.empty();
  if (list && list->empty())
    return "an empty list";
  if (list && isFirst && depth == extents.size())
    extents.push_back(nn::Extent(list->size()));
  if (list ? depth >= extents.size() ||
                 extents[depth] != nn::Extent(list->size())
           : depth != extents.size())
    return "lists of different lengths";
  if (!list) {
    if (!value.getNumber())
      return value.describe();
    numbers.push_back(value);
    return std::nullopt;
  }
  for (const StaticValue &element : *list)
    if (auto error = flatten(element, depth + 1, extents, numbers))
      return error;
  return std::nullopt;
}

static Term emitTensor(BuiltinCall &call) {
  TensorBuilder &builder = call.getBuilder();
  Type type = call.getElementType(1, builder.getBuilder().getF32Type());
  if (!type)
    return {};
  SmallVector<nn::Extent> extents;
  SmallVector<StaticValue> numbers;
  const StaticValue *list = call[0].term.getStatic();
  std::optional<std::string> error = list && list->getList()
                                         ? flatten(*list, 0, extents, numbers)
                                         : call[0].term.describe();
  if (error) {
    call.emitError(0) << "expected numbers in a list such as [0.5, 1], or in "
                         "equally long lists of them, got "
                      << *error;
    return {};
  }
  if (type.isInteger(1)) {
    call.emitError(1) << "expected a type of numbers, got " << type;
    return {};
  }
  SmallVector<Value> elements;
  for (const StaticValue &number : numbers) {
    Value element = call.getEmitter().toTensor({call[0].expr, Term(number)},
                                               type, call.getLoc());
    if (!element)
      return {};
    elements.push_back(
        builder.createBroadcast(call.getLoc(), element, {nn::Extent(1)}));
  }
  Value flat = elements.size() == 1
                   ? elements.front()
                   : call.create<nn::ConcatOp>(elements, /*dim=*/0);
  return builder.createReshape(call.getLoc(), flat, extents);
}

/// How many times every part has what all of them are multiples of; none where
/// the parts are not those of `extent`.
static std::optional<SmallVector<int64_t>>
countUnits(nn::Extent extent, ArrayRef<nn::Extent> parts) {
  if (extent.isStatic()) {
    // An element is the unit.
    int64_t total = 0;
    SmallVector<int64_t> counts;
    for (const nn::Extent &part : parts) {
      if (!part.isStatic())
        return std::nullopt;
      total += counts.emplace_back(part.getNum());
    }
    return total == extent.getNum() ? std::optional(counts) : std::nullopt;
  }
  int64_t units = 1;
  for (const nn::Extent &part : parts)
    units = std::lcm(units, (part / extent).getDen());
  int64_t total = 0;
  SmallVector<int64_t> counts;
  for (const nn::Extent &part : parts) {
    nn::Extent count = part / extent * nn::Extent(units);
    if (!count.isStatic())
      return std::nullopt;
    total += counts.emplace_back(count.getNum());
  }
  return total == units ? std::optional(counts) : std::nullopt;
}

/// Equal parts of a dimension, as many as a number says, or parts of the
/// extents in a list.
static Term emitSplit(BuiltinCall &call) {
  Value x = call.getTensor(0);
  if (!x)
    return {};
  SmallVector<nn::Extent> extents = nn::getExtents(getTensorType(x));
  std::optional<int64_t> dim = call.getDim(2, extents.size());
  if (!dim)
    return {};
  nn::Extent extent = extents[*dim];
  SmallVector<nn::Extent> parts;
  if (call[1].term.getElements()) {
    std::optional<SmallVector<nn::Extent>> given = call.getExtents(1);
    if (!given)
      return {};
    parts = *given;
  } else {
    std::optional<int64_t> count = call.getInteger(1, std::nullopt, 1);
    if (!count)
      return {};
    parts.assign(*count, extent / nn::Extent(*count));
  }
  std::optional<SmallVector<int64_t>> counts = countUnits(extent, parts);
  if (!counts) {
    InFlightDiagnostic diag = call.emitError(1);
    diag << "expected parts of dimension " << *dim << ", of extent "
         << formatExtent(extent) << ", got " << call[1].term.describe();
    call.getEmitter().noteOperands(diag, call[0]);
    return {};
  }
  TensorBuilder &builder = call.getBuilder();
  Location loc = call.getLoc();
  if (!extent.isStatic()) {
    // Slices are of static extents: [.., units, unit, ..].
    int64_t units = std::accumulate(counts->begin(), counts->end(), int64_t(0));
    SmallVector<nn::Extent> rows = extents;
    rows[*dim] = units;
    rows.insert(rows.begin() + *dim + 1, extent / nn::Extent(units));
    x = builder.createReshape(loc, x, rows);
  }
  Term::List list;
  int64_t start = 0;
  for (auto [part, count] : llvm::zip_equal(parts, *counts)) {
    extents[*dim] = part;
    Value slice = builder.createSlice(loc, x, *dim, start, start + count);
    list.push_back(builder.createReshape(loc, slice, extents));
    start += count;
  }
  return Term::fromList(std::move(list));
}

ArrayRef<Builtin> getShapeBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"broadcast", {{"x"}, {"shape"}}, emitBroadcast},
      {"concat", {{"tensors"}, {"dim"}}, emitConcat},
      {"flip", {{"x"}, {"dims"}}, emitFlip},
      {"pad",
       {{"x"}, {"dim"}, {"low"}, {"high", false}, {"value", false}},
       emitPad},
      {"reshape", {{"x"}, {"shape"}}, emitReshape},
      {"split", {{"x"}, {"parts"}, {"dim"}}, emitSplit},
      {"tensor", {{"numbers"}, {"type", false}}, emitTensor},
      {"transpose", {{"x"}, {"permutation"}}, emitTranspose},
  };
  return builtins;
}

} // namespace accrue::frontend
