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
  if (!dims)
    return {};
  for (int64_t dim : *dims)
    if (!getStaticExtent(call, x, dim))
      return {};
  return call.create<nn::FlipOp>(x, *dims);
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
  for (auto [operand, value] : llvm::zip_equal(operands, values)) {
    RankedTensorType type = getTensorType(value);
    SmallVector<nn::Extent> extents = nn::getExtents(type);
    if (type.getRank() == first.getRank()) {
      if (!getStaticExtent(call, value, *dim))
        return {};
      extents[*dim] = nn::getExtents(first)[*dim];
    }
    if (extents == nn::getExtents(first))
      continue;
    InFlightDiagnostic diag = call.emitError();
    diag << "expected tensors that differ in dimension " << *dim
         << " only, got " << formatType(first) << " and " << formatType(type);
    emitter.noteOperands(diag, {operands.front(), operand});
    return {};
  }
  return values.size() == 1 ? values.front()
                            : call.create<nn::ConcatOp>(values, *dim);
}

/// Equal parts of a dimension, as many as a number says, or parts of the
/// extents in a list.
static Term emitSplit(BuiltinCall &call) {
  Value x = call.getTensor(0);
  if (!x)
    return {};
  std::optional<int64_t> dim = call.getDim(2, getTensorType(x).getRank());
  std::optional<int64_t> extent =
      dim ? getStaticExtent(call, x, *dim) : std::nullopt;
  if (!extent)
    return {};
  SmallVector<int64_t> parts;
  if (std::optional<Term::List> elements = call[1].term.getElements()) {
    std::optional<SmallVector<int64_t>> given =
        call.getIntegers(1, elements->size(), 1, /*minimum=*/1);
    if (!given)
      return {};
    parts = *given;
  } else {
    std::optional<int64_t> count = call.getInteger(1, std::nullopt, 1);
    if (!count)
      return {};
    if (*extent % *count == 0)
      parts.assign(*count, *extent / *count);
  }
  if (std::accumulate(parts.begin(), parts.end(), int64_t(0)) != *extent) {
    InFlightDiagnostic diag = call.emitError(1);
    diag << "expected parts of dimension " << *dim << ", of extent " << *extent
         << ", got " << call[1].term.describe();
    call.getEmitter().noteOperands(diag, call[0]);
    return {};
  }
  Term::List list;
  int64_t start = 0;
  for (int64_t part : parts) {
    list.push_back(call.getBuilder().createSlice(call.getLoc(), x, *dim, start,
                                                 start + part));
    start += part;
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
      {"transpose", {{"x"}, {"permutation"}}, emitTranspose},
  };
  return builtins;
}

} // namespace accrue::frontend
