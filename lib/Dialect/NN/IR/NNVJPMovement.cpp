//===- NNVJPMovement.cpp - Derivatives of slices and the like -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/IR/Builders.h"
#include <numeric>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

static int64_t getExtent(Value value, int64_t dim) {
  return cast<RankedTensorType>(value.getType()).getDimSize(dim);
}

LogicalResult SliceOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                                ArrayRef<bool> wanted,
                                SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  int64_t dim = getDim(), start = getStart(), step = getStep();
  int64_t extent = getExtent(getInput(), dim);
  int64_t count = getExtent(getResult(), dim);
  int64_t end = count == 0 ? start : start + (count - 1) * step + 1;
  operandCotangents[0] = PadOp::create(builder, getLoc(), getInput().getType(),
                                       resultCotangents[0], dim, /*low=*/start,
                                       /*high=*/extent - end,
                                       /*interior=*/count > 1 ? step - 1 : 0,
                                       builder.getF64FloatAttr(0).getValue());
  return success();
}

LogicalResult PadOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                              ArrayRef<bool> wanted,
                              SmallVectorImpl<Value> &operandCotangents) {
  if (!wanted[0])
    return success();
  int64_t low = getLow(), step = static_cast<int64_t>(getInterior()) + 1;
  int64_t count = getExtent(getInput(), getDim());
  int64_t end = count == 0 ? low : low + (count - 1) * step + 1;
  operandCotangents[0] = SliceOp::create(
      builder, getLoc(), getInput().getType(), resultCotangents[0], getDim(),
      /*start=*/low, /*stop=*/end, count > 1 ? step : 1);
  return success();
}

/// Extents of the operands as multiples of a common one. Slices count such
/// units, since they cannot count samples.
static Extent getUnit(ArrayRef<Extent> extents) {
  int64_t num = 0, den = 1, power = 0;
  for (const Extent &extent : extents)
    den = std::lcm(den, extent.getDen());
  for (const Extent &extent : extents) {
    num = std::gcd(num, extent.getNum() * (den / extent.getDen()));
    power = std::max(power, extent.getPower());
  }
  // Static extents are counted in elements.
  return power == 0 ? Extent(1) : Extent(std::max<int64_t>(num, 1), den, power);
}

LogicalResult ConcatOp::buildVJP(OpBuilder &builder,
                                 ValueRange resultCotangents,
                                 ArrayRef<bool> wanted,
                                 SmallVectorImpl<Value> &operandCotangents) {
  int64_t dim = getDim();
  SmallVector<Extent> alongDim;
  for (Value operand : getInputs())
    alongDim.push_back(
        getExtents(cast<RankedTensorType>(operand.getType()))[dim]);
  Extent unit = getUnit(alongDim);

  Value cotangent = resultCotangents[0];
  auto type = cast<RankedTensorType>(cotangent.getType());
  if (!unit.isStatic()) {
    // [.., units, unit, ..]
    SmallVector<Extent> extents = getExtents(type);
    extents.insert(extents.begin() + dim, extents[dim] / unit);
    extents[dim + 1] = unit;
    cotangent = ReshapeOp::create(builder, getLoc(),
                                  getTensorType(extents, type.getElementType()),
                                  cotangent);
  }
  int64_t start = 0;
  for (auto [i, operand] : llvm::enumerate(getInputs())) {
    int64_t stop = start + (alongDim[i] / unit).getNum();
    if (wanted[i]) {
      Value part = SliceOp::create(builder, getLoc(), cotangent, dim, start,
                                   stop, /*step=*/1);
      if (part.getType() != operand.getType())
        part = ReshapeOp::create(builder, getLoc(), operand.getType(), part);
      operandCotangents[i] = part;
    }
    start = stop;
  }
  return success();
}

LogicalResult FlipOp::buildVJP(OpBuilder &builder, ValueRange resultCotangents,
                               ArrayRef<bool> wanted,
                               SmallVectorImpl<Value> &operandCotangents) {
  if (wanted[0])
    operandCotangents[0] =
        FlipOp::create(builder, getLoc(), resultCotangents[0], getDims());
  return success();
}
