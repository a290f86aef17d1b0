//===- Lowerings.cpp - nn ops as structured ops ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "../FormKernels/KernelFormer.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace accrue;

namespace {
using ScalarBody = function_ref<Value(OpBuilder &, Location, ValueRange)>;

/// Structured ops at one place, with scalar bodies written as lambdas.
struct Lowering {
  OpBuilder &b;
  Location loc;
  MLIRContext *context;

  Lowering(OpBuilder &builder, Location loc)
      : b(builder), loc(loc), context(builder.getContext()) {}

  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }

  /// The identity on `rank` dimensions without the dimensions `dropped`.
  AffineMap mapWithout(int64_t rank, ArrayRef<int64_t> dropped) {
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i != rank; ++i)
      if (!llvm::is_contained(dropped, i))
        exprs.push_back(b.getAffineDimExpr(i));
    return AffineMap::get(rank, 0, exprs, context);
  }
  AffineMap identity(int64_t rank) { return mapWithout(rank, {}); }

  /// A tensor of `type` from elements of `inputs` at `maps`, independently.
  Value map(RankedTensorType type, ValueRange inputs, ArrayRef<AffineMap> maps,
            ScalarBody body) {
    SmallVector<AffineMap> all(maps);
    all.push_back(identity(type.getRank()));
    Value empty =
        tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    auto op = linalg::GenericOp::create(
        b, loc, TypeRange{type}, inputs, ValueRange{empty}, all, iterators,
        [&](OpBuilder &builder, Location loc, ValueRange args) {
          linalg::YieldOp::create(builder, loc,
                                  body(builder, loc, args.drop_back()));
        });
    return op.getResult(0);
  }
  /// The same with all inputs read at the place of the result.
  Value map(RankedTensorType type, ValueRange inputs, ScalarBody body) {
    SmallVector<AffineMap> maps(inputs.size(), identity(type.getRank()));
    return map(type, inputs, maps, body);
  }

  /// Reduces `dims` of the space of `inputs[0]`. `body` maps elements of the
  /// inputs and the value so far (last) to the new value.
  Value reduce(RankedTensorType type, ValueRange inputs,
               ArrayRef<AffineMap> maps, ArrayRef<int64_t> dims, TypedAttr init,
               ScalarBody body) {
    int64_t rank = typeOf(inputs[0]).getRank();
    Value empty =
        tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    Value start = arith::ConstantOp::create(b, loc, init);
    Value filled = linalg::FillOp::create(b, loc, start, empty).getResult(0);
    SmallVector<AffineMap> all(maps);
    all.push_back(mapWithout(rank, dims));
    SmallVector<utils::IteratorType> iterators;
    for (int64_t i = 0; i != rank; ++i)
      iterators.push_back(llvm::is_contained(dims, i)
                              ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
    auto op = linalg::GenericOp::create(
        b, loc, TypeRange{type}, inputs, ValueRange{filled}, all, iterators,
        [&](OpBuilder &builder, Location loc, ValueRange args) {
          linalg::YieldOp::create(builder, loc, body(builder, loc, args));
        });
    return op.getResult(0);
  }

  Value elementwise(ElementwiseOpInterface op);
  Value constant(nn::ConstantOp op);
  Value repeat(Value input, RankedTensorType type, ArrayRef<int64_t> dims,
               double divisor);
  Value transpose(nn::TransposeOp op);
  Value sum(Value input, RankedTensorType type, ArrayRef<int64_t> dims,
            double divisor);
  Value max(Value input, RankedTensorType type, ArrayRef<int64_t> dims);
  Value argmax(nn::ArgmaxOp op);
  Value crossEntropy(nn::CrossEntropyOp op);
  Value crossEntropyGrad(nn::CrossEntropyGradOp op);
  Value expSum(Value logits, Value max);
};
} // namespace

/// The place of an op whose result is called `name`, in emitted code too.
static Location as(StringRef name, Location loc) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

static Value createFloat(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

//===----------------------------------------------------------------------===//
// Elementwise ops and shapes
//===----------------------------------------------------------------------===//

Value Lowering::elementwise(ElementwiseOpInterface op) {
  return map(typeOf(op->getResult(0)), op->getOperands(),
             [&](OpBuilder &builder, Location loc, ValueRange args) {
               return op.buildScalarBody(builder, loc, args);
             });
}

Value Lowering::constant(nn::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || !elements.isSplat()) {
    op.emitError("expected a constant with one value, got ") << op.getValue();
    return nullptr;
  }
  return arith::ConstantOp::create(b, loc, elements);
}

Value Lowering::repeat(Value input, RankedTensorType type,
                       ArrayRef<int64_t> dims, double divisor) {
  return map(type, input, mapWithout(type.getRank(), dims),
             [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
               if (divisor == 1)
                 return args[0];
               Value count =
                   createFloat(builder, loc, args[0].getType(), divisor);
               return arith::DivFOp::create(builder, loc, args[0], count);
             });
}

Value Lowering::transpose(nn::TransposeOp op) {
  // Dimension i of the result is dimension permutation[i] of the operand.
  SmallVector<AffineExpr> exprs(op.getPermutation().size());
  for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
    exprs[dim] = b.getAffineDimExpr(i);
  AffineMap source = AffineMap::get(exprs.size(), 0, exprs, context);
  return map(typeOf(op.getResult()), op.getInput(), source,
             [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Value Lowering::sum(Value input, RankedTensorType type, ArrayRef<int64_t> dims,
                    double divisor) {
  auto element = cast<FloatType>(type.getElementType());
  // Half precision accumulates in f32.
  bool isHalf = element.getWidth() < 32;
  Type wide = isHalf ? Type(b.getF32Type()) : element;
  auto wideType = RankedTensorType::get(type.getShape(), wide);
  Value total =
      reduce(wideType, input, identity(typeOf(input).getRank()), dims,
             b.getFloatAttr(wide, 0),
             [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
               Value x = args[0];
               if (isHalf)
                 x = arith::ExtFOp::create(builder, loc, wide, x);
               return arith::AddFOp::create(builder, loc, args[1], x);
             });
  if (divisor == 1 && !isHalf)
    return total;
  return map(type, total,
             [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
               Value x = args[0];
               if (divisor != 1)
                 x = arith::DivFOp::create(
                     builder, loc, x, createFloat(builder, loc, wide, divisor));
               if (isHalf)
                 x = arith::TruncFOp::create(builder, loc, element, x);
               return x;
             });
}

Value Lowering::max(Value input, RankedTensorType type,
                    ArrayRef<int64_t> dims) {
  Type element = type.getElementType();
  TypedAttr lowest;
  if (auto floatType = dyn_cast<FloatType>(element))
    lowest = b.getFloatAttr(
        element, APFloat::getInf(floatType.getFloatSemantics(), true));
  else
    lowest = b.getIntegerAttr(
        element, APInt::getSignedMinValue(element.getIntOrFloatBitWidth()));
  return reduce(
      type, input, identity(typeOf(input).getRank()), dims, lowest,
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        if (isa<FloatType>(element))
          return arith::MaximumFOp::create(builder, loc, args[1], args[0]);
        return arith::MaxSIOp::create(builder, loc, args[1], args[0]);
      });
}

/// The lowest index of an element that is the maximum, or NaN.
Value Lowering::argmax(nn::ArgmaxOp op) {
  Value input = op.getInput();
  int64_t rank = typeOf(input).getRank();
  int64_t dim = op.getDim();
  RankedTensorType type = typeOf(op.getResult());
  Value largest = max(
      input,
      RankedTensorType::get(type.getShape(), typeOf(input).getElementType()),
      dim);
  return reduce(
      type, {input, largest}, {identity(rank), mapWithout(rank, dim)}, dim,
      b.getI32IntegerAttr(std::numeric_limits<int32_t>::max()),
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

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

/// sum_j exp(x_j - max) of every row.
Value Lowering::expSum(Value logits, Value max) {
  int64_t rank = typeOf(logits).getRank();
  return reduce(
      typeOf(max), {logits, max}, {identity(rank), mapWithout(rank, rank - 1)},
      {rank - 1}, b.getFloatAttr(typeOf(max).getElementType(), 0),
      [](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        Value shifted = arith::SubFOp::create(builder, loc, args[0], args[1]);
        Value exp = math::ExpOp::create(builder, loc, shifted);
        return arith::AddFOp::create(builder, loc, args[2], exp);
      });
}

/// Whether `label` is one of `classes`: unsigned, so that negative ones fail.
static Value isClass(OpBuilder &b, Location loc, Value label, int64_t classes) {
  Value count = arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(label.getType(), classes));
  return arith::CmpIOp::create(b, as("is_class", loc),
                               arith::CmpIPredicate::ult, label, count);
}

static Value createNaN(OpBuilder &b, Location loc, Type type) {
  return arith::ConstantOp::create(
      b, loc,
      b.getFloatAttr(
          type, APFloat::getNaN(cast<FloatType>(type).getFloatSemantics())));
}

/// log(sum_j exp(x_j - max)) + max - x_label; NaN, which the finite check
/// reports, where the label is no class.
Value Lowering::crossEntropy(nn::CrossEntropyOp op) {
  Value logits = op.getLogits();
  RankedTensorType type = typeOf(op.getResult());
  int64_t rank = typeOf(logits).getRank();
  int64_t classes = typeOf(logits).getDimSize(rank - 1);
  Value largest = max(logits, type, {rank - 1});
  Value sum = expSum(logits, largest);
  return map(
      type, {largest, sum, op.getLabel()},
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        Value valid = isClass(builder, loc, args[2], classes);
        Value zero = arith::ConstantOp::create(
            builder, loc, builder.getZeroAttr(args[2].getType()));
        Value safe =
            arith::SelectOp::create(builder, loc, valid, args[2], zero);
        SmallVector<Value> indices;
        for (int64_t i = 0; i != rank - 1; ++i)
          indices.push_back(linalg::IndexOp::create(builder, loc, i));
        indices.push_back(arith::IndexCastOp::create(
            builder, as("safe_label", loc), builder.getIndexType(), safe));
        Value picked = tensor::ExtractOp::create(builder, loc, logits, indices);
        Value log = math::LogOp::create(builder, loc, args[1]);
        Value total = arith::AddFOp::create(builder, as("log_sum_exp", loc),
                                            log, args[0]);
        Value loss = arith::SubFOp::create(builder, loc, total, picked);
        Value nan = createNaN(builder, loc, loss.getType());
        return arith::SelectOp::create(builder, loc, valid, loss, nan);
      });
}

/// (exp(x_j - max) / sum - [j == label]) * cotangent.
Value Lowering::crossEntropyGrad(nn::CrossEntropyGradOp op) {
  Value logits = op.getLogits();
  RankedTensorType type = typeOf(op.getResult());
  int64_t rank = type.getRank();
  int64_t classes = type.getDimSize(rank - 1);
  auto rowType =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  Value largest = max(logits, rowType, {rank - 1});
  Value sum = expSum(logits, largest);
  Value scale =
      map(rowType, sum,
          [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
            Value one = createFloat(builder, loc, args[0].getType(), 1);
            return arith::DivFOp::create(builder, as("inverse_sum", loc), one,
                                         args[0]);
          });
  Value cotangent =
      map(rowType, {op.getCotangent(), op.getLabel()},
          [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
            Value valid = isClass(builder, loc, args[1], classes);
            Value nan = createNaN(builder, loc, args[0].getType());
            return arith::SelectOp::create(builder, as("weight", loc), valid,
                                           args[0], nan);
          });
  AffineMap rows = mapWithout(rank, rank - 1);
  return map(
      type, {logits, largest, scale, cotangent, op.getLabel()},
      {identity(rank), rows, rows, rows, rows},
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        Value shifted = arith::SubFOp::create(builder, loc, args[0], args[1]);
        Value exp = math::ExpOp::create(builder, loc, shifted);
        Value softmax =
            arith::MulFOp::create(builder, as("softmax", loc), exp, args[2]);
        Value index = linalg::IndexOp::create(builder, loc, rank - 1);
        Value column =
            arith::IndexCastOp::create(builder, loc, args[4].getType(), index);
        Value hit = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, column, args[4]);
        Value one = createFloat(builder, loc, softmax.getType(), 1);
        Value less = arith::SubFOp::create(builder, loc, softmax, one);
        Value difference =
            arith::SelectOp::create(builder, loc, hit, less, softmax);
        return arith::MulFOp::create(builder, loc, difference, args[3]);
      });
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

static double getExtent(RankedTensorType type, ArrayRef<int64_t> dims) {
  double extent = 1;
  for (int64_t dim : dims)
    extent *= type.getDimSize(dim);
  return extent;
}

Value accrue::lowerToLinalg(OpBuilder &builder, Operation *op) {
  Lowering lowering(builder, op->getLoc());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto elementwise = dyn_cast<ElementwiseOpInterface>(op))
    return lowering.elementwise(elementwise);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](nn::ConstantOp op) { return lowering.constant(op); })
      .Case([&](nn::BroadcastOp op) {
        return lowering.repeat(op.getInput(), type, op.getDims(), 1);
      })
      .Case([&](nn::DistributeOp op) {
        return lowering.repeat(op.getInput(), type, op.getDims(),
                               getExtent(type, op.getDims()));
      })
      .Case([&](nn::ReshapeOp op) {
        return createReshape(builder, op.getLoc(), op.getInput(), type);
      })
      .Case([&](nn::TransposeOp op) { return lowering.transpose(op); })
      .Case([&](nn::SumOp op) {
        return lowering.sum(op.getInput(), type, op.getDims(), 1);
      })
      .Case([&](nn::MeanOp op) {
        return lowering.sum(
            op.getInput(), type, op.getDims(),
            getExtent(Lowering::typeOf(op.getInput()), op.getDims()));
      })
      .Case([&](nn::ArgmaxOp op) { return lowering.argmax(op); })
      .Case([&](nn::CrossEntropyOp op) { return lowering.crossEntropy(op); })
      .Case([&](nn::CrossEntropyGradOp op) {
        return lowering.crossEntropyGrad(op);
      })
      .Default([](Operation *op) -> Value {
        op->emitError("expected an op with a lowering to linalg, got '")
            << op->getName() << "'";
        return nullptr;
      });
}
