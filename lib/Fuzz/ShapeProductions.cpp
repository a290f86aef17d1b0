//===- ShapeProductions.cpp - Random layouts and reductions ---------------===//
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

static void addTranspose(ProgramBuilder &p) {
  Value x = p.pick([](Value v) { return ProgramBuilder::getRank(v) >= 2; });
  if (!x)
    return;
  SmallVector<int64_t> permutation = ProgramBuilder::getAllDims(x);
  for (size_t i = permutation.size(); i > 1; --i)
    std::swap(permutation[i - 1], permutation[p.random.below(i)]);
  p.add(p.transpose(x, permutation), p.getMagnitude(x));
}

/// Two neighbours become one: flattened or time-major samples, where one of
/// them enumerates samples.
static void addMerge(ProgramBuilder &p) {
  Value x = p.pick([](Value v) { return ProgramBuilder::getRank(v) >= 2; });
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  size_t dim = p.random.below(shape.size() - 1);
  shape[dim] = shape[dim] * shape[dim + 1];
  shape.erase(shape.begin() + dim + 1);
  if (p.fits(shape))
    p.add(p.reshape(x, shape), p.getMagnitude(x));
}

/// One dimension becomes two: the inverse of a merge, or groups of samples.
static void addSplit(ProgramBuilder &p) {
  Value x = p.pick();
  Shape shape = ProgramBuilder::getShape(x);
  SmallVector<std::pair<int64_t, Extent>> ways;
  for (auto [dim, extent] : llvm::enumerate(shape))
    for (int64_t factor : {2, 3}) {
      Extent rest = extent / Extent(factor);
      if (rest.evaluate(p.batch).value_or(0) >= 2)
        ways.push_back({dim, rest});
    }
  if (ways.empty())
    return;
  auto [dim, rest] = ways[p.random.below(ways.size())];
  Extent factor = shape[dim] / rest;
  bool isGroup = rest.getDen() != 1;
  // Most models do not group samples.
  if (isGroup && p.random.chance(70))
    return;
  shape[dim] = rest;
  bool isOuter = p.random.chance(50);
  shape.insert(shape.begin() + dim + (isOuter ? 0 : 1), factor);
  if (!p.fits(shape))
    return;
  p.isOrdered |= isGroup;
  p.add(p.reshape(x, shape), p.getMagnitude(x));
}

static void addSlice(ProgramBuilder &p) {
  Value x = p.pick([](Value v) {
    return llvm::any_of(ProgramBuilder::getShape(v), [](const Extent &e) {
      return !ProgramBuilder::isBatched(e) && e.getNum() >= 2;
    });
  });
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  int64_t dim;
  do {
    dim = p.random.below(shape.size());
  } while (ProgramBuilder::isBatched(shape[dim]) || shape[dim].getNum() < 2);
  int64_t extent = shape[dim].getNum();
  int64_t start = p.random.below(extent - 1);
  int64_t stop = p.random.range(start + 1, extent);
  int64_t step = p.random.chance(70) ? 1 : 2;
  p.add(SliceOp::create(p.b, x, dim, start, stop, step), p.getMagnitude(x));
}

static void addPad(ProgramBuilder &p) {
  Value x =
      p.pick([](Value v) { return !ProgramBuilder::getStaticDims(v).empty(); });
  if (!x)
    return;
  SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(x);
  int64_t dim = dims[p.random.below(dims.size())];
  int64_t low = p.random.below(2), high = p.random.below(2);
  int64_t interior = p.random.chance(80) ? 0 : 1;
  llvm::APFloat value(p.random.chance(70) ? 0.0 : 0.6);
  p.add(PadOp::create(p.b, x, dim, low, high, interior, value),
        p.getMagnitude(x));
}

static void addConcat(ProgramBuilder &p) {
  Value x = p.pick([](Value v) { return ProgramBuilder::getRank(v) >= 1; });
  if (!x)
    return;
  Value y = p.partner(x);
  SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(x);
  // Along the samples now and then.
  if (dims.empty() || p.random.chance(10))
    dims = ProgramBuilder::getAllDims(x);
  int64_t dim = dims[p.random.below(dims.size())];
  double size = std::max(p.getMagnitude(x), p.getMagnitude(y));
  p.add(ConcatOp::create(p.b, ValueRange{x, y}, dim), size);
}

static void addFlip(ProgramBuilder &p) {
  Value x =
      p.pick([](Value v) { return !ProgramBuilder::getStaticDims(v).empty(); });
  if (!x)
    return;
  SmallVector<int64_t> dims = p.drawSubset(ProgramBuilder::getStaticDims(x));
  p.add(FlipOp::create(p.b, x, dims), p.getMagnitude(x));
}

/// The dimensions that a program may reduce.
static SmallVector<int64_t> getReducible(ProgramBuilder &p, Value x) {
  return p.isCoupled && p.random.chance(35) ? ProgramBuilder::getAllDims(x)
                                            : ProgramBuilder::getStaticDims(x);
}

static void addReduction(ProgramBuilder &p) {
  Value x = p.pick();
  SmallVector<int64_t> dims = p.drawSubset(getReducible(p, x));
  if (dims.empty())
    return;
  Extent extent;
  for (int64_t dim : dims)
    extent = extent * ProgramBuilder::getShape(x)[dim];
  double size = p.getMagnitude(x), count = *extent.evaluate(p.batch);
  switch (p.random.below(6)) {
  case 0:
  case 1:
    return p.add(SumOp::create(p.b, x, dims), size * count);
  case 2:
  case 3:
    return p.add(MeanOp::create(p.b, x, dims), size);
  case 4:
    return p.add(ReduceMaxOp::create(p.b, x, dims), size);
  default:
    return p.add(ReduceMinOp::create(p.b, x, dims), size);
  }
}

static void addCumsum(ProgramBuilder &p) {
  Value x =
      p.pick([](Value v) { return !ProgramBuilder::getStaticDims(v).empty(); });
  if (!x)
    return;
  SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(x);
  int64_t dim = dims[p.random.below(dims.size())];
  bool reverse = p.random.chance(40);
  p.add(CumsumOp::create(p.b, x, dim, reverse), p.getMagnitude(x) * 3);
}

/// A value at another place: repeated along a new dimension.
static void addRepetition(ProgramBuilder &p) {
  Value x = p.pick();
  Shape shape = ProgramBuilder::getShape(x);
  int64_t dim = p.random.below(shape.size() + 1);
  Extent extent = p.drawExtent();
  if (!ProgramBuilder::isBatched(x) && p.random.chance(50))
    extent = Extent::batch();
  shape.insert(shape.begin() + dim, extent);
  if (p.fits(shape))
    p.add(p.broadcast(x, shape, dim), p.getMagnitude(x));
}

/// Rows that are flattened in two orders, samples outside and inside, and meet.
static void addMeeting(ProgramBuilder &p) {
  Value x = p.pick([](Value v) {
    return ProgramBuilder::getRank(v) >= 2 &&
           ProgramBuilder::getBatchedDims(v).size() == 1;
  });
  if (!x)
    return;
  int64_t dim = ProgramBuilder::getBatchedDims(x)[0];
  int64_t other = dim == 0 ? 1 : dim - 1, first = std::min(dim, other);
  Shape shape = ProgramBuilder::getShape(x);
  Value y = p.partner(x);
  double size = p.getMagnitude(x) + p.getMagnitude(y);
  SmallVector<int64_t> permutation = ProgramBuilder::getAllDims(x);
  std::swap(permutation[first], permutation[first + 1]);
  Value swapped = p.transpose(y, permutation);
  shape[first] = shape[first] * shape[first + 1];
  shape.erase(shape.begin() + first + 1);
  Value left = p.reshape(x, shape), right = p.reshape(swapped, shape);
  p.add(AddOp::create(p.b, left, right), size);
}

ArrayRef<Production> fuzz::getShapeProductions() {
  static constexpr Production productions[] = {
      {6, addTranspose}, {5, addMerge},      {5, addSplit},   {3, addSlice},
      {2, addPad},       {3, addConcat},     {2, addFlip},    {9, addReduction},
      {2, addCumsum},    {3, addRepetition}, {2, addMeeting},
  };
  return productions;
}
