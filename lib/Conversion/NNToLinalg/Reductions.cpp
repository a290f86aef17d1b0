//===- Reductions.cpp - Reductions ----------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <limits>

using namespace mlir;
using namespace accrue;

static Value sum(Lowering &l, Value input, RankedTensorType type,
                 ArrayRef<int64_t> dims, double divisor) {
  auto element = cast<FloatType>(type.getElementType());
  // Half precision accumulates in f32.
  bool isHalf = element.getWidth() < 32;
  Type wide = isHalf ? Type(l.b.getF32Type()) : element;
  auto wideType = RankedTensorType::get(type.getShape(), wide);
  Value total =
      l.reduce(wideType, input, l.identity(Lowering::typeOf(input).getRank()),
               dims, l.b.getFloatAttr(wide, 0),
               [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                 Value x = args[0];
                 if (isHalf)
                   x = arith::ExtFOp::create(builder, loc, wide, x);
                 return arith::AddFOp::create(builder, loc, args[1], x);
               });
  if (divisor == 1 && !isHalf)
    return total;
  return l.map(type, total,
               [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                 Value x = args[0];
                 if (divisor != 1)
                   x = arith::DivFOp::create(
                       builder, loc, x,
                       createFloat(builder, loc, wide, divisor));
                 if (isHalf)
                   x = arith::TruncFOp::create(builder, loc, element, x);
                 return x;
               });
}

/// The lowest index of an element that is the maximum, or NaN.
static Value argmax(Lowering &l, nn::ArgmaxOp op) {
  Value input = op.getInput();
  int64_t rank = Lowering::typeOf(input).getRank();
  int64_t dim = op.getDim();
  RankedTensorType type = Lowering::typeOf(op.getResult());
  Value largest =
      l.max(input,
            RankedTensorType::get(type.getShape(),
                                  Lowering::typeOf(input).getElementType()),
            dim);
  return l.reduce(
      type, {input, largest}, {l.identity(rank), l.mapWithout(rank, dim)}, dim,
      l.b.getI32IntegerAttr(std::numeric_limits<int32_t>::max()),
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        Value hit;
        if (isa<FloatType>(args[0].getType())) {
          Value equal = arith::CmpFOp::create(
              builder, loc, arith::CmpFPredicate::OEQ, args[0], args[1]);
          Value nan = arith::CmpFOp::create(
              builder, loc, arith::CmpFPredicate::UNO, args[0], args[0]);
          hit = arith::OrIOp::create(builder, loc, equal, nan);
        } else {
          hit = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      args[0], args[1]);
        }
        Value index = linalg::IndexOp::create(builder, loc, dim);
        Value number = arith::IndexCastOp::create(builder, loc,
                                                  builder.getI32Type(), index);
        Value none = arith::ConstantOp::create(
            builder, loc,
            builder.getI32IntegerAttr(std::numeric_limits<int32_t>::max()));
        Value candidate =
            arith::SelectOp::create(builder, loc, hit, number, none);
        return arith::MinSIOp::create(builder, loc, args[2], candidate);
      });
}

TypedAttr accrue::getLowest(Builder &b, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return b.getFloatAttr(type,
                          APFloat::getInf(floatType.getFloatSemantics(), true));
  return b.getIntegerAttr(
      type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth()));
}

Value Lowering::max(Value input, RankedTensorType type,
                    ArrayRef<int64_t> dims) {
  Type element = type.getElementType();
  return reduce(
      type, input, identity(typeOf(input).getRank()), dims,
      getLowest(b, element),
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        if (isa<FloatType>(element))
          return arith::MaximumFOp::create(builder, loc, args[1], args[0]);
        return arith::MaxSIOp::create(builder, loc, args[1], args[0]);
      });
}

Value Lowering::min(Value input, RankedTensorType type,
                    ArrayRef<int64_t> dims) {
  Type element = type.getElementType();
  TypedAttr highest;
  if (auto floatType = dyn_cast<FloatType>(element))
    highest =
        b.getFloatAttr(element, APFloat::getInf(floatType.getFloatSemantics()));
  else
    highest = b.getIntegerAttr(
        element, APInt::getSignedMaxValue(element.getIntOrFloatBitWidth()));
  return reduce(
      type, input, identity(typeOf(input).getRank()), dims, highest,
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        if (isa<FloatType>(element))
          return arith::MinimumFOp::create(builder, loc, args[1], args[0]);
        return arith::MinSIOp::create(builder, loc, args[1], args[0]);
      });
}

/// Every element is a sum over its line, of the elements up to it. Half
/// precision accumulates in f32.
static Value cumsum(Lowering &l, nn::CumsumOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  int64_t rank = type.getRank(), dim = op.getDimAttr().getInt();
  auto element = cast<FloatType>(type.getElementType());
  bool isHalf = element.getWidth() < 32;
  Type wide = isHalf ? Type(l.b.getF32Type()) : element;
  auto wideType = RankedTensorType::get(type.getShape(), wide);

  // Dimension `rank` runs along the line of the operand.
  SmallVector<AffineExpr> source;
  for (int64_t i = 0; i != rank; ++i)
    source.push_back(l.b.getAffineDimExpr(i == dim ? rank : i));
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank + 1, 0, source, l.context),
      AffineMap::getMultiDimIdentityMap(rank + 1, l.context).dropResult(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  Value empty = tensor::EmptyOp::create(l.b, l.loc, wideType.getShape(), wide);
  Value zero = createFloat(l.b, l.loc, wide, 0);
  Value filled = linalg::FillOp::create(l.b, l.loc, zero, empty).getResult(0);
  auto sums = linalg::GenericOp::create(
      l.b, l.loc, TypeRange{wideType}, ValueRange{op.getInput()},
      ValueRange{filled}, maps, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        Value x = args[0];
        if (isHalf)
          x = arith::ExtFOp::create(builder, loc, wide, x);
        Value here = linalg::IndexOp::create(builder, loc, dim);
        Value other = linalg::IndexOp::create(builder, loc, rank);
        auto predicate = op.getReverse() ? arith::CmpIPredicate::uge
                                         : arith::CmpIPredicate::ule;
        Value counts =
            arith::CmpIOp::create(builder, loc, predicate, other, here);
        Value none = createFloat(builder, loc, wide, 0);
        Value term = arith::SelectOp::create(builder, loc, counts, x, none);
        Value sum = arith::AddFOp::create(builder, loc, args[1], term);
        linalg::YieldOp::create(builder, loc, sum);
      });
  if (!isHalf)
    return sums.getResult(0);
  return l.map(type, sums.getResult(0),
               [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                 return arith::TruncFOp::create(builder, loc, element, args[0]);
               });
}

std::optional<Value> accrue::lowerReduction(Lowering &l, Operation *op) {
  using Result = std::optional<Value>;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](nn::SumOp op) -> Result {
        return sum(l, op.getInput(), type, op.getDims(), 1);
      })
      .Case([&](nn::MeanOp op) -> Result {
        return sum(l, op.getInput(), type, op.getDims(),
                   getExtent(Lowering::typeOf(op.getInput()), op.getDims()));
      })
      .Case([&](nn::ReduceMaxOp op) -> Result {
        return l.max(op.getInput(), type, op.getDims());
      })
      .Case([&](nn::ReduceMinOp op) -> Result {
        return l.min(op.getInput(), type, op.getDims());
      })
      .Case([&](nn::CumsumOp op) -> Result { return cumsum(l, op); })
      .Case([&](nn::ArgmaxOp op) -> Result { return argmax(l, op); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}
