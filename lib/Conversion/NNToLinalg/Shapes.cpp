//===- Shapes.cpp - Repetitions and movements -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FormKernels/KernelFormer.h"
#include "Lowerings.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;

static Value repeat(Lowering &l, Value input, RankedTensorType type,
                    ArrayRef<int64_t> dims, double divisor) {
  return l.map(type, input, l.mapWithout(type.getRank(), dims),
               [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                 if (divisor == 1)
                   return args[0];
                 Value count =
                     createFloat(builder, loc, args[0].getType(), divisor);
                 return arith::DivFOp::create(builder, loc, args[0], count);
               });
}

static Value transpose(Lowering &l, nn::TransposeOp op) {
  // Dimension i of the result is dimension permutation[i] of the operand.
  SmallVector<AffineExpr> exprs(op.getPermutation().size());
  for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
    exprs[dim] = l.b.getAffineDimExpr(i);
  AffineMap source = AffineMap::get(exprs.size(), 0, exprs, l.context);
  return l.map(Lowering::typeOf(op.getResult()), op.getInput(), source,
               [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

//===----------------------------------------------------------------------===//
// Elements at computed places
//===----------------------------------------------------------------------===//

/// The place of the current element of a tensor of `rank`.
static SmallVector<Value> getPlace(OpBuilder &b, Location loc, int64_t rank) {
  SmallVector<Value> place;
  for (int64_t i = 0; i != rank; ++i)
    place.push_back(linalg::IndexOp::create(b, loc, i));
  return place;
}

static Value createIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

static Value slice(Lowering &l, nn::SliceOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  return l.map(type, {}, [&](OpBuilder &b, Location loc, ValueRange) -> Value {
    SmallVector<Value> place = getPlace(b, loc, type.getRank());
    Value &index = place[op.getDim()];
    if (op.getStep() != 1)
      index = arith::MulIOp::create(b, loc, index,
                                    createIndex(b, loc, op.getStep()));
    if (op.getStart() != 0)
      index = arith::AddIOp::create(b, loc, index,
                                    createIndex(b, loc, op.getStart()));
    return tensor::ExtractOp::create(b, loc, op.getInput(), place);
  });
}

static Value flip(Lowering &l, nn::FlipOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  return l.map(type, {}, [&](OpBuilder &b, Location loc, ValueRange) -> Value {
    SmallVector<Value> place = getPlace(b, loc, type.getRank());
    for (int64_t dim : op.getDims())
      place[dim] = arith::SubIOp::create(
          b, loc, createIndex(b, loc, type.getDimSize(dim) - 1), place[dim]);
    return tensor::ExtractOp::create(b, loc, op.getInput(), place);
  });
}

/// No index is ever negative, and none is out of range where a condition says
/// that the element is not used: targets compute both sides of a select.
static Value pad(Lowering &l, nn::PadOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  int64_t dim = op.getDim(), low = op.getLow();
  int64_t step = static_cast<int64_t>(op.getInterior()) + 1;
  int64_t count = Lowering::typeOf(op.getInput()).getDimSize(dim);
  return l.map(type, {}, [&](OpBuilder &b, Location loc, ValueRange) -> Value {
    Value padding = createNumber(b, loc, type.getElementType(),
                                 op.getValue().convertToDouble());
    if (Lowering::typeOf(op.getInput()).getNumElements() == 0)
      return padding;
    SmallVector<Value> place = getPlace(b, loc, type.getRank());
    Value index = place[dim];
    Value isInside = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ult, index,
        createIndex(b, loc, low + (count - 1) * step + 1));
    Value start = createIndex(b, loc, low), zero = createIndex(b, loc, 0);
    if (low != 0) {
      Value isAfter = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                            index, start);
      isInside = arith::AndIOp::create(b, loc, isAfter, isInside);
      index = arith::SubIOp::create(b, loc, index, start);
    }
    index = arith::SelectOp::create(b, loc, isInside, index, zero);
    if (step != 1) {
      Value stride = createIndex(b, loc, step);
      Value rest = arith::RemUIOp::create(b, loc, index, stride);
      Value isElement =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest, zero);
      isInside = arith::AndIOp::create(b, loc, isInside, isElement);
      index = arith::DivUIOp::create(b, loc, index, stride);
    }
    place[dim] = index;
    Value element = tensor::ExtractOp::create(b, loc, op.getInput(), place);
    return arith::SelectOp::create(b, loc, isInside, element, padding);
  });
}

static Value concat(Lowering &l, nn::ConcatOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  int64_t dim = op.getDim();
  return l.map(type, {}, [&](OpBuilder &b, Location loc, ValueRange) -> Value {
    SmallVector<Value> place = getPlace(b, loc, type.getRank());
    Value index = place[dim], zero = createIndex(b, loc, 0), result;
    int64_t start = 0;
    for (Value input : op.getInputs()) {
      int64_t extent = Lowering::typeOf(input).getDimSize(dim);
      if (Lowering::typeOf(input).getNumElements() == 0)
        continue;
      // The operands before have taken what is below `start`.
      Value isHere, local = index;
      int64_t stop = start + extent;
      if (stop != type.getDimSize(dim))
        isHere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index,
                                       createIndex(b, loc, stop));
      if (start != 0) {
        Value first = createIndex(b, loc, start);
        Value isAfter = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                              index, first);
        isHere =
            isHere ? arith::AndIOp::create(b, loc, isAfter, isHere) : isAfter;
        local = arith::SubIOp::create(b, loc, index, first);
      }
      place[dim] =
          isHere ? arith::SelectOp::create(b, loc, isHere, local, zero) : local;
      Value element = tensor::ExtractOp::create(b, loc, input, place);
      result = result ? arith::SelectOp::create(b, loc, isHere, element, result)
                      : element;
      start = stop;
    }
    return result ? result : createNumber(b, loc, type.getElementType(), 0);
  });
}

std::optional<Value> accrue::lowerShape(Lowering &l, Operation *op) {
  using Result = std::optional<Value>;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](nn::BroadcastOp op) -> Result {
        return repeat(l, op.getInput(), type, op.getDims(), 1);
      })
      .Case([&](nn::DistributeOp op) -> Result {
        return repeat(l, op.getInput(), type, op.getDims(),
                      getExtent(type, op.getDims()));
      })
      .Case([&](nn::ReshapeOp op) -> Result {
        return createReshape(l.b, op.getLoc(), op.getInput(), type);
      })
      .Case([&](nn::TransposeOp op) -> Result { return transpose(l, op); })
      .Case([&](nn::SliceOp op) -> Result { return slice(l, op); })
      .Case([&](nn::PadOp op) -> Result { return pad(l, op); })
      .Case([&](nn::ConcatOp op) -> Result { return concat(l, op); })
      .Case([&](nn::FlipOp op) -> Result { return flip(l, op); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}
