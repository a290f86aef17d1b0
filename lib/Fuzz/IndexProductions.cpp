//===- IndexProductions.cpp - Random indexing -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using namespace accrue::fuzz;

/// Integers that are known when the program is built, below `bound`.
static Value makeIndices(ProgramBuilder &p, int64_t count, int64_t bound) {
  SmallVector<int32_t> indices;
  for (int64_t i = 0; i < count; ++i)
    indices.push_back(p.random.below(bound));
  auto type = RankedTensorType::get({count}, p.b.getI32Type());
  return ConstantOp::create(p.b, cast<ElementsAttr>(DenseElementsAttr::get(
                                     type, ArrayRef<int32_t>(indices))));
}

/// A value with a dimension that is no samples, and that dimension.
static std::pair<Value, int64_t> pickDim(ProgramBuilder &p) {
  Value x =
      p.pick([](Value v) { return !ProgramBuilder::getStaticDims(v).empty(); });
  if (!x)
    return {};
  SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(x);
  return {x, dims[p.random.below(dims.size())]};
}

/// Rows of a table by an index per sample.
static void addEmbedding(ProgramBuilder &p) {
  Shape shape = p.drawInputShape(p.random.range(1, 2));
  Value index = p.getInput(shape, p.b.getI32Type());
  Shape tableShape = {Extent(p.random.range(2, 5)), p.drawExtent()};
  Value table = p.getParam(tableShape);
  if (p.random.chance(30))
    table = p.bound(table);
  int64_t dim = p.random.chance(75) ? 0 : 1;
  p.add(GatherOp::create(p.b, table, index, dim), 1);
}

static void addGather(ProgramBuilder &p) {
  auto [x, dim] = pickDim(p);
  if (!x)
    return;
  int64_t extent = ProgramBuilder::getShape(x)[dim].getNum();
  int64_t count = p.random.range(1, 3);
  Value index = makeIndices(p, count, extent);
  if (p.random.chance(50))
    return p.add(GatherOp::create(p.b, x, index, dim), p.getMagnitude(x));
  // The adjoint: every slice is added to one of a few.
  Shape shape = ProgramBuilder::getShape(x);
  int64_t size = p.random.range(2, 3);
  Value places = makeIndices(p, extent, size);
  shape[dim] = Extent(size);
  p.add(ScatterAddOp::create(p.b, p.makeType(shape), x, places, dim),
        p.getMagnitude(x) * 2);
}

/// One element per index, by indices of each sample.
static void addTakeAlong(ProgramBuilder &p) {
  auto [x, dim] = pickDim(p);
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  SmallVector<int64_t> batched = ProgramBuilder::getBatchedDims(x);
  if (batched.size() != 1 || !shape[batched[0]].isBatch())
    return;
  bool isGather = p.random.chance(60);
  Shape indexShape = shape;
  if (isGather)
    indexShape[dim] = Extent(p.random.range(1, 2));
  Value index = p.getInput(indexShape, p.b.getI32Type());
  if (isGather)
    return p.add(TakeAlongOp::create(p.b, x, index, dim), p.getMagnitude(x));
  shape[dim] = Extent(p.random.range(2, 4));
  p.add(ScatterAddAlongOp::create(p.b, p.makeType(shape), x, index, dim),
        p.getMagnitude(x) * 2);
}

/// The largest elements of each row, in order.
static void addTopK(ProgramBuilder &p) {
  auto [x, dim] = pickDim(p);
  if (!x)
    return;
  Value rows = p.moveToEnd(x, dim);
  Shape shape = ProgramBuilder::getShape(rows);
  int64_t k = p.random.range(1, shape.back().getNum());
  Value index = TopKOp::create(p.b, rows, k);
  p.add(TakeAlongOp::create(p.b, rows, index, shape.size() - 1),
        p.getMagnitude(x));
}

/// The choice of the largest element, as a table row or a one-hot row.
static void addArgmax(ProgramBuilder &p) {
  auto [x, dim] = pickDim(p);
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  Value index = ArgmaxOp::create(p.b, x, dim);
  if (p.random.chance(40)) {
    Value table = p.getParam({shape[dim], p.drawExtent()});
    return p.add(GatherOp::create(p.b, table, index, 0), 1);
  }
  Value repeated = p.broadcast(index, shape, dim);
  Value place = p.makeIndex(shape, dim);
  Value hit = CompareOp::create(p.b, ComparePredicate::eq, repeated, place);
  Value flags = p.toFloat(hit);
  p.add(MulOp::create(p.b, flags, x), p.getMagnitude(x));
}

/// A label as a row of zeros and a one.
static void addOneHot(ProgramBuilder &p) {
  Value label = p.getInput({Extent::batch()}, p.b.getI32Type());
  Shape shape = {Extent::batch(), Extent(p.random.range(2, 4))};
  Value repeated = p.broadcast(label, shape, 1);
  Value place = p.makeIndex(shape, 1);
  Value hit = CompareOp::create(p.b, ComparePredicate::eq, repeated, place);
  p.add(p.toFloat(hit), 1);
}

ArrayRef<Production> fuzz::getIndexProductions() {
  static constexpr Production productions[] = {
      {5, addEmbedding}, {2, addGather}, {2, addTakeAlong},
      {2, addTopK},      {2, addArgmax}, {2, addOneHot},
  };
  return productions;
}
