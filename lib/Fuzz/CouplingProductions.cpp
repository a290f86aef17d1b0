//===- CouplingProductions.cpp - Random ops that mix samples --------------===//
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

/// A value per sample.
static Value pickBatched(ProgramBuilder &p) {
  return p.pick([](Value v) { return ProgramBuilder::isBatched(v); });
}

/// The samples of `x` and maybe other dimensions.
static SmallVector<int64_t> drawSampleDims(ProgramBuilder &p, Value x) {
  SmallVector<int64_t> dims = ProgramBuilder::getBatchedDims(x);
  if (dims.size() > 1)
    dims = p.drawSubset(dims);
  for (int64_t dim : ProgramBuilder::getStaticDims(x))
    if (p.random.chance(30))
      dims.push_back(dim);
  llvm::sort(dims);
  return dims;
}

/// x - mean(x), or divided by its deviation too.
static void addCentering(ProgramBuilder &p) {
  Value x = pickBatched(p);
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  SmallVector<int64_t> dims = drawSampleDims(p, x);
  double size = p.getMagnitude(x);
  if (p.random.chance(30))
    return p.add(NormalizeOp::create(p.b, x, dims, llvm::APFloat(0.1)), 2);
  Value mean = MeanOp::create(p.b, x, dims);
  Value means = p.broadcast(mean, shape, dims);
  Value centered = SubOp::create(p.b, x, means);
  if (p.random.chance(50))
    return p.add(centered, 2 * size);
  Value squares = SquareOp::create(p.b, centered);
  Value variance = MeanOp::create(p.b, squares, dims);
  Value shifted = AddOp::create(
      p.b, variance, p.splat(0.1, ProgramBuilder::getShape(variance)));
  Value deviation = RsqrtOp::create(p.b, shifted);
  Value deviations = p.broadcast(deviation, shape, dims);
  p.add(MulOp::create(p.b, centered, deviations), 3);
}

/// x divided by a sum or a count of the batch.
static void addDivision(ProgramBuilder &p) {
  Value x = pickBatched(p);
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  SmallVector<int64_t> dims = drawSampleDims(p, x);
  Value source = p.random.chance(50) ? x : p.partner(x);
  Value divisor;
  switch (p.random.below(4)) {
  case 0: {
    Value mask = p.makeMask(shape);
    Value count = SumOp::create(p.b, p.toFloat(mask), dims);
    divisor = p.clampBelow(count, 1);
    break;
  }
  case 1: {
    Value sum = SumOp::create(p.b, p.makePositive(source), dims);
    divisor = sum;
    break;
  }
  case 2: {
    Value squares = MeanOp::create(p.b, SquareOp::create(p.b, source), dims);
    Value shifted = AddOp::create(
        p.b, squares, p.splat(0.2, ProgramBuilder::getShape(squares)));
    divisor = SqrtOp::create(p.b, shifted);
    break;
  }
  default: {
    Value largest = ReduceMaxOp::create(p.b, p.makePositive(source), dims);
    divisor = largest;
  }
  }
  Value divisors = p.broadcast(divisor, shape, dims);
  p.add(DivOp::create(p.b, x, divisors), p.getMagnitude(x) * 3);
}

/// All pairs of samples: similarities, and what contrastive losses make of
/// them.
static void addSimilarity(ProgramBuilder &p) {
  auto accept = [](Value v) {
    Shape shape = ProgramBuilder::getShape(v);
    return shape.size() == 2 && ProgramBuilder::isBatched(shape[0]) !=
                                    ProgramBuilder::isBatched(shape[1]);
  };
  Value x = p.pick(accept);
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  if (ProgramBuilder::isBatched(shape[1])) {
    x = p.transpose(x, {1, 0});
    std::swap(shape[0], shape[1]);
  }
  Value left = x, right = x;
  if (p.random.chance(60))
    right = p.partner(x);
  if (p.random.chance(50)) {
    left = RmsNormOp::create(p.b, left, SmallVector<int64_t>{1},
                             llvm::APFloat(0.1));
    right = RmsNormOp::create(p.b, right, SmallVector<int64_t>{1},
                              llvm::APFloat(0.1));
  }
  Shape pairs = {shape[0], shape[0]};
  if (!p.fits(pairs))
    return;
  Value scores = MatmulOp::create(p.b, p.makeType(pairs), left, right,
                                  /*transpose_lhs=*/false,
                                  /*transpose_rhs=*/true);
  scores = p.scale(scores, 0.5);
  int64_t dim = p.random.below(2);
  switch (p.random.below(5)) {
  case 0:
    return p.add(scores, 4);
  case 1:
    return p.add(SoftmaxOp::create(p.b, scores, dim), 1);
  case 2: {
    // Against all others: log of the sum without the diagonal.
    Value row = p.makeIndex(pairs, 0), column = p.makeIndex(pairs, 1);
    Value same = CompareOp::create(p.b, ComparePredicate::eq, row, column);
    Value low = p.splat(-20, pairs);
    Value others = SelectOp::create(p.b, same, low, scores);
    return p.add(LogSumExpOp::create(p.b, others, SmallVector<int64_t>{dim}),
                 4);
  }
  case 3: {
    // Every sample is the class of itself.
    Value logits = dim == 1 ? scores : p.transpose(scores, {1, 0});
    Value label = p.makeIndex({shape[0]}, 0);
    return p.add(CrossEntropyOp::create(p.b, logits, label), 4);
  }
  default: {
    // The nearest other sample.
    Value row = p.makeIndex(pairs, 0), column = p.makeIndex(pairs, 1);
    Value same = CompareOp::create(p.b, ComparePredicate::eq, row, column);
    Value low = p.splat(-5, pairs);
    Value others = SelectOp::create(p.b, same, low, scores);
    return p.add(ReduceMaxOp::create(p.b, others, SmallVector<int64_t>{dim}),
                 4);
  }
  }
}

/// Softmax, logsumexp or an extremum over the samples, read by every sample.
static void addBatchStatistic(ProgramBuilder &p) {
  Value x = pickBatched(p);
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  SmallVector<int64_t> dims = drawSampleDims(p, x);
  double size = p.getMagnitude(x);
  switch (p.random.below(4)) {
  case 0:
    return p.add(SoftmaxOp::create(p.b, x, dims[0]), 1);
  case 1: {
    Value all = LogSumExpOp::create(p.b, x, dims);
    Value repeated = p.broadcast(all, shape, dims);
    return p.add(SubOp::create(p.b, x, repeated), size + 3);
  }
  case 2: {
    Value largest = ReduceMaxOp::create(p.b, x, dims);
    Value repeated = p.broadcast(largest, shape, dims);
    return p.add(SubOp::create(p.b, x, repeated), 2 * size);
  }
  default: {
    Value smallest = ReduceMinOp::create(p.b, x, dims);
    return p.add(smallest, size);
  }
  }
}

/// Samples gated by, or compared with, a statistic of the batch.
static void addGate(ProgramBuilder &p) {
  Value x = pickBatched(p);
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  Value source = p.partner(x);
  SmallVector<int64_t> dims = drawSampleDims(p, source);
  if (dims.empty())
    return;
  Value mean = MeanOp::create(p.b, source, dims);
  Value means = p.broadcast(mean, shape, dims);
  if (p.random.chance(60)) {
    Value gate = p.sigmoid(means);
    return p.add(MulOp::create(p.b, x, gate), p.getMagnitude(x));
  }
  // Where all samples are equal, rounding decides on which side of the mean
  // they are.
  Value shifted = AddOp::create(p.b, means, p.splat(0.07, shape));
  Value above = CompareOp::create(p.b, ComparePredicate::gt, source, shifted);
  Value other = p.scale(x, 0.2);
  p.add(SelectOp::create(p.b, above, x, other), p.getMagnitude(x));
}

/// `x`, or whole numbers of it among which many are equal, so that the first of
/// equal ones counts.
static Value drawTies(ProgramBuilder &p, Value x) {
  if (p.random.chance(40))
    return x;
  p.isOrdered = true;
  return FloorOp::create(p.b, x);
}

/// What depends on the order of the samples, or picks some of them.
static void addSelection(ProgramBuilder &p) {
  Value x = p.pick([](Value v) {
    return llvm::any_of(ProgramBuilder::getShape(v),
                        [](const Extent &e) { return e.isBatch(); });
  });
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  int64_t dim;
  do {
    dim = p.random.below(shape.size());
  } while (!shape[dim].isBatch());
  double size = p.getMagnitude(x);
  switch (p.random.below(6)) {
  case 0: {
    bool reverse = p.random.chance(40);
    p.isOrdered = true;
    return p.add(CumsumOp::create(p.b, x, dim, reverse), size * 4);
  }
  case 1:
    p.isOrdered = true;
    return p.add(FlipOp::create(p.b, x, SmallVector<int64_t>{dim}), size);
  case 2: {
    // The sample with the largest score.
    SmallVector<int64_t> others = ProgramBuilder::getAllDims(x);
    others.erase(others.begin() + dim);
    Value scores = others.empty() ? x : Value(MeanOp::create(p.b, x, others));
    Value index = ArgmaxOp::create(p.b, drawTies(p, scores), 0);
    return p.add(GatherOp::create(p.b, x, index, dim), size);
  }
  case 3: {
    Value index = ArgmaxOp::create(p.b, drawTies(p, x), dim);
    Value repeated = p.broadcast(index, shape, dim);
    Value place = p.makeIndex(shape, dim);
    Value hit = CompareOp::create(p.b, ComparePredicate::eq, repeated, place);
    Value other = p.scale(x, 0.3);
    return p.add(SelectOp::create(p.b, hit, x, other), size);
  }
  case 4: {
    // Every sample reads another one.
    Value index = p.getInput({Extent::batch()}, p.b.getI32Type());
    Value most = ConstantOp::create(
        p.b, cast<ElementsAttr>(DenseElementsAttr::get(
                 RankedTensorType::get({}, p.b.getI32Type()), int32_t(5))));
    Value limit = p.broadcast(most, {Extent::batch()}, 0);
    Value bounded = MinOp::create(p.b, index, limit);
    p.isOrdered = true;
    return p.add(GatherOp::create(p.b, x, bounded, dim), size);
  }
  default: {
    // Sums of the samples of each class.
    Value index = p.getInput({Extent::batch()}, p.b.getI32Type());
    shape[dim] = Extent(p.random.range(2, 4));
    return p.add(ScatterAddOp::create(p.b, p.makeType(shape), x, index, dim),
                 size * 3);
  }
  }
}

ArrayRef<Production> fuzz::getCouplingProductions() {
  static constexpr Production productions[] = {
      {5, addCentering},      {5, addDivision}, {4, addSimilarity},
      {4, addBatchStatistic}, {4, addGate},     {3, addSelection},
  };
  return productions;
}
