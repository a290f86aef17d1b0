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
#include "mlir/IR/PatternMatch.h"

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

//===----------------------------------------------------------------------===//
// Functions applied twice
//===----------------------------------------------------------------------===//

/// The operand of `op` where applying `op` to it changes nothing.
template <typename OpTy>
static OpFoldResult foldIdempotent(OpTy op) {
  return op.getInput().template getDefiningOp<OpTy>() ? op.getInput()
                                                      : OpFoldResult();
}

OpFoldResult SignOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult FloorOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult StopGradientOp::fold(FoldAdaptor) { return foldIdempotent(*this); }

OpFoldResult AbsOp::fold(FoldAdaptor) {
  // |-x| = |x|
  if (auto negated = getInput().getDefiningOp<NegOp>()) {
    getInputMutable().assign(negated.getInput());
    return getResult();
  }
  return foldIdempotent(*this);
}

OpFoldResult NotOp::fold(FoldAdaptor) {
  if (auto inner = getInput().getDefiningOp<NotOp>())
    return inner.getInput();
  return {};
}

//===----------------------------------------------------------------------===//
// Clamp and power
//===----------------------------------------------------------------------===//

LogicalResult ClampOp::verify() {
  // Also false for NaN.
  if (getMin() <= getMax())
    return success();
  return emitOpError("expected a 'min' that is at most 'max', got ")
         << getMinAttr() << " and " << getMaxAttr();
}

OpFoldResult ClampOp::fold(FoldAdaptor) {
  // Within a wider one nothing is left to do.
  auto inner = getInput().getDefiningOp<ClampOp>();
  if (inner && getMin() <= inner.getMin() && inner.getMax() <= getMax())
    return getInput();
  return {};
}

OpFoldResult PowOp::fold(FoldAdaptor) {
  return isSplat(getRhs(), 1.0) ? getLhs() : OpFoldResult();
}

LogicalResult PowOp::canonicalize(PowOp op, PatternRewriter &rewriter) {
  if (isSplat(op.getRhs(), 2.0)) {
    rewriter.replaceOpWithNewOp<SquareOp>(op, op.getType(), op.getLhs());
    return success();
  }
  if (isSplat(op.getRhs(), -1.0)) {
    rewriter.replaceOpWithNewOp<ReciprocalOp>(op, op.getType(), op.getLhs());
    return success();
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

/// True for a constant, or a broadcast of one, with every element `value`.
static bool isBoolSplat(Value operand, bool value) {
  if (auto broadcast = operand.getDefiningOp<BroadcastOp>())
    return isBoolSplat(broadcast.getInput(), value);
  DenseElementsAttr elements;
  return matchPattern(operand, m_Constant(&elements)) && elements.isSplat() &&
         elements.getSplatValue<bool>() == value;
}

/// `neutral` leaves the other operand, its opposite decides alone.
template <typename OpTy>
static OpFoldResult foldLogical(OpTy op, bool neutral) {
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (lhs == rhs || isBoolSplat(rhs, neutral) || isBoolSplat(lhs, !neutral))
    return lhs;
  if (isBoolSplat(lhs, neutral) || isBoolSplat(rhs, !neutral))
    return rhs;
  return {};
}

OpFoldResult AndOp::fold(FoldAdaptor) { return foldLogical(*this, true); }
OpFoldResult OrOp::fold(FoldAdaptor) { return foldLogical(*this, false); }

OpFoldResult WhenTrainingOp::fold(FoldAdaptor) {
  return getTraining() == getEvaluation() ? getTraining() : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Iota
//===----------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  int64_t rank = cast<RankedTensorType>(getType()).getRank();
  int64_t dim = getDimAttr().getInt();
  if (dim >= rank)
    return emitOpError("expected 'dim' in [0, ") << rank << "), got " << dim;
  return success();
}
