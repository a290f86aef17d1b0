//===- TensorBuilder.cpp - Ops of the nn dialect --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes are computed on extents; result types are what the ops infer.
//
//===----------------------------------------------------------------------===//

#include "TensorBuilder.h"

using namespace mlir;

namespace accrue::frontend {

std::optional<SmallVector<nn::Extent>>
broadcastShapes(ArrayRef<nn::Extent> lhs, ArrayRef<nn::Extent> rhs) {
  if (lhs.size() < rhs.size())
    std::swap(lhs, rhs);
  SmallVector<nn::Extent> result(lhs);
  size_t added = lhs.size() - rhs.size();
  for (auto [dim, extent] : llvm::enumerate(rhs)) {
    nn::Extent &other = result[added + dim];
    if (other == nn::Extent(1))
      other = extent;
    else if (other != extent && extent != nn::Extent(1))
      return std::nullopt;
  }
  return result;
}

Value TensorBuilder::createConstant(Location loc, double value,
                                    Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  Attribute element = isa<FloatType>(elementType)
                          ? Attribute(builder.getFloatAttr(elementType, value))
                          : Attribute(builder.getIntegerAttr(
                                elementType, static_cast<int64_t>(value)));
  return create<nn::ConstantOp>(
      loc, type, cast<ElementsAttr>(DenseElementsAttr::get(type, element)));
}

Value TensorBuilder::createExtent(Location loc, const nn::Extent &extent,
                                  Type elementType) {
  // The op states whole extents, so a denominator is divided by.
  bool inverse = extent.getPower() < 0;
  int64_t top = inverse ? extent.getDen() : extent.getNum();
  int64_t bottom = inverse ? extent.getNum() : extent.getDen();
  nn::Extent whole(top, 1, std::abs(extent.getPower()));
  Value value =
      create<nn::ExtentOp>(loc, RankedTensorType::get({}, elementType),
                           nn::ExtentsAttr::get(builder.getContext(), {whole}));
  if (!inverse && bottom == 1)
    return value;
  Value other = createConstant(loc, bottom, elementType);
  return inverse ? create<nn::DivOp>(loc, other, value)
                 : create<nn::DivOp>(loc, value, other);
}

Value TensorBuilder::createReshape(Location loc, Value input,
                                   ArrayRef<nn::Extent> extents) {
  RankedTensorType type =
      nn::getTensorType(extents, getTensorType(input).getElementType());
  if (type == input.getType())
    return input;
  return create<nn::ReshapeOp>(loc, type, input);
}

Value TensorBuilder::createBroadcast(Location loc, Value input,
                                     ArrayRef<nn::Extent> extents) {
  SmallVector<nn::Extent> own = nn::getExtents(getTensorType(input));
  size_t added = extents.size() - own.size();
  // A dimension of extent 1 that is stretched is dropped and then new.
  SmallVector<int64_t> dims;
  SmallVector<nn::Extent> kept;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (dim < added || own[dim - added] != extent)
      dims.push_back(dim);
    else
      kept.push_back(extent);
  }
  if (dims.empty())
    return input;
  Value dropped = createReshape(loc, input, kept);
  RankedTensorType type =
      nn::getTensorType(extents, getTensorType(input).getElementType());
  return create<nn::BroadcastOp>(loc, type, dropped, dims);
}

Value TensorBuilder::createConvert(Location loc, Value input,
                                   Type elementType) {
  RankedTensorType type = getTensorType(input);
  if (type.getElementType() == elementType)
    return input;
  return create<nn::ConvertOp>(loc, nn::withElementType(type, elementType),
                               input);
}

Value TensorBuilder::createTranspose(Location loc, Value input) {
  auto permutation = llvm::to_vector(
      llvm::reverse(llvm::seq<int64_t>(0, getTensorType(input).getRank())));
  return create<nn::TransposeOp>(loc, input, permutation);
}

Value TensorBuilder::createMatrixTranspose(Location loc, Value input) {
  int64_t rank = getTensorType(input).getRank();
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  return create<nn::TransposeOp>(loc, input, permutation);
}

Value TensorBuilder::createSlice(Location loc, Value input, int64_t dim,
                                 int64_t start, int64_t stop, int64_t step) {
  RankedTensorType type = getTensorType(input);
  if (start == 0 && stop == type.getDimSize(dim) && step == 1)
    return input;
  return create<nn::SliceOp>(loc, input, dim, start, stop, step);
}

Value TensorBuilder::createMatmul(Location loc, Value lhs, Value rhs,
                                  bool transposeLhs, bool transposeRhs) {
  if (getTensorType(rhs).getRank() > 2 ||
      (transposeLhs && getTensorType(lhs).getRank() > 2))
    return createBatchedMatmul(loc, lhs, rhs, transposeLhs, transposeRhs);
  SmallVector<nn::Extent> left = nn::getExtents(getTensorType(lhs));
  SmallVector<nn::Extent> right = nn::getExtents(getTensorType(rhs));
  if (transposeLhs)
    std::swap(left[0], left[1]);
  if (transposeRhs)
    std::swap(right[0], right[1]);

  // The result keeps what stands before the summed dimension, and after it.
  ArrayRef<nn::Extent> rows = ArrayRef(left).drop_back();
  SmallVector<nn::Extent> result(rows);
  llvm::append_range(result, ArrayRef(right).drop_front());

  if (left.size() != 2)
    lhs = createReshape(loc, lhs, {nn::getProduct(rows), left.back()});
  if (right.size() != 2)
    rhs = createReshape(loc, rhs, {right.front(), 1});
  Value product =
      create<nn::MatmulOp>(loc, lhs, rhs, transposeLhs, transposeRhs);
  return createReshape(loc, product, result);
}

Value TensorBuilder::createBatchedMatmul(Location loc, Value lhs, Value rhs,
                                         bool transposeLhs, bool transposeRhs) {
  SmallVector<nn::Extent> left = nn::getExtents(getTensorType(lhs));
  SmallVector<nn::Extent> right = nn::getExtents(getTensorType(rhs));
  bool isRow = left.size() == 1, isColumn = right.size() == 1;
  if (isRow)
    left.insert(left.begin(), 1);
  if (isColumn)
    right.push_back(1);
  SmallVector<nn::Extent> leading = *broadcastShapes(
      ArrayRef(left).drop_back(2), ArrayRef(right).drop_back(2));
  auto spread = [&](Value operand, ArrayRef<nn::Extent> extents) {
    SmallVector<nn::Extent> shape(leading);
    llvm::append_range(shape, extents.take_back(2));
    return createBroadcast(loc, createReshape(loc, operand, extents), shape);
  };
  lhs = spread(lhs, left);
  rhs = spread(rhs, right);
  Value product =
      create<nn::MatmulOp>(loc, lhs, rhs, transposeLhs, transposeRhs);
  SmallVector<nn::Extent> result = nn::getExtents(getTensorType(product));
  if (isColumn)
    result.pop_back();
  if (isRow)
    result.erase(result.end() - (isColumn ? 1 : 2));
  return createReshape(loc, product, result);
}

Value TensorBuilder::createPower(Location loc, Value base, int64_t exponent) {
  if (exponent == 1)
    return base;
  Value half = createPower(loc, base, exponent / 2);
  bool isFloat = isa<FloatType>(getTensorType(base).getElementType());
  Value even = isFloat ? create<nn::SquareOp>(loc, half)
                       : create<nn::MulOp>(loc, half, half);
  return exponent % 2 == 0 ? even : create<nn::MulOp>(loc, even, base);
}

} // namespace accrue::frontend
