//===- Results.cpp - Random losses, metrics, outputs and state ------------===//
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

static Value reduce(ProgramBuilder &p, Value x, bool isMean) {
  SmallVector<int64_t> dims = ProgramBuilder::getAllDims(x);
  if (dims.empty())
    return x;
  if (isMean)
    return MeanOp::create(p.b, x, dims);
  return SumOp::create(p.b, x, dims);
}

/// A value in the shape of `x`, bounded, that is not 0 on average: a sum that
/// is 0 but for rounding has no accurate digits.
static Value unbias(ProgramBuilder &p, Value x) {
  Value bounded = p.getMagnitude(x) > 2 ? p.bound(x) : x;
  switch (p.random.below(4)) {
  case 0:
    return SquareOp::create(p.b, bounded);
  case 1: {
    Value shift = p.splat(0.6, ProgramBuilder::getShape(x));
    return AddOp::create(p.b, bounded, shift);
  }
  case 2:
    return SoftplusOp::create(p.b, bounded);
  default: {
    Value shift = p.splat(0.8, ProgramBuilder::getShape(x));
    Value moved = SubOp::create(p.b, shift, bounded);
    return SquareOp::create(p.b, moved);
  }
  }
}

/// A sum or mean over all elements, in one or two steps, or of rows with a
/// label.
static Value buildPlainTerm(ProgramBuilder &p, Value x) {
  switch (p.random.below(5)) {
  case 0:
    return reduce(p, unbias(p, x), /*isMean=*/false);
  case 1: {
    Value rows = unbias(p, x);
    SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(rows);
    if (!dims.empty())
      rows = p.random.chance(50) ? Value(MeanOp::create(p.b, rows, dims))
                                 : Value(SumOp::create(p.b, rows, dims));
    return reduce(p, rows, p.random.chance(50));
  }
  case 2: {
    // A ratio per row.
    Value rows = unbias(p, x);
    SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(rows);
    if (dims.empty())
      return reduce(p, rows, /*isMean=*/true);
    Value weights = p.toFloat(p.makeMask(ProgramBuilder::getShape(rows)));
    Value sum = SumOp::create(p.b, MulOp::create(p.b, rows, weights), dims);
    Value count = p.clampBelow(SumOp::create(p.b, weights, dims), 1);
    Value ratio = DivOp::create(p.b, sum, count);
    return reduce(p, ratio, /*isMean=*/true);
  }
  case 3: {
    Value target = p.partner(x);
    Value difference = SubOp::create(p.b, x, p.bound(target));
    Value error = p.random.chance(50)
                      ? Value(SquareOp::create(p.b, p.bound(difference)))
                      : Value(AbsOp::create(p.b, difference));
    return reduce(p, error, p.random.chance(60));
  }
  default:
    return reduce(p, unbias(p, x), /*isMean=*/true);
  }
}

/// A term that is no sum over samples.
static Value buildCoupledTerm(ProgramBuilder &p, Value x) {
  Shape shape = ProgramBuilder::getShape(x);
  Value rows = unbias(p, x);
  switch (p.random.below(9)) {
  case 0:
  case 1: {
    Value mask = p.makeMask(shape);
    Value weights = p.toFloat(mask);
    Value sum = reduce(p, MulOp::create(p.b, rows, weights), false);
    Value count = reduce(p, weights, false);
    // Now and then 0 / 0.
    if (!p.random.chance(6))
      count = p.clampBelow(count, 1);
    return DivOp::create(p.b, sum, count);
  }
  case 2: {
    Value weights = p.makePositive(p.partner(x));
    Value sum = reduce(p, MulOp::create(p.b, rows, weights), false);
    Value total = reduce(p, weights, false);
    return DivOp::create(p.b, sum, total);
  }
  case 3: {
    Value mean = reduce(p, SquareOp::create(p.b, rows), true);
    Value shifted = AddOp::create(p.b, mean, p.splat(0.05, {}));
    return SqrtOp::create(p.b, shifted);
  }
  case 4: {
    // Dice.
    Value a = p.sigmoid(x);
    Value b = p.sigmoid(p.partner(x));
    Value overlap = reduce(p, MulOp::create(p.b, a, b), false);
    Value one = p.splat(1, {});
    Value above = AddOp::create(p.b, overlap, one);
    Value left = reduce(p, SquareOp::create(p.b, a), false);
    Value right = reduce(p, SquareOp::create(p.b, b), false);
    Value sum = AddOp::create(p.b, left, right);
    Value below = AddOp::create(p.b, sum, one);
    Value ratio = DivOp::create(p.b, above, below);
    return SubOp::create(p.b, p.splat(1.5, {}), ratio);
  }
  case 5: {
    Value left = reduce(p, rows, true);
    Value right = reduce(p, unbias(p, p.partner(x)), true);
    return MulOp::create(p.b, left, right);
  }
  case 6: {
    Value mean = reduce(p, p.makePositive(x), true);
    return LogOp::create(p.b, mean);
  }
  case 7:
    return ReduceMaxOp::create(p.b, rows, ProgramBuilder::getAllDims(rows));
  default:
    return LogSumExpOp::create(p.b, rows, ProgramBuilder::getAllDims(rows));
  }
}

static Value pickForTerm(ProgramBuilder &p) {
  for (int attempt = 0; attempt < 4; ++attempt) {
    Value value = p.pick();
    if (ProgramBuilder::isBatched(value))
      return value;
  }
  return p.pick();
}

static Value buildTerm(ProgramBuilder &p) {
  if (p.isCoupled && p.random.chance(15)) {
    Value statistic = buildStatistic(p);
    return reduce(p, unbias(p, statistic), p.random.chance(50));
  }
  Value x = pickForTerm(p);
  bool isCoupled =
      p.isCoupled && ProgramBuilder::getRank(x) > 0 && p.random.chance(50);
  return isCoupled ? buildCoupledTerm(p, x) : buildPlainTerm(p, x);
}

static Value buildLoss(ProgramBuilder &p) {
  Value loss;
  int64_t terms = p.random.range(1, 4);
  for (int64_t i = 0; i < terms; ++i) {
    Value term = buildTerm(p);
    if (!loss) {
      loss = term;
      continue;
    }
    switch (p.random.below(p.isCoupled ? 5 : 3)) {
    case 0:
      loss = AddOp::create(p.b, loss, term);
      break;
    case 1: {
      Value scaled = p.scale(term, 0.4);
      loss = AddOp::create(p.b, loss, scaled);
      break;
    }
    case 2:
      loss = SubOp::create(p.b, term, loss);
      break;
    case 3:
      loss = MulOp::create(p.b, loss, p.bound(term));
      break;
    default: {
      Value positive = p.makePositive(term);
      Value ratio = DivOp::create(p.b, loss, positive);
      loss = AddOp::create(p.b, ratio, term);
    }
    }
  }
  // Terms without samples; they also give most parameters a gradient that is
  // not 0 but for rounding.
  for (Value param : p.params) {
    int64_t kind = p.random.below(100);
    if (kind < 4)
      continue;
    Value term;
    if (kind < 50) {
      term = SquareOp::create(p.b, param);
    } else {
      Value shift = p.splat(0.3, ProgramBuilder::getShape(param));
      Value moved = AddOp::create(p.b, param, shift);
      term = MulOp::create(p.b, moved, p.bound(param));
    }
    term = reduce(p, term, p.random.chance(30));
    term = p.scale(term, p.random.choose({0.1, 0.5}));
    loss = AddOp::create(p.b, loss, term);
  }
  return loss;
}

static Value buildMetric(ProgramBuilder &p) {
  if (p.random.chance(40))
    return buildStatistic(p);
  Value x = pickForTerm(p);
  SmallVector<int64_t> dims = ProgramBuilder::getAllDims(x);
  switch (p.random.below(7)) {
  case 6: {
    // The first of the samples with the most, often of several.
    SmallVector<int64_t> batched = ProgramBuilder::getBatchedDims(x);
    if (batched.empty())
      return p.bound(x);
    p.isOrdered = true;
    return ArgmaxOp::create(p.b, FloorOp::create(p.b, x), batched[0]);
  }
  case 0: {
    Value mask = p.makeMask(ProgramBuilder::getShape(x));
    return reduce(p, p.toFloat(mask), p.random.chance(60));
  }
  case 1: {
    Value rows = unbias(p, x);
    return ReduceMaxOp::create(p.b, rows, dims);
  }
  case 2: {
    Value rows = unbias(p, x);
    return ReduceMinOp::create(p.b, rows, dims);
  }
  case 3:
    if (ProgramBuilder::getRank(x) > 0)
      return LogSumExpOp::create(p.b, x, dims);
    return p.bound(x);
  case 4: {
    // A statistic of the batch that is no scalar.
    SmallVector<int64_t> batched = ProgramBuilder::getBatchedDims(x);
    if (batched.empty())
      return unbias(p, x);
    return MeanOp::create(p.b, unbias(p, x), batched);
  }
  default: {
    Value left = reduce(p, unbias(p, x), true);
    Value right = reduce(p, p.makePositive(x), false);
    return DivOp::create(p.b, left, right);
  }
  }
}

/// A running statistic: its new value is a function of the old one and of all
/// samples.
static Value buildUpdate(ProgramBuilder &p, BlockArgument &state) {
  Value x = pickForTerm(p);
  SmallVector<int64_t> dims = ProgramBuilder::getBatchedDims(x);
  Value statistic;
  if (dims.empty() || p.random.chance(30)) {
    statistic = buildStatistic(p);
  } else {
    Value rows = unbias(p, x);
    statistic = p.random.chance(70) ? Value(MeanOp::create(p.b, rows, dims))
                                    : Value(SumOp::create(p.b, rows, dims));
  }
  Shape shape = ProgramBuilder::getShape(statistic);
  state = p.addState(shape, 1);
  Value old = state;
  if (p.random.chance(20)) // A count.
    return AddOp::create(p.b, old, statistic);
  if (p.random.chance(40)) { // The same as a step towards it.
    Value distance = SubOp::create(p.b, old, statistic);
    return SubOp::create(p.b, old, p.scale(distance, 0.1));
  }
  Value kept = p.scale(old, 0.9);
  Value added = p.scale(statistic, 0.1);
  return AddOp::create(p.b, kept, added);
}

void fuzz::buildResults(ProgramBuilder &p) {
  SmallVector<Value> results;
  SmallVector<DictionaryAttr> attributes;
  auto add = [&](Value value, train::ResultKind kind, const Twine &name) {
    results.push_back(value);
    attributes.push_back(p.b.getDictionaryAttr(
        {p.b.getNamedAttr(train::attrs::kName, p.b.getStringAttr(name)),
         p.b.getNamedAttr(
             train::attrs::kResult,
             train::ResultKindAttr::get(p.b.getContext(), kind))}));
  };
  add(buildLoss(p), train::ResultKind::loss, "loss");
  int64_t metrics = p.random.below(3), outputs = p.random.below(2);
  for (int64_t i = 0; i < metrics; ++i)
    add(buildMetric(p), train::ResultKind::metric, "m" + Twine(i));
  for (int64_t i = 0; i < outputs; ++i) {
    Value x = pickForTerm(p);
    SmallVector<int64_t> dims = ProgramBuilder::getStaticDims(x);
    if (!dims.empty() && p.random.chance(20))
      x = ArgmaxOp::create(p.b, x, dims.back());
    else if (p.random.chance(80))
      x = unbias(p, x);
    add(x, train::ResultKind::output, "o" + Twine(i));
  }
  if (p.random.chance(30)) {
    BlockArgument state;
    results.push_back(buildUpdate(p, state));
    attributes.push_back(p.b.getDictionaryAttr(p.b.getNamedAttr(
        train::attrs::kUpdates, p.b.getI64IntegerAttr(state.getArgNumber()))));
  }
  func::ReturnOp::create(p.b, results);
  p.function.setFunctionType(p.b.getFunctionType(
      p.function.getArgumentTypes(), ValueRange(results).getTypes()));
  p.function.setAllResultAttrs(attributes);
}
