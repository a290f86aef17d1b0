//===- EmitIndexing.cpp - Elements by index -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of positions that the step computes. Positions known while
// compiling stand in brackets (EmitIndex.cpp).
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

static Term emitGather(BuiltinCall &call) {
  Value x = call.getFloatTensor(0);
  Value index = x ? call.getIndices(1) : Value();
  if (!index)
    return {};
  std::optional<int64_t> dim = call.getDim(2, getTensorType(x).getRank());
  return dim ? call.create<nn::GatherOp>(x, index, *dim) : Value();
}

static Term emitEmbedding(BuiltinCall &call) {
  Value index = call.getIndices(0);
  Value table =
      index ? call.getFloatTensorOfRank(1, 2, "[rows, width]") : Value();
  return table ? call.create<nn::GatherOp>(table, index, 0) : Value();
}

static Term emitTakeAlong(BuiltinCall &call) {
  Value x = call.getFloatTensor(0);
  Value index = x ? call.getIndices(1) : Value();
  if (!index)
    return {};
  std::optional<int64_t> dim = call.getDim(2, getTensorType(x).getRank());
  if (!dim)
    return {};
  SmallVector<nn::Extent> extents = nn::getExtents(getTensorType(x));
  SmallVector<nn::Extent> indexExtents = nn::getExtents(getTensorType(index));
  if (extents.size() == indexExtents.size())
    extents[*dim] = indexExtents[*dim];
  if (extents != indexExtents) {
    InFlightDiagnostic diag = call.emitError();
    diag << "expected an index of the shape of the operand but for dimension "
         << *dim << ", got " << formatType(getTensorType(x)) << " and "
         << formatType(getTensorType(index));
    call.getEmitter().noteOperands(diag, call.getArguments().take_front(2));
    return {};
  }
  return call.create<nn::TakeAlongOp>(x, index, *dim);
}

/// The dimensions of the index become one of extent `size`.
static Term emitScatterAdd(BuiltinCall &call) {
  Value updates = call.getFloatTensor(0);
  Value index = updates ? call.getIndices(1) : Value();
  if (!index)
    return {};
  SmallVector<nn::Extent> extents = nn::getExtents(getTensorType(updates));
  SmallVector<nn::Extent> indexExtents = nn::getExtents(getTensorType(index));
  std::optional<nn::Extent> size = call.getExtent(2);
  std::optional<int64_t> dim = call.getDim(3, extents.size(), 0);
  if (!size || !dim)
    return {};
  ArrayRef<nn::Extent> rest = ArrayRef(extents).drop_front(*dim);
  if (rest.take_front(indexExtents.size()) != ArrayRef(indexExtents)) {
    InFlightDiagnostic diag = call.emitError();
    diag << "expected updates with the extents of the index from dimension "
         << *dim << " on, got " << formatType(getTensorType(updates)) << " and "
         << formatType(getTensorType(index));
    call.getEmitter().noteOperands(diag, call.getArguments().take_front(2));
    return {};
  }
  ArrayRef<nn::Extent> before = ArrayRef(extents).take_front(*dim);
  SmallVector<nn::Extent> shape(before);
  shape.push_back(*size);
  llvm::append_range(shape, rest.drop_front(indexExtents.size()));
  return call.create<nn::ScatterAddOp>(
      nn::getTensorType(shape, getTensorType(updates).getElementType()),
      updates, index, *dim);
}

static Term emitScatterAddAlong(BuiltinCall &call) {
  Value updates = call.getFloatTensor(0);
  Value index = updates ? call.getIndices(1) : Value();
  if (!index)
    return {};
  RankedTensorType type = getTensorType(updates);
  std::optional<nn::Extent> size = call.getExtent(2);
  std::optional<int64_t> dim = call.getDim(3, type.getRank());
  if (!size || !dim)
    return {};
  if (nn::getExtents(type) != nn::getExtents(getTensorType(index))) {
    InFlightDiagnostic diag = call.emitError();
    diag << "expected updates and index of one shape, got " << formatType(type)
         << " and " << formatType(getTensorType(index));
    call.getEmitter().noteOperands(diag, call.getArguments().take_front(2));
    return {};
  }
  SmallVector<nn::Extent> shape = nn::getExtents(type);
  shape[*dim] = *size;
  return call.create<nn::ScatterAddAlongOp>(
      nn::getTensorType(shape, type.getElementType()), updates, index, *dim);
}

static Term emitTopK(BuiltinCall &call) {
  Value x = call.getTensor(0);
  std::optional<int64_t> k = call.getInteger(1, std::nullopt, 1);
  if (!x || !k)
    return {};
  RankedTensorType type = getTensorType(x);
  if (type.getElementType().isInteger(1) || type.getRank() == 0) {
    call.reportUnexpected(0, "rows of numbers as " + call.describe(0));
    return {};
  }
  int64_t last = type.getRank() - 1;
  if (!type.isDynamicDim(last) && *k > type.getDimSize(last)) {
    InFlightDiagnostic diag = call.emitError();
    diag << "expected rows of at least " << *k << " elements, got "
         << formatType(type);
    call.getEmitter().noteOperands(diag, call[0]);
    return {};
  }
  return call.create<nn::TopKOp>(x, *k);
}

/// 1 where the label is the class, else 0.
static Term emitOneHot(BuiltinCall &call) {
  Value label = call.getIndices(0);
  std::optional<nn::Extent> classes = call.getExtent(1);
  TensorBuilder &builder = call.getBuilder();
  Type type = call.getElementType(2, builder.getBuilder().getF32Type());
  if (!label || !classes || !type)
    return {};
  SmallVector<nn::Extent> extents = nn::getExtents(getTensorType(label));
  extents.push_back(*classes);
  Value repeated = call.create<nn::BroadcastOp>(
      nn::getTensorType(extents, getTensorType(label).getElementType()), label,
      ArrayRef<int64_t>(extents.size() - 1));
  Value index = call.create<nn::IotaOp>(
      nn::getTensorType(extents, getTensorType(label).getElementType()),
      extents.size() - 1);
  Value hot =
      call.create<nn::CompareOp>(nn::ComparePredicate::eq, repeated, index);
  return builder.createConvert(call.getLoc(), hot, type);
}

ArrayRef<Builtin> getIndexingBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"embedding", {{"index"}, {"table"}}, emitEmbedding},
      {"gather", {{"x"}, {"index"}, {"dim"}}, emitGather},
      {"one_hot", {{"label"}, {"classes"}, {"type", false}}, emitOneHot},
      {"scatter_add",
       {{"updates"}, {"index"}, {"size"}, {"dim", false}},
       emitScatterAdd},
      {"scatter_add_along",
       {{"updates"}, {"index"}, {"size"}, {"dim"}},
       emitScatterAddAlong},
      {"take_along", {{"x"}, {"index"}, {"dim"}}, emitTakeAlong},
      {"top_k", {{"x"}, {"k"}}, emitTopK},
  };
  return builtins;
}

} // namespace accrue::frontend
