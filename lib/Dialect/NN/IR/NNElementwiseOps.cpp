//===- NNElementwiseOps.cpp - Constants and elementwise ops ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConvertOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  auto result = cast<RankedTensorType>(getType());
  if (withElementType(input, result.getElementType()) != result)
    return emitOpError("expected a result of shape and encoding of the "
                       "operand ")
           << input << ", got " << result;
  return success();
}

OpFoldResult ConvertOp::fold(FoldAdaptor) {
  return getInput().getType() == getType() ? getInput() : OpFoldResult();
}

OpFoldResult NegOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getInput().getDefiningOp<NegOp>())
    return inner.getInput();
  return constFoldUnaryOp<FloatAttr, APFloat, void>(
      adaptor.getOperands(), [](const APFloat &a) { return -a; });
}

/// True for a constant, or a broadcast of one, with every element `value`.
static bool isSplat(Value operand, double value) {
  if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
    return isSplat(broadcast.getInput(), value);
  DenseElementsAttr elements;
  if (!matchPattern(operand, m_Constant(&elements)) || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().convertToDouble() == value;
  return elements.getSplatValue<APInt>().getSExtValue() == value;
}

/// Folds a binary op on constants, float or integer.
template <typename FloatFn, typename IntFn>
static OpFoldResult foldBinary(Type type, ArrayRef<Attribute> operands,
                               FloatFn onFloats, IntFn onInts) {
  if (isa<FloatType>(getElementTypeOrSelf(type)))
    return constFoldBinaryOp<FloatAttr, APFloat, void>(operands, onFloats);
  return constFoldBinaryOp<IntegerAttr, APInt, void>(operands, onInts);
}

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  // x + 0.0 differs from x in the sign of a zero only, which the order in which
  // micro-batches are summed leaves open as well.
  if (isSplat(getRhs(), 0.0))
    return getLhs();
  if (isSplat(getLhs(), 0.0))
    return getRhs();
  return foldBinary(
      getType(), adaptor.getOperands(),
      [](const APFloat &a, const APFloat &b) { return a + b; },
      [](const APInt &a, const APInt &b) { return a + b; });
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isSplat(getRhs(), 0.0))
    return getLhs();
  return foldBinary(
      getType(), adaptor.getOperands(),
      [](const APFloat &a, const APFloat &b) { return a - b; },
      [](const APInt &a, const APInt &b) { return a - b; });
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplat(getRhs(), 1.0))
    return getLhs();
  if (isSplat(getLhs(), 1.0))
    return getRhs();
  return foldBinary(
      getType(), adaptor.getOperands(),
      [](const APFloat &a, const APFloat &b) { return a * b; },
      [](const APInt &a, const APInt &b) { return a * b; });
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isSplat(getRhs(), 1.0))
    return getLhs();
  if (!isa<FloatType>(getElementTypeOrSelf(getType())))
    return {};
  return constFoldBinaryOp<FloatAttr, APFloat, void>(
      adaptor.getOperands(),
      [](const APFloat &a, const APFloat &b) { return a / b; });
}

LogicalResult CompareOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location>,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &inferred) {
  inferred.push_back(
      withElementType(cast<RankedTensorType>(operands.front().getType()),
                      IntegerType::get(context, 1)));
  return success();
}

OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getTrueValue() == getFalseValue())
    return getTrueValue();
  if (auto condition =
          dyn_cast_if_present<DenseElementsAttr>(adaptor.getCondition()))
    if (condition.isSplat())
      return condition.getSplatValue<bool>() ? getTrueValue() : getFalseValue();
  return {};
}
