//===- Elementwise.cpp - Elementwise ops and constants --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace accrue;

static Value elementwise(Lowering &l, ElementwiseOpInterface op) {
  return l.map(Lowering::typeOf(op->getResult(0)), op->getOperands(),
               [&](OpBuilder &builder, Location loc, ValueRange args) {
                 return op.buildScalarBody(builder, loc, args);
               });
}

static Value constant(Lowering &l, nn::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || !elements.isSplat()) {
    op.emitError("expected a constant with one value, got ") << op.getValue();
    return nullptr;
  }
  return arith::ConstantOp::create(l.b, l.loc, elements);
}

static Value iota(Lowering &l, nn::IotaOp op) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  return l.map(type, {}, ArrayRef<AffineMap>{},
               [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
                 Type element = type.getElementType();
                 bool isFloat = isa<FloatType>(element);
                 Type integer = isFloat ? builder.getI64Type() : element;
                 Value index = linalg::IndexOp::create(
                     builder, loc, op.getDimAttr().getInt());
                 Value number =
                     arith::IndexCastOp::create(builder, loc, integer, index);
                 if (!isFloat)
                   return number;
                 return arith::SIToFPOp::create(builder, loc, element, number);
               });
}

std::optional<Value> accrue::lowerElementwise(Lowering &l, Operation *op) {
  if (auto elementwiseOp = dyn_cast<ElementwiseOpInterface>(op))
    return elementwise(l, elementwiseOp);
  if (auto constantOp = dyn_cast<nn::ConstantOp>(op))
    return constant(l, constantOp);
  if (auto iotaOp = dyn_cast<nn::IotaOp>(op))
    return iota(l, iotaOp);
  return std::nullopt;
}
