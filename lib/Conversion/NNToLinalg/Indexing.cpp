//===- Indexing.cpp - Elements by index -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace accrue;

//===----------------------------------------------------------------------===//
// gather, take_along
//===----------------------------------------------------------------------===//

/// Whether `index` is in [0, extent).
static Value isInRange(OpBuilder &b, Location loc, Value index,
                       int64_t extent) {
  auto type = cast<IntegerType>(index.getType());
  Location named = as("in_range", loc);
  // Of a type that cannot hold the extent, all but the negative ones are.
  if (!llvm::isIntN(type.getWidth(), extent))
    return arith::CmpIOp::create(
        b, named, arith::CmpIPredicate::sge, index,
        arith::ConstantOp::create(b, loc, b.getZeroAttr(type)));
  // Unsigned, so that negative ones fail.
  Value count =
      arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, extent));
  return arith::CmpIOp::create(b, named, arith::CmpIPredicate::ult, index,
                               count);
}

/// The element of `input` at `place`, in which dimension `dim` is given by
/// `index`; NaN where that is out of range.
static Value extractAt(OpBuilder &b, Location loc, Value input,
                       SmallVector<Value> place, int64_t dim, Value index) {
  RankedTensorType type = Lowering::typeOf(input);
  Value nan = createNaN(b, loc, type.getElementType());
  if (type.getNumElements() == 0)
    return nan;
  Value valid = isInRange(b, loc, index, type.getDimSize(dim));
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(index.getType()));
  Value safe = arith::SelectOp::create(b, loc, valid, index, zero);
  place[dim] = arith::IndexCastOp::create(b, as("safe_index", loc),
                                          b.getIndexType(), safe);
  Value element = tensor::ExtractOp::create(b, loc, input, place);
  return arith::SelectOp::create(b, loc, valid, element, nan);
}

static Value gather(Lowering &l, nn::GatherOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  RankedTensorType indexType = Lowering::typeOf(op.getIndex());
  int64_t dim = op.getDim(), rank = type.getRank();
  int64_t indexRank = indexType.getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i != indexRank; ++i)
    exprs.push_back(l.b.getAffineDimExpr(dim + i));
  AffineMap map = AffineMap::get(rank, 0, exprs, l.context);
  return l.map(type, op.getIndex(), map,
               [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                 SmallVector<Value> place;
                 for (int64_t i = 0; i != dim; ++i)
                   place.push_back(linalg::IndexOp::create(b, loc, i));
                 place.push_back(nullptr);
                 for (int64_t i = dim + indexRank; i != rank; ++i)
                   place.push_back(linalg::IndexOp::create(b, loc, i));
                 return extractAt(b, loc, op.getInput(), place, dim, args[0]);
               });
}

static Value takeAlong(Lowering &l, nn::TakeAlongOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  int64_t dim = op.getDim();
  return l.map(type, op.getIndex(),
               [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                 SmallVector<Value> place;
                 for (int64_t i = 0; i != type.getRank(); ++i)
                   place.push_back(
                       i == dim ? Value() : linalg::IndexOp::create(b, loc, i));
                 return extractAt(b, loc, op.getInput(), place, dim, args[0]);
               });
}

//===----------------------------------------------------------------------===//
// scatter_add, scatter_add_along
//===----------------------------------------------------------------------===//

/// For every element of the result, the sum over all updates whose index is
/// its position along `dim`. The space is that of the result, then the
/// `updateDims` extents that the sum runs over; `updateMap` and `indexMap` are
/// from this space.
static Value sumWhereEqual(Lowering &l, RankedTensorType type, int64_t dim,
                           ArrayRef<int64_t> summed, Value updates,
                           AffineMap updateMap, Value index,
                           AffineMap indexMap) {
  auto element = cast<FloatType>(type.getElementType());
  bool isHalf = element.getWidth() < 32;
  Type wide = isHalf ? Type(l.b.getF32Type()) : element;
  int64_t rank = type.getRank(), summedRank = summed.size();
  // The space that is summed over belongs to an operand that is never read.
  SmallVector<int64_t> shape(type.getShape());
  llvm::append_range(shape, summed);
  Value space = tensor::EmptyOp::create(l.b, l.loc, shape, wide);
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(rank, rank + summedRank));
  Value total = l.reduce(
      RankedTensorType::get(type.getShape(), wide), {space, updates, index},
      {l.identity(rank + summedRank), updateMap, indexMap}, dims,
      l.b.getFloatAttr(wide, 0),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value position = arith::IndexCastOp::create(
            b, loc, args[2].getType(), linalg::IndexOp::create(b, loc, dim));
        Value hit = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          position, args[2]);
        Value update = args[1];
        if (isHalf)
          update = arith::ExtFOp::create(b, loc, wide, update);
        Value zero = createFloat(b, loc, wide, 0);
        Value term = arith::SelectOp::create(b, loc, hit, update, zero);
        return arith::AddFOp::create(b, loc, args[3], term);
      });
  if (!isHalf)
    return total;
  return l.map(type, total,
               [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                 return arith::TruncFOp::create(b, loc, element, args[0]);
               });
}

static Value scatterAdd(Lowering &l, nn::ScatterAddOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  ArrayRef<int64_t> summed = Lowering::typeOf(op.getIndex()).getShape();
  int64_t dim = op.getDim(), rank = type.getRank();
  int64_t count = summed.size();
  SmallVector<AffineExpr> updates, index;
  for (int64_t i = 0; i != dim; ++i)
    updates.push_back(l.b.getAffineDimExpr(i));
  for (int64_t i = 0; i != count; ++i)
    index.push_back(l.b.getAffineDimExpr(rank + i));
  llvm::append_range(updates, index);
  for (int64_t i = dim + 1; i != rank; ++i)
    updates.push_back(l.b.getAffineDimExpr(i));
  return sumWhereEqual(l, type, dim, summed, op.getUpdates(),
                       AffineMap::get(rank + count, 0, updates, l.context),
                       op.getIndex(),
                       AffineMap::get(rank + count, 0, index, l.context));
}

static Value scatterAddAlong(Lowering &l, nn::ScatterAddAlongOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  int64_t dim = op.getDim(), rank = type.getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i != rank; ++i)
    exprs.push_back(l.b.getAffineDimExpr(i == dim ? rank : i));
  AffineMap map = AffineMap::get(rank + 1, 0, exprs, l.context);
  return sumWhereEqual(l, type, dim,
                       Lowering::typeOf(op.getIndex()).getDimSize(dim),
                       op.getUpdates(), map, op.getIndex(), map);
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

/// Whether `x` is NaN; null for integers.
static Value isNaN(OpBuilder &b, Location loc, Value x) {
  if (!isa<FloatType>(x.getType()))
    return nullptr;
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
}

static Value isEqual(OpBuilder &b, Location loc, Value x, Value y) {
  Value xIsNaN = isNaN(b, loc, x);
  if (!xIsNaN)
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
  Value equal = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
  Value both = arith::AndIOp::create(b, loc, xIsNaN, isNaN(b, loc, y));
  return arith::OrIOp::create(b, loc, equal, both);
}

static Value isLess(OpBuilder &b, Location loc, Value x, Value y) {
  Value xIsNaN = isNaN(b, loc, x);
  if (!xIsNaN)
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, x, y);
  // NaN is the largest: y is NaN and x is not, or both are numbers.
  Value less = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ULT, x, y);
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  return arith::SelectOp::create(b, loc, xIsNaN, no, less);
}

/// The largest element of each row, then repeatedly the largest of those that
/// come after it: smaller ones, and equal ones with a higher index.
static Value topK(Lowering &l, nn::TopKOp op) {
  Value input = op.getInput();
  RankedTensorType inputType = Lowering::typeOf(input);
  RankedTensorType type = Lowering::typeOf(op.getResult());
  Type element = inputType.getElementType(), i32 = l.b.getI32Type();
  int64_t rank = inputType.getRank(), last = rank - 1;
  ArrayRef<int64_t> rows = inputType.getShape().drop_back();
  auto valueType = RankedTensorType::get(rows, element);
  auto indexType = RankedTensorType::get(rows, i32);
  AffineMap all = l.identity(rank), perRow = l.mapWithout(rank, last);
  TypedAttr none = l.b.getI32IntegerAttr(std::numeric_limits<int32_t>::max());

  auto getNumber = [&](OpBuilder &b, Location loc) -> Value {
    Value index = linalg::IndexOp::create(b, loc, last);
    return arith::IndexCastOp::create(b, loc, i32, index);
  };
  // Whether x, the current element, comes after (value, index).
  auto comesAfter = [&](OpBuilder &b, Location loc, Value x, Value value,
                        Value index) -> Value {
    Value higher = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                         getNumber(b, loc), index);
    Value tied =
        arith::AndIOp::create(b, loc, isEqual(b, loc, x, value), higher);
    return arith::OrIOp::create(b, loc, isLess(b, loc, x, value), tied);
  };

  SmallVector<Value> indices;
  Value value, index;
  for (int64_t j = 0, k = op.getK(); j != k; ++j) {
    Value largest;
    if (j == 0) {
      largest = l.max(input, valueType, last);
    } else {
      largest = l.reduce(
          valueType, {input, value, index}, {all, perRow, perRow}, last,
          getLowest(l.b, element),
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value lowest =
                arith::ConstantOp::create(b, loc, getLowest(b, element));
            Value isNext = comesAfter(b, loc, args[0], args[1], args[2]);
            Value x = arith::SelectOp::create(b, loc, isNext, args[0], lowest);
            if (isa<FloatType>(element))
              return arith::MaximumFOp::create(b, loc, args[3], x);
            return arith::MaxSIOp::create(b, loc, args[3], x);
          });
    }
    SmallVector<Value> inputs = {input, largest};
    SmallVector<AffineMap> maps = {all, perRow};
    if (j != 0) {
      inputs.append({value, index});
      maps.append({perRow, perRow});
    }
    index = l.reduce(
        indexType, inputs, maps, last, none,
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value hit = isEqual(b, loc, args[0], args[1]);
          if (j != 0)
            hit = arith::AndIOp::create(
                b, loc, hit, comesAfter(b, loc, args[0], args[2], args[3]));
          Value candidate =
              arith::SelectOp::create(b, loc, hit, getNumber(b, loc),
                                      arith::ConstantOp::create(b, loc, none));
          return arith::MinSIOp::create(b, loc, args.back(), candidate);
        });
    value = largest;
    indices.push_back(index);
  }
  SmallVector<AffineMap> maps(indices.size(), perRow);
  return l.map(type, indices, maps,
               [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                 Value place = linalg::IndexOp::create(b, loc, last);
                 Value result = args.back();
                 for (int64_t j = args.size() - 2; j >= 0; --j) {
                   Value here = arith::CmpIOp::create(
                       b, loc, arith::CmpIPredicate::eq, place,
                       arith::ConstantIndexOp::create(b, loc, j));
                   result =
                       arith::SelectOp::create(b, loc, here, args[j], result);
                 }
                 return result;
               });
}

std::optional<Value> accrue::lowerIndexing(Lowering &l, Operation *op) {
  using Result = std::optional<Value>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](nn::GatherOp op) -> Result { return gather(l, op); })
      .Case([&](nn::TakeAlongOp op) -> Result { return takeAlong(l, op); })
      .Case([&](nn::ScatterAddOp op) -> Result { return scatterAdd(l, op); })
      .Case([&](nn::ScatterAddAlongOp op) -> Result {
        return scatterAddAlong(l, op);
      })
      .Case([&](nn::TopKOp op) -> Result { return topK(l, op); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}
