//===- TrainOps.cpp - Ops of the train dialect ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/TrainOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

#define GET_OP_CLASSES
#include "accrue/Dialect/Train/TrainOps.cpp.inc"

LogicalResult WeightOp::verify() {
  if (getSamples() > getOf())
    return emitOpError("expected at most ")
           << getOf() << " samples, got " << getSamples();
  return success();
}

OpFoldResult WeightOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getType());
  double weight =
      static_cast<double>(getSamples()) / static_cast<double>(getOf());
  return DenseElementsAttr::get(
      type, FloatAttr::get(type.getElementType(), weight).getValue());
}

/// The type of the slice of `type` in `mode` for `samples` samples; null where
/// `mode` does not fit the type with a logical batch of `batch`.
static RankedTensorType getSliceType(RankedTensorType type, MappedMode mode,
                                     int64_t samples, int64_t batch) {
  if (mode.dim < 0 || mode.dim >= type.getRank() ||
      type.getDimSize(mode.dim) != mode.getExtent(batch))
    return {};
  SmallVector<int64_t> shape(type.getShape());
  shape[mode.dim] = mode.getExtent(samples);
  return RankedTensorType::get(shape, type.getElementType());
}

LogicalResult AccumulateOp::verify() {
  // Written without a product, which could overflow.
  if (getOffset() > getOf() || getCount() > (getOf() - getOffset()) / getSize())
    return emitOpError("expected micro-batches within ")
           << getOf() << " samples, got " << getCount() << " of " << getSize()
           << " from " << getOffset();
  if (getModes().size() != getInputs().size())
    return emitOpError("expected one mode per sliced operand (")
           << getInputs().size() << "), got " << getModes().size();
  if (getReducers().size() != getNumResults())
    return emitOpError("expected one reducer per result (")
           << getNumResults() << "), got " << getReducers().size();
  if (!getInits().empty() && getInits().getTypes() != getResultTypes())
    return emitOpError("expected initial values of the types of the results");
  for (Attribute attr : getReducers()) {
    auto reducer = cast<ReducerOfAttr>(attr);
    if ((reducer.getKind() == Reducer::concat) !=
        static_cast<bool>(reducer.getMode()))
      return emitOpError("expected a mode exactly for reducer 'concat', got ")
             << reducer;
    if (reducer.getRow() < 0 ||
        (reducer.getKind() != Reducer::stack && reducer.getRow() != 0))
      return emitOpError("expected a row, from 0, only for reducer 'stack', "
                         "got ")
             << reducer;
  }
  return success();
}

/// The type of a slice of `type` in `mode`. Fails where `mode` does not fit the
/// type, or a micro-batch would split a group of it.
static FailureOr<RankedTensorType>
inferSliceType(AccumulateOp op, RankedTensorType type, MappedAttr mode) {
  if (mode.getOuter() < 1 || mode.getInner() < 1 || mode.getGroup() < 1)
    return op.emitOpError("expected positive factors in a mode, got ") << mode;
  RankedTensorType slice =
      getSliceType(type, getMappedMode(mode), op.getSize(), op.getOf());
  if (!slice)
    return op.emitOpError("expected ")
           << mode << " to enumerate " << op.getOf() << " samples of " << type;
  if (op.getSize() % mode.getGroup() != 0 ||
      op.getOffset() % mode.getGroup() != 0)
    return op.emitOpError("expected micro-batches of whole groups of ")
           << mode.getGroup() << " samples, got " << op.getSize() << " from "
           << op.getOffset();
  return slice;
}

LogicalResult AccumulateOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size() + 1 ||
      !block.getArgument(0).getType().isIndex())
    return emitOpError("expected a body with an index and ")
           << getInputs().size() << " slices as arguments";
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    FailureOr<RankedTensorType> slice =
        inferSliceType(*this, cast<RankedTensorType>(input.getType()),
                       cast<MappedAttr>(getModes()[i]));
    if (failed(slice))
      return failure();
    if (block.getArgument(i + 1).getType() != *slice)
      return emitOpError("expected body argument ")
             << i + 1 << " of type " << *slice << ", got "
             << block.getArgument(i + 1).getType();
  }
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getNumOperands() != getNumResults())
    return yield.emitOpError("expected ")
           << getNumResults() << " contributions, got "
           << yield.getNumOperands();
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    auto reducer = cast<ReducerOfAttr>(getReducers()[i]);
    auto type = cast<RankedTensorType>(getResult(i).getType());
    if (reducer.getKind() == Reducer::concat) {
      FailureOr<RankedTensorType> slice =
          inferSliceType(*this, type, reducer.getMode());
      if (failed(slice))
        return failure();
      type = *slice;
    }
    if (reducer.getKind() == Reducer::stack) {
      if (type.getRank() == 0 || static_cast<int64_t>(getCount()) >
                                     type.getDimSize(0) - reducer.getRow())
        return emitOpError("expected a row of result ")
               << i << " for each micro-batch, got " << type << " for "
               << getCount() << " from row " << reducer.getRow();
      SmallVector<int64_t> shape(type.getShape());
      shape.front() = 1;
      type = RankedTensorType::get(shape, type.getElementType());
    }
    if (value.getType() != type)
      return yield.emitOpError("expected contribution ")
             << i << " of type " << type << ", got " << value.getType();
  }
  return success();
}

LogicalResult RecomputeOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("expected body arguments of the types of the inputs");
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getOperandTypes() != getResultTypes())
    return yield.emitOpError("expected values of the types of the results");
  return success();
}

/// True when `gradient` is a gradient of `param`, in any precision.
static bool isGradientOf(Value gradient, Value param) {
  return cast<ShapedType>(gradient.getType()).getShape() ==
         cast<ShapedType>(param.getType()).getShape();
}

LogicalResult UpdateOp::verify() {
  if (!isGradientOf(getGradient(), getParam()))
    return emitOpError("expected a gradient of the shape of the parameter ")
           << getParam().getType() << ", got " << getGradient().getType();
  if (getSlots().size() != getRule().getSlotNames().size())
    return emitOpError("expected ")
           << getRule().getSlotNames().size() << " slots for " << getRule()
           << ", got " << getSlots().size();
  for (Value slot : getSlots())
    if (slot.getType() != getParam().getType())
      return emitOpError("expected slots of type ")
             << getParam().getType() << ", got " << slot.getType();
  return success();
}

LogicalResult FusedUpdateOp::verify() {
  if (getRules().size() != getParams().size() ||
      getGradients().size() != getParams().size())
    return emitOpError("expected one gradient and one rule per parameter (")
           << getParams().size() << "), got " << getGradients().size()
           << " and " << getRules().size();
  for (auto [param, gradient] : llvm::zip_equal(getParams(), getGradients()))
    if (!isGradientOf(gradient, param))
      return emitOpError("expected a gradient of the shape of the parameter ")
             << param.getType() << ", got " << gradient.getType();
  size_t slots = 0;
  for (Attribute attr : getRules()) {
    auto rule = dyn_cast<OptimizerRule>(attr);
    if (!rule)
      return emitOpError("expected 'rules' to be optimizer rules, got ")
             << attr;
    slots += rule.getSlotNames().size();
  }
  if (!llvm::equal(llvm::concat<Value>(getParams(), getSlots()), getResults(),
                   [](Value operand, Value result) {
                     return operand.getType() == result.getType();
                   }))
    return emitOpError("expected results of the types of 'params' and 'slots'");
  if (slots != getSlots().size())
    return emitOpError("expected ")
           << slots << " slots, got " << getSlots().size();
  if (static_cast<bool>(getNorm()) != getMaxNorm().has_value())
    return emitOpError("expected 'norm' and 'max_norm' together");
  return success();
}
