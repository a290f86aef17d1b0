//===- ProgramBuilder.cpp - What productions of models share --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/Train/RunState.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using namespace accrue::fuzz;

/// Elements of a tensor, and values of the pool, at most.
static constexpr int64_t kMaxElements = 600;
static constexpr size_t kMaxPool = 14;
static constexpr size_t kMaxParams = 5;
static constexpr size_t kMaxInputs = 5;
/// What is larger gets bounded.
static constexpr double kMaxMagnitude = 8;

ProgramBuilder::ProgramBuilder(func::FuncOp function, Random random,
                               int64_t batch, bool isCoupled)
    : function(function),
      b(function.getLoc(), OpBuilder::atBlockEnd(&function.getBody().front())),
      random(random), batch(batch), isCoupled(isCoupled) {}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool ProgramBuilder::isBatched(Value value) {
  return !getType(value).hasStaticShape();
}

SmallVector<int64_t> ProgramBuilder::getBatchedDims(Value value) {
  SmallVector<int64_t> dims;
  for (auto [dim, extent] : llvm::enumerate(getShape(value)))
    if (isBatched(extent))
      dims.push_back(dim);
  return dims;
}

SmallVector<int64_t> ProgramBuilder::getStaticDims(Value value) {
  SmallVector<int64_t> dims;
  for (auto [dim, extent] : llvm::enumerate(getShape(value)))
    if (!isBatched(extent))
      dims.push_back(dim);
  return dims;
}

SmallVector<int64_t> ProgramBuilder::getAllDims(Value value) {
  return llvm::to_vector(llvm::seq<int64_t>(0, getRank(value)));
}

SmallVector<int64_t> ProgramBuilder::drawSubset(ArrayRef<int64_t> dims) {
  SmallVector<int64_t> subset;
  for (int64_t dim : dims)
    if (random.chance(60))
      subset.push_back(dim);
  if (subset.empty() && !dims.empty())
    subset.push_back(dims[random.below(dims.size())]);
  return subset;
}

RankedTensorType ProgramBuilder::makeType(ArrayRef<Extent> shape,
                                          Type element) {
  return getTensorType(shape, element ? element : b.getF64Type());
}

bool ProgramBuilder::fits(ArrayRef<Extent> shape) const {
  for (const Extent &extent : shape)
    if (extent.getPower() > 1 || !extent.evaluate(batch))
      return false;
  std::optional<int64_t> elements = getProduct(shape).evaluate(batch);
  return elements && *elements <= kMaxElements && shape.size() <= 5;
}

Extent ProgramBuilder::drawExtent() {
  if (random.chance(4))
    return Extent(batch);
  if (random.chance(4))
    return Extent(1);
  // Products over these are dear enough to be stored between loops.
  if (random.chance(10))
    return Extent(random.range(9, 12));
  return Extent(random.range(2, 4));
}

Shape ProgramBuilder::drawInputShape(int64_t rank) {
  Shape shape;
  do {
    shape.clear();
    for (int64_t i = 1; i < rank; ++i)
      shape.push_back(drawExtent());
  } while (getProduct(shape).getNum() * batch > kMaxElements);
  int64_t place = random.chance(60) ? 0 : random.below(rank);
  shape.insert(shape.begin() + place, Extent::batch());
  return shape;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

BlockArgument ProgramBuilder::addArgument(RankedTensorType type,
                                          train::Role role, const Twine &name,
                                          ArrayRef<NamedAttribute> more) {
  SmallVector<NamedAttribute> attributes(more);
  attributes.push_back(b.getNamedAttr(
      train::attrs::kRole, train::RoleAttr::get(b.getContext(), role)));
  attributes.push_back(
      b.getNamedAttr(train::attrs::kName, b.getStringAttr(name)));
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, type, b.getDictionaryAttr(attributes),
                                b.getLoc());
  return function.getArgument(index);
}

Value ProgramBuilder::getParam(ArrayRef<Extent> shape) {
  RankedTensorType type = makeType(shape);
  SmallVector<Value> same;
  for (Value param : params)
    if (param.getType() == type)
      same.push_back(param);
  bool isFull = params.size() >= kMaxParams;
  if (!same.empty() && (isFull || random.chance(40)))
    return same[random.below(same.size())];
  MLIRContext *context = b.getContext();
  APFloat zero(0.0);
  SmallVector<NamedAttribute> more = {b.getNamedAttr(
      train::attrs::kInit,
      train::NormalAttr::get(context, APFloat(0.0), APFloat(0.7)))};
  // A parameter without a rule is frozen.
  bool isFrozen = !params.empty() && random.chance(8);
  if (!isFrozen)
    more.push_back(b.getNamedAttr(
        train::attrs::kRule,
        train::SGDAttr::get(context, APFloat(0.1), zero, false, zero)));
  Value param =
      addArgument(type, train::Role::param, "w" + Twine(params.size()), more);
  params.push_back(param);
  magnitudes[param] = 1;
  return param;
}

Value ProgramBuilder::getInput(ArrayRef<Extent> shape, Type element) {
  RankedTensorType type = makeType(shape, element);
  SmallVector<Value> same;
  for (Value input : inputs)
    if (input.getType() == type)
      same.push_back(input);
  bool isFull = inputs.size() >= kMaxInputs;
  if (!same.empty() && (isFull || random.chance(50)))
    return same[random.below(same.size())];
  const auto *found = llvm::find_if(
      shape, [](const Extent &extent) { return extent.isBatch(); });
  Value input =
      addArgument(type, train::Role::batch, "x" + Twine(inputs.size()),
                  b.getNamedAttr(train::attrs::kBatchDim,
                                 b.getI64IntegerAttr(found - shape.begin())));
  inputs.push_back(input);
  magnitudes[input] = 2;
  return input;
}

BlockArgument ProgramBuilder::addState(ArrayRef<Extent> shape, double init) {
  BlockArgument state = addArgument(
      makeType(shape), train::Role::state, "s" + Twine(states++),
      b.getNamedAttr(train::attrs::kInit,
                     train::FillAttr::get(b.getContext(), APFloat(init))));
  magnitudes[state] = 1;
  return state;
}

Value ProgramBuilder::getRandomKey() {
  if (!randomKey)
    randomKey = addArgument(RankedTensorType::get({2}, b.getI64Type()),
                            train::Role::scalar, train::kRandomKeyName, {});
  return randomKey;
}

//===----------------------------------------------------------------------===//
// The pool
//===----------------------------------------------------------------------===//

Value ProgramBuilder::pick() {
  int64_t size = values.size();
  Value value;
  for (int attempt = 0; attempt < 3; ++attempt) {
    int64_t first = random.below(size), second = random.below(size);
    value = values[size - 1 - std::min(first, second)];
    if (isBatched(value))
      break;
  }
  return value;
}

Value ProgramBuilder::pick(function_ref<bool(Value)> accept) {
  SmallVector<Value> accepted = llvm::filter_to_vector(values, accept);
  if (accepted.empty())
    return {};
  int64_t size = accepted.size();
  int64_t first = random.below(size), second = random.below(size);
  return accepted[size - 1 - std::min(first, second)];
}

double ProgramBuilder::getMagnitude(Value value) const {
  auto found = magnitudes.find(value);
  return found == magnitudes.end() ? 2 : found->second;
}

void ProgramBuilder::add(Value value, double magnitude) {
  if (!fits(getShape(value)))
    return;
  if (magnitude > kMaxMagnitude) {
    if (random.chance(50))
      value = bound(value);
    else
      value = scale(value, 1 / magnitude);
    magnitude = 1;
  }
  magnitudes[value] = magnitude;
  values.push_back(value);
  if (values.size() > kMaxPool)
    values.erase(values.begin() + random.below(kMaxPool));
}

Value ProgramBuilder::partner(Value value) {
  Shape shape = getShape(value);
  for (int attempt = 0; attempt < 3; ++attempt) {
    Value candidate = pick();
    Value other = broadcastTo(candidate, shape);
    if (!other)
      continue;
    magnitudes[other] = getMagnitude(candidate);
    return other;
  }
  // A gain or bias, or an input.
  bool isInput =
      llvm::count_if(shape, [](const Extent &e) { return isBatched(e); }) ==
          1 &&
      llvm::any_of(shape, [](const Extent &e) { return e.isBatch(); });
  if (isInput && random.chance(30))
    return getInput(shape);
  Shape part;
  for (const Extent &extent : shape)
    if (!isBatched(extent) && random.chance(60))
      part.push_back(extent);
  Value param = getParam(part);
  Value other = broadcastTo(param, shape);
  magnitudes[other] = 1;
  return other;
}

//===----------------------------------------------------------------------===//
// Small values
//===----------------------------------------------------------------------===//

Value ProgramBuilder::splat(double value, ArrayRef<Extent> shape) {
  return createSplat(b, b.getLoc(), makeType(shape), value);
}

Value ProgramBuilder::scale(Value value, double factor) {
  // Few digits, to be read by people.
  factor = std::max(std::round(factor * 100), 1.0) / 100;
  Value constant = splat(factor, getShape(value));
  return MulOp::create(b, value, constant);
}

Value ProgramBuilder::broadcast(Value value, ArrayRef<Extent> shape,
                                ArrayRef<int64_t> dims) {
  if (dims.empty())
    return value;
  return BroadcastOp::create(
      b, makeType(shape, getType(value).getElementType()), value, dims);
}

Value ProgramBuilder::broadcastTo(Value value, ArrayRef<Extent> shape) {
  Shape own = getShape(value);
  int64_t rank = shape.size();
  // Equal extents may match in several ways: from the front or the back.
  bool fromBack = random.chance(50);
  SmallVector<int64_t> added;
  size_t matched = 0;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t dim = fromBack ? rank - 1 - i : i;
    size_t next = fromBack ? own.size() - 1 - matched : matched;
    if (matched < own.size() && own[next] == shape[dim])
      ++matched;
    else
      added.push_back(dim);
  }
  if (matched != own.size())
    return {};
  llvm::sort(added);
  return broadcast(value, shape, added);
}

Value ProgramBuilder::reshape(Value value, ArrayRef<Extent> shape) {
  return ReshapeOp::create(b, makeType(shape, getType(value).getElementType()),
                           value);
}

Value ProgramBuilder::transpose(Value value, ArrayRef<int64_t> permutation) {
  return TransposeOp::create(b, value, permutation);
}

Value ProgramBuilder::moveToEnd(Value value, int64_t dim) {
  SmallVector<int64_t> permutation = getAllDims(value);
  if (dim + 1 == static_cast<int64_t>(permutation.size()))
    return value;
  permutation.erase(permutation.begin() + dim);
  permutation.push_back(dim);
  return transpose(value, permutation);
}

Value ProgramBuilder::bound(Value value) {
  switch (random.below(4)) {
  case 0:
    return SinOp::create(b, value);
  case 1:
    return ErfOp::create(b, value);
  default:
    return TanhOp::create(b, value);
  }
}

Value ProgramBuilder::sigmoid(Value value) {
  return SigmoidOp::create(b, value);
}

Value ProgramBuilder::makePositive(Value value) {
  Value positive;
  switch (random.below(4)) {
  case 0:
    positive = SquareOp::create(b, value);
    break;
  case 1:
    positive = AbsOp::create(b, value);
    break;
  case 2:
    positive = SoftplusOp::create(b, value);
    break;
  default:
    positive = SigmoidOp::create(b, value);
  }
  Value least = splat(0.1, getShape(value));
  return AddOp::create(b, positive, least);
}

Value ProgramBuilder::clampBelow(Value value, double least) {
  Value constant = splat(least, getShape(value));
  return MaxOp::create(b, value, constant);
}

Value ProgramBuilder::toFloat(Value value) {
  return ConvertOp::create(b, makeType(getShape(value)), value);
}

Value ProgramBuilder::makeIndex(ArrayRef<Extent> shape, int64_t dim) {
  return IotaOp::create(b, makeType(shape, b.getI32Type()), dim);
}

Value ProgramBuilder::makeMask(ArrayRef<Extent> shape) {
  auto draw = [&]() -> Value {
    SmallVector<int64_t> batched;
    for (auto [dim, extent] : llvm::enumerate(shape))
      if (extent.isBatch())
        batched.push_back(dim);
    int64_t kind = random.below(10);
    if (kind < 4 && batched.size() == 1 &&
        llvm::count_if(
            shape, [](const Extent &e) { return isBatched(e); }) == 1) {
      // An input, maybe of a part of the dimensions.
      Shape part;
      for (const Extent &extent : shape)
        if (isBatched(extent) || random.chance(50))
          part.push_back(extent);
      Value input = getInput(part, b.getI1Type());
      if (Value mask = broadcastTo(input, shape))
        return mask;
    }
    if (kind < 6) {
      // A triangle or a prefix of two dimensions that are no samples.
      SmallVector<int64_t> dims;
      for (auto [dim, extent] : llvm::enumerate(shape))
        if (!isBatched(extent) && extent.getNum() > 1)
          dims.push_back(dim);
      if (dims.size() >= 2) {
        Value row = makeIndex(shape, dims[0]);
        Value column = makeIndex(shape, dims[1]);
        return CompareOp::create(b, ComparePredicate::ge, row, column);
      }
    }
    for (int attempt = 0; attempt < 4; ++attempt) {
      Value candidate = pick();
      Value value = broadcastTo(candidate, shape);
      if (!value)
        continue;
      Value threshold = splat(random.choose({-0.37, 0.11, 0.23}), shape);
      auto predicate = random.choose(
          {ComparePredicate::lt, ComparePredicate::le, ComparePredicate::gt,
           ComparePredicate::ge, ComparePredicate::ne});
      return CompareOp::create(b, predicate, value, threshold);
    }
    Value param = getParam({});
    Value zero = splat(0, {});
    Value flag = CompareOp::create(b, ComparePredicate::gt, param, zero);
    return broadcastTo(flag, shape);
  };
  Value mask = draw();
  switch (random.below(10)) {
  case 0: {
    Value other = draw();
    return AndOp::create(b, mask, other);
  }
  case 1: {
    Value other = draw();
    return OrOp::create(b, mask, other);
  }
  case 2:
    return NotOp::create(b, mask);
  default:
    return mask;
  }
}
