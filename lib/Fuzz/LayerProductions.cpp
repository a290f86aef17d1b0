//===- LayerProductions.cpp - Random products, windows and norms ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using namespace accrue::fuzz;

/// The product of two values of one rank, at least 2, in any orientation that
/// fits; null where none does. Only coupled programs sum over samples, or form
/// all pairs of samples.
static Value multiply(ProgramBuilder &p, Value lhs, Value rhs) {
  int64_t rank = ProgramBuilder::getRank(lhs);
  if (rank < 2 || ProgramBuilder::getRank(rhs) != rank)
    return {};
  Shape left = ProgramBuilder::getShape(lhs),
        right = ProgramBuilder::getShape(rhs);
  if (!std::equal(left.begin(), left.end() - 2, right.begin()))
    return {};
  int64_t first = p.random.below(4);
  for (int64_t i = first; i < first + 4; ++i) {
    bool transposeLhs = i & 1, transposeRhs = i & 2;
    Extent inner = left[rank - (transposeLhs ? 2 : 1)];
    Extent rows = left[rank - (transposeLhs ? 1 : 2)];
    Extent columns = right[rank - (transposeRhs ? 2 : 1)];
    Shape shape(left.begin(), left.end() - 2);
    shape.append({rows, columns});
    bool mixes =
        ProgramBuilder::isBatched(inner) ||
        (ProgramBuilder::isBatched(rows) && ProgramBuilder::isBatched(columns));
    if (inner != right[rank - (transposeRhs ? 1 : 2)] || !p.fits(shape) ||
        (mixes && !p.isCoupled))
      continue;
    return MatmulOp::create(p.b, p.makeType(shape), lhs, rhs, transposeLhs,
                            transposeRhs);
  }
  return {};
}

static double getProductSize(ProgramBuilder &p, Value lhs, Value rhs) {
  return p.getMagnitude(lhs) * p.getMagnitude(rhs) * 2;
}

/// A linear layer over one dimension, as a product of matrices or of stacks of
/// matrices, or on flattened rows.
static void addLinear(ProgramBuilder &p) {
  Value x = p.pick([](Value v) {
    return ProgramBuilder::getRank(v) >= 2 &&
           !ProgramBuilder::getStaticDims(v).empty();
  });
  if (!x)
    return;
  double size = p.getMagnitude(x) * 1.5;
  SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(x);
  int64_t dim = dims[p.random.below(dims.size())];
  Extent from = ProgramBuilder::getShape(x)[dim], to = p.drawExtent();
  bool isTransposed = p.random.chance(50);
  Value weight = p.getParam(isTransposed ? Shape{to, from} : Shape{from, to});
  if (ProgramBuilder::getRank(x) == 2) {
    Shape shape = ProgramBuilder::getShape(x);
    Extent rows = shape[1 - dim];
    Value y = MatmulOp::create(p.b, p.makeType({rows, to}), x, weight,
                               /*transpose_lhs=*/dim == 0, isTransposed);
    return p.add(y, size);
  }
  x = p.moveToEnd(x, dim);
  Shape shape = ProgramBuilder::getShape(x);
  Extent rows = getProduct(ArrayRef(shape).drop_back());
  Shape result = shape;
  result.back() = to;
  if (p.fits({rows, from}) && p.fits({rows, to}) && p.random.chance(60)) {
    Value flat = p.reshape(x, {rows, from});
    Value y = MatmulOp::create(p.b, p.makeType({rows, to}), flat, weight,
                               /*transpose_lhs=*/false, isTransposed);
    if (p.random.chance(70) && p.fits(result))
      y = p.reshape(y, result);
    return p.add(y, size);
  }
  // One product per leading index.
  SmallVector<int64_t> leading =
      llvm::to_vector(llvm::seq<int64_t>(0, shape.size() - 2));
  Shape stack(shape.begin(), shape.end() - 2);
  stack.append(isTransposed ? Shape{to, from} : Shape{from, to});
  if (!p.fits(stack) || !p.fits(result))
    return;
  Value weights = p.broadcast(weight, stack, leading);
  p.add(MatmulOp::create(p.b, p.makeType(result), x, weights,
                         /*transpose_lhs=*/false, isTransposed),
        size);
}

/// A product of two values of the pool.
static void addProduct(ProgramBuilder &p) {
  for (int attempt = 0; attempt < 3; ++attempt) {
    Value x = p.pick([](Value v) { return ProgramBuilder::getRank(v) >= 2; });
    if (!x)
      return;
    int64_t rank = ProgramBuilder::getRank(x);
    Value y = p.random.chance(30) ? x : p.pick([&](Value v) {
      return ProgramBuilder::getRank(v) == rank;
    });
    Value product = multiply(p, x, y);
    if (!product)
      continue;
    return p.add(product, getProductSize(p, x, y));
  }
}

/// Images [N, C, H, W]: of the pool, of a flattened batch, or an input.
static Value pickImages(ProgramBuilder &p) {
  auto isImage = [](Value v) {
    Shape shape = ProgramBuilder::getShape(v);
    return shape.size() == 4 && !ProgramBuilder::isBatched(shape[1]) &&
           !ProgramBuilder::isBatched(shape[2]) &&
           !ProgramBuilder::isBatched(shape[3]) && shape[2].getNum() >= 2 &&
           shape[3].getNum() >= 2;
  };
  if (Value images = p.pick(isImage))
    if (p.random.chance(70))
      return images;
  // Another value per sample makes a filtered input depend on the parameters.
  Shape shape = {Extent::batch(), Extent(p.random.range(1, 2)), Extent(4),
                 Extent(p.random.range(3, 4))};
  return p.getInput(shape);
}

static void addConvolution(ProgramBuilder &p) {
  Value images = pickImages(p);
  Shape shape = ProgramBuilder::getShape(images);
  int64_t channels = shape[1].getNum();
  int64_t groups = channels % 2 == 0 && p.random.chance(30) ? 2 : 1;
  int64_t filters = groups * p.random.range(1, 2);
  SmallVector<int64_t> kernel = {p.random.range(1, 2), p.random.range(1, 3)};
  SmallVector<int64_t> stride = {p.random.range(1, 2), p.random.range(1, 2)};
  SmallVector<int64_t> dilation = {1, 1};
  SmallVector<int64_t> padding;
  for (int i = 0; i < 4; ++i)
    padding.push_back(p.random.below(2));
  if (p.random.chance(20))
    dilation[0] = 2;
  if ((kernel[0] - 1) * dilation[0] + 1 > shape[2].getNum() ||
      kernel[1] > shape[3].getNum())
    return;
  Value weight = p.getParam({Extent(filters), Extent(channels / groups),
                             Extent(kernel[0]), Extent(kernel[1])});
  p.add(
      Conv2dOp::create(p.b, images, weight, stride, padding, dilation, groups),
      p.getMagnitude(images) * 2);
}

static void addPooling(ProgramBuilder &p) {
  Value images = pickImages(p);
  SmallVector<int64_t> kernel = {2, 2};
  SmallVector<int64_t> stride = {p.random.range(1, 2), p.random.range(1, 2)};
  SmallVector<int64_t> padding = {p.random.below(2), p.random.below(2), 0,
                                  p.random.below(2)};
  p.add(MaxPool2dOp::create(p.b, images, kernel, stride, padding,
                            SmallVector<int64_t>{1, 1}),
        p.getMagnitude(images));
}

static void addUnfold(ProgramBuilder &p) {
  Value images = pickImages(p);
  bool channelsLast = p.random.chance(50);
  Value windows = UnfoldOp::create(
      p.b, images, SmallVector<int64_t>{2, 2}, SmallVector<int64_t>{1, 2},
      SmallVector<int64_t>{1, 1}, SmallVector<int64_t>{0, 1, 0, 0},
      llvm::APFloat(0.0), channelsLast);
  // Rank 6 to 4.
  Shape shape = ProgramBuilder::getShape(windows);
  Shape flat = {shape[0], shape[1], shape[2], shape[3] * shape[4] * shape[5]};
  if (p.fits(flat))
    p.add(p.reshape(windows, flat), p.getMagnitude(images));
}

/// [N, T, C] as [N, H, T, C / H].
static Value splitHeads(ProgramBuilder &p, Value x, int64_t heads) {
  Shape shape = ProgramBuilder::getShape(x);
  Value split = p.reshape(
      x, {shape[0], shape[1], Extent(heads), shape[2] / Extent(heads)});
  return p.transpose(split, {0, 2, 1, 3});
}

static void addAttention(ProgramBuilder &p) {
  auto accept = [&](Value v) {
    Shape shape = ProgramBuilder::getShape(v);
    return shape.size() == 3 && !ProgramBuilder::isBatched(shape[2]) &&
           (p.isCoupled || !ProgramBuilder::isBatched(shape[1]));
  };
  Value x = p.pick(accept);
  if (!x)
    x = p.getInput({Extent::batch(), Extent(3), Extent(4)});
  Shape shape = ProgramBuilder::getShape(x);
  int64_t features = shape[2].getNum();
  int64_t heads = features % 2 == 0 && p.random.chance(60) ? 2 : 1;
  // Grouped queries: one head of keys for two of queries.
  bool isGrouped = heads == 2 && p.random.chance(30);
  Value gain = p.getParam({shape[2]});
  Value gains = p.broadcastTo(gain, shape);
  Value scaled = MulOp::create(p.b, x, gains);
  Value query = splitHeads(p, scaled, heads);
  Value key = splitHeads(p, p.bound(x), heads);
  Value value = splitHeads(p, x, heads);
  if (isGrouped) {
    key = SliceOp::create(p.b, key, 1, 0, 1, 1);
    value = SliceOp::create(p.b, value, 1, 0, 1, 1);
  }
  bool isStatic = !ProgramBuilder::isBatched(shape[1]);
  bool causal = isStatic && p.random.chance(40);
  Value mask;
  if (p.random.chance(40)) {
    Shape scores = {shape[0], Extent(heads), shape[1], shape[1]};
    if (isStatic && p.random.chance(40))
      scores = {shape[1], shape[1]};
    if (!p.fits(scores))
      return;
    mask = p.makeMask(scores);
  }
  Value result = AttentionOp::create(p.b, query, key, value, mask, causal,
                                     llvm::APFloat(0.5));
  if (p.random.chance(70)) {
    result = p.transpose(result, {0, 2, 1, 3});
    result = p.reshape(result, shape);
  }
  p.add(result, p.getMagnitude(x));
}

/// Dimensions of more than one element, over which a function that is constant
/// for one element may be taken; those of samples only at times.
static SmallVector<int64_t> getProperDims(ProgramBuilder &p, Value x) {
  SmallVector<int64_t> dims = p.isCoupled && p.random.chance(30)
                                  ? ProgramBuilder::getAllDims(x)
                                  : ProgramBuilder::getStaticDims(x);
  llvm::erase_if(dims, [&](int64_t dim) {
    return ProgramBuilder::getShape(x)[dim] == Extent(1);
  });
  return dims;
}

static void addSoftmax(ProgramBuilder &p) {
  Value x = p.pick();
  SmallVector<int64_t> dims = getProperDims(p, x);
  if (dims.empty())
    return;
  int64_t dim = dims[p.random.below(dims.size())];
  if (p.random.chance(20)) {
    // Masked, rows and micro-batches throughout now and then.
    Shape shape = ProgramBuilder::getShape(x);
    Value mask = p.makeMask(shape);
    Value low = p.splat(-std::numeric_limits<double>::infinity(), shape);
    Value masked = SelectOp::create(p.b, mask, x, low);
    if (p.random.chance(50))
      return p.add(SoftmaxOp::create(p.b, masked, dim), 1);
    SmallVector<int64_t> subset = p.drawSubset(dims);
    Value all = LogSumExpOp::create(p.b, masked, subset);
    return p.add(p.clampBelow(all, -3), p.getMagnitude(x) + 2);
  }
  switch (p.random.below(3)) {
  case 0:
    return p.add(SoftmaxOp::create(p.b, x, dim), 1);
  case 1:
    return p.add(LogSoftmaxOp::create(p.b, x, dim), p.getMagnitude(x) + 1);
  default: {
    SmallVector<int64_t> subset = p.drawSubset(dims);
    return p.add(LogSumExpOp::create(p.b, x, subset), p.getMagnitude(x) + 2);
  }
  }
}

static void addNormalization(ProgramBuilder &p) {
  Value x = p.pick();
  SmallVector<int64_t> all = getProperDims(p, x);
  if (all.empty())
    return;
  SmallVector<int64_t> dims = p.drawSubset(all);
  // Not too small: x / |x| of next to nothing has no accurate digits.
  llvm::APFloat eps(0.1);
  if (p.random.chance(60))
    p.add(NormalizeOp::create(p.b, x, dims, eps), 2);
  else
    p.add(RmsNormOp::create(p.b, x, dims, eps), 2);
}

/// Cross entropies of rows, one per label.
static void addCrossEntropy(ProgramBuilder &p) {
  Value x = p.pick([](Value v) {
    Shape shape = ProgramBuilder::getShape(v);
    return shape.size() >= 2 && !ProgramBuilder::isBatched(shape.back()) &&
           llvm::count_if(ArrayRef(shape).drop_back(),
                          [](const Extent &e) { return e.isBatch(); }) == 1 &&
           ProgramBuilder::getBatchedDims(v).size() == 1;
  });
  if (!x)
    return;
  Shape shape = ProgramBuilder::getShape(x);
  shape.pop_back();
  Value label = p.getInput(shape, p.b.getI32Type());
  p.add(CrossEntropyOp::create(p.b, x, label), p.getMagnitude(x) + 1);
}

ArrayRef<Production> fuzz::getLayerProductions() {
  static constexpr Production productions[] = {
      {18, addLinear}, {8, addProduct},       {4, addConvolution},
      {2, addPooling}, {1, addUnfold},        {4, addAttention},
      {5, addSoftmax}, {5, addNormalization}, {4, addCrossEntropy},
  };
  return productions;
}
