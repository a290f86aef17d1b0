//===- ElementwiseProductions.cpp - Random elementwise ops ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using namespace accrue::fuzz;

/// Functions that are defined everywhere and grow at most linearly.
static void addTame(ProgramBuilder &p) {
  Value x = p.pick();
  double size = p.getMagnitude(x);
  switch (p.random.below(14)) {
  case 0:
    return p.add(NegOp::create(p.b, x), size);
  case 1:
    return p.add(TanhOp::create(p.b, x), 1);
  case 2:
    return p.add(SigmoidOp::create(p.b, x), 1);
  case 3:
    return p.add(ReluOp::create(p.b, x), size);
  case 4:
    return p.add(AbsOp::create(p.b, x), size);
  case 5:
    return p.add(ErfOp::create(p.b, x), 1);
  case 6:
    return p.add(SinOp::create(p.b, x), 1);
  case 7:
    return p.add(CosOp::create(p.b, x), 1);
  case 8:
    return p.add(SiluOp::create(p.b, x), size);
  case 9:
    return p.add(SoftplusOp::create(p.b, x), size + 0.7);
  case 10: {
    bool approximate = p.random.chance(50);
    return p.add(GeluOp::create(p.b, x, approximate), size);
  }
  case 11:
    return p.add(StopGradientOp::create(p.b, x), size);
  case 12:
    return p.add(
        ClampOp::create(p.b, x, llvm::APFloat(-0.7), llvm::APFloat(0.83)), 1);
  default: {
    Value other = p.partner(x);
    return p.add(WhenTrainingOp::create(p.b, x, other), size);
  }
  }
}

/// Functions with a guard of their domain or size.
static void addGuarded(ProgramBuilder &p) {
  Value x = p.pick();
  double size = p.getMagnitude(x);
  switch (p.random.below(10)) {
  case 0: {
    bool isSmall = size <= 1.5;
    return p.add(ExpOp::create(p.b, isSmall ? x : p.bound(x)), 2.7);
  }
  case 1:
    return p.add(Expm1Op::create(p.b, p.bound(x)), 1.7);
  case 2:
    return p.add(LogOp::create(p.b, p.makePositive(x)), 2.3);
  case 3:
    return p.add(Log1pOp::create(p.b, p.makePositive(x)), 1 + std::log1p(size));
  case 4:
    return p.add(SqrtOp::create(p.b, p.makePositive(x)), 1 + size);
  case 5:
    return p.add(RsqrtOp::create(p.b, p.makePositive(x)), 3);
  case 6:
    return p.add(ReciprocalOp::create(p.b, p.makePositive(x)), 5);
  case 7:
    return p.add(SquareOp::create(p.b, x), size * size);
  case 8: {
    // Steps: their derivative is 0.
    Value step = p.random.chance(50)
                     ? Value(SignOp::create(p.b, x))
                     : Value(FloorOp::create(p.b, p.scale(x, 1.37)));
    return p.add(AddOp::create(p.b, step, x), size + 1);
  }
  default: {
    Value base = p.makePositive(x);
    Value exponent = p.bound(p.partner(x));
    return p.add(PowOp::create(p.b, base, exponent), 5);
  }
  }
}

static void addBinary(ProgramBuilder &p) {
  Value x = p.pick();
  Value y = p.partner(x);
  double left = p.getMagnitude(x), right = p.getMagnitude(y);
  if (p.random.chance(30))
    std::swap(x, y);
  switch (p.random.below(8)) {
  case 0:
  case 1:
    return p.add(AddOp::create(p.b, x, y), left + right);
  case 2:
    return p.add(SubOp::create(p.b, x, y), left + right);
  case 3:
  case 4:
    return p.add(MulOp::create(p.b, x, y), left * right);
  case 5:
    return p.add(MaxOp::create(p.b, x, y), std::max(left, right));
  case 6:
    return p.add(MinOp::create(p.b, x, y), std::max(left, right));
  default: {
    double size = p.getMagnitude(x);
    return p.add(DivOp::create(p.b, x, p.makePositive(y)), size * 5);
  }
  }
}

static void addChoice(ProgramBuilder &p) {
  Value x = p.pick();
  Value y = p.random.chance(60) ? p.partner(x)
                                : p.splat(p.random.choose({0.0, 0.0, 0.5}),
                                          ProgramBuilder::getShape(x));
  double size = std::max(p.getMagnitude(x), p.getMagnitude(y));
  Value mask = p.makeMask(ProgramBuilder::getShape(x));
  if (p.random.chance(30))
    std::swap(x, y);
  p.add(SelectOp::create(p.b, mask, x, y), size);
}

/// A mask as a number.
static void addFlag(ProgramBuilder &p) {
  Value x = p.pick();
  Value mask = p.makeMask(ProgramBuilder::getShape(x));
  Value flag = p.toFloat(mask);
  p.add(MulOp::create(p.b, x, flag), p.getMagnitude(x));
}

/// Arithmetic with constants, among them the number of samples.
static void addNumber(ProgramBuilder &p) {
  Value x = p.pick();
  Shape shape = ProgramBuilder::getShape(x);
  if (p.random.chance(30)) {
    auto extents = ExtentsAttr::get(p.b.getContext(), {Extent::batch()});
    Value samples = ExtentOp::create(
        p.b, RankedTensorType::get({}, p.b.getF64Type()), extents);
    Value number = p.broadcastTo(samples, shape);
    if (p.random.chance(50))
      return p.add(DivOp::create(p.b, x, number), p.getMagnitude(x));
    return p.add(MulOp::create(p.b, x, number), p.getMagnitude(x) * p.batch);
  }
  double number = p.random.choose({0.3, 0.5, -1.0, 1.7, 2.0});
  Value constant = p.splat(number, shape);
  if (p.random.chance(50))
    return p.add(MulOp::create(p.b, x, constant), p.getMagnitude(x) * 2);
  p.add(SubOp::create(p.b, constant, x), p.getMagnitude(x) + 2);
}

/// Random numbers for every sample, or for the batch: as dropout or noise.
static void addDraw(ProgramBuilder &p) {
  Value x = p.pick();
  Shape shape = ProgramBuilder::getShape(x);
  SmallVector<int64_t> batched = ProgramBuilder::getBatchedDims(x);
  if (batched.size() > 1)
    return;
  Value key = p.getRandomKey(), sample;
  int64_t dim = 0, site = p.sites++;
  bool isPerSample = !batched.empty() && p.random.chance(80);
  Shape drawn;
  if (isPerSample) {
    dim = batched[0];
    sample = p.makeIndex({shape[dim]}, 0);
    drawn = shape;
    p.isOrdered = true;
  } else {
    for (const Extent &extent : shape)
      if (!ProgramBuilder::isBatched(extent))
        drawn.push_back(extent);
  }
  RankedTensorType type = p.makeType(drawn);
  bool isNormal = p.random.chance(30);
  Value draw =
      isNormal ? Value(NormalOp::create(p.b, type, key, sample, dim, site))
               : Value(UniformOp::create(p.b, type, key, sample, dim, site));
  draw = p.broadcastTo(draw, shape);
  if (isNormal)
    return p.add(AddOp::create(p.b, x, draw), p.getMagnitude(x) + 2);
  Value rate = p.splat(0.3, shape);
  Value keep = CompareOp::create(p.b, ComparePredicate::ge, draw, rate);
  Value scaled = p.scale(x, 1.43);
  Value zero = p.splat(0, shape);
  Value dropped = SelectOp::create(p.b, keep, scaled, zero);
  p.add(WhenTrainingOp::create(p.b, dropped, x), p.getMagnitude(x) * 1.5);
}

ArrayRef<Production> fuzz::getElementwiseProductions() {
  static constexpr Production productions[] = {
      {14, addTame}, {12, addGuarded}, {16, addBinary}, {6, addChoice},
      {4, addFlag},  {4, addNumber},   {4, addDraw},
  };
  return productions;
}
