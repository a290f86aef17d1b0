//===- Lowerings.cpp - nn ops as structured ops ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace accrue;

AffineMap Lowering::mapWithout(int64_t rank, ArrayRef<int64_t> dropped) {
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i != rank; ++i)
    if (!llvm::is_contained(dropped, i))
      exprs.push_back(b.getAffineDimExpr(i));
  return AffineMap::get(rank, 0, exprs, context);
}

Value Lowering::map(RankedTensorType type, ValueRange inputs,
                    ArrayRef<AffineMap> maps, ScalarBody body) {
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

Value Lowering::map(RankedTensorType type, ValueRange inputs, ScalarBody body) {
  SmallVector<AffineMap> maps(inputs.size(), identity(type.getRank()));
  return map(type, inputs, maps, body);
}

Value Lowering::reduce(RankedTensorType type, ValueRange inputs,
                       ArrayRef<AffineMap> maps, ArrayRef<int64_t> dims,
                       TypedAttr init, ScalarBody body) {
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

Location accrue::as(StringRef name, Location loc) {
  return NameLoc::get(StringAttr::get(loc.getContext(), name), loc);
}

double accrue::getExtent(RankedTensorType type, ArrayRef<int64_t> dims) {
  double extent = 1;
  for (int64_t dim : dims)
    extent *= type.getDimSize(dim);
  return extent;
}

Value accrue::createFloat(OpBuilder &b, Location loc, Type type, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

Value accrue::createNumber(OpBuilder &b, Location loc, Type type,
                           double value) {
  if (isa<FloatType>(type))
    return createFloat(b, loc, type, value);
  return arith::ConstantOp::create(
      b, loc,
      b.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(),
                                   static_cast<int64_t>(value),
                                   /*isSigned=*/true, /*implicitTrunc=*/true)));
}

Value accrue::createNaN(OpBuilder &b, Location loc, Type type) {
  return arith::ConstantOp::create(
      b, loc,
      b.getFloatAttr(
          type, APFloat::getNaN(cast<FloatType>(type).getFloatSemantics())));
}

Value accrue::lowerToLinalg(OpBuilder &builder, Operation *op) {
  Lowering lowering(builder, op->getLoc());
  for (auto lower : {lowerElementwise, lowerShape, lowerIndexing,
                     lowerReduction, lowerWindow, lowerLoss, lowerRandom})
    if (std::optional<Value> value = lower(lowering, op))
      return *value;
  op->emitError("expected an op with a lowering to linalg, got '")
      << op->getName() << "'";
  return nullptr;
}
