//===- ScaledUpdate.cpp - Updates with a scale per parameter --------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule whose learning rate depends on norms has to see all elements of a
// parameter before it moves the first. So its parameters are updated one by
// one: a kernel for the sums, then one that writes parameter and slots.
//
//===----------------------------------------------------------------------===//

#include "KernelFormer.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace accrue;

namespace {
/// One element of the update in the body of a `linalg.generic`.
class ElementUpdate {
public:
  /// `elements` are parameter, gradient and slots; `scalars` completed, factor,
  /// finite and perhaps norm.
  ElementUpdate(train::FusedUpdateOp op, train::OptimizerRule rule,
                OpBuilder &builder, Location loc, ValueRange elements,
                ValueRange scalars)
      : rule(rule), builder(builder), loc(loc), param(elements[0]),
        gradient(elements[1]), slots(elements.drop_front(2)),
        factor(scalars[1]), finite(scalars[2]) {
    Value one =
        arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), 1);
    step = arith::AddIOp::create(builder, loc, scalars[0], one);
    if (op.getNorm())
      gradient = train::buildClip(builder, loc, gradient, scalars[3],
                                  op.getMaxNorm()->convertToDouble());
  }

  SmallVector<Value> buildScaleTerms() {
    return rule.buildScaleTerms(builder, loc, param, gradient, slots,
                                buildStepScalars(factor));
  }

  /// The new parameter and slots; the old ones after a step that is skipped.
  SmallVector<Value> buildUpdate(ValueRange sums) {
    Value scale = rule.buildScale(builder, loc, sums);
    Type wide =
        getWidth(factor) > getWidth(scale) ? factor.getType() : scale.getType();
    auto widen = [&](Value value) {
      return convertScalarToDtype(builder, loc, value, wide,
                                  /*isUnsignedCast=*/false);
    };
    Value scaled =
        arith::MulFOp::create(builder, loc, widen(factor), widen(scale));
    SmallVector<Value> newSlots;
    SmallVector<Value> results = {
        rule.buildUpdate(builder, loc, param, gradient, slots,
                         buildStepScalars(scaled), newSlots)};
    llvm::append_range(results, newSlots);
    SmallVector<Value> old = {param};
    llvm::append_range(old, slots);
    for (auto [result, value] : llvm::zip_equal(results, old))
      result = arith::SelectOp::create(builder, loc, finite, result, value);
    return results;
  }

private:
  static unsigned getWidth(Value scalar) {
    return scalar.getType().getIntOrFloatBitWidth();
  }
  SmallVector<Value> buildStepScalars(Value scaled) {
    return rule.buildStepScalars(builder, loc, step, scaled,
                                 cast<FloatType>(param.getType()));
  }

  train::OptimizerRule rule;
  OpBuilder &builder;
  Location loc;
  Value param, gradient;
  ValueRange slots;
  Value factor, finite, step;
};
} // namespace

/// A tensor of the shape of `elements[0]`, every element, of type `result`,
/// computed by `build` from those of `elements` and from `scalars`, which have
/// rank 0.
static Value createElementwise(
    OpBuilder &builder, Location loc, Type result, ValueRange elements,
    ValueRange scalars,
    function_ref<Value(OpBuilder &, Location, ValueRange)> build) {
  auto type = cast<RankedTensorType>(elements[0].getType()).clone(result);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap scalar = AffineMap::get(type.getRank(), 0, builder.getContext());
  SmallVector<AffineMap> maps(elements.size(), identity);
  maps.append(scalars.size(), scalar);
  maps.push_back(identity);
  SmallVector<Value> inputs(elements);
  llvm::append_range(inputs, scalars);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, TypeRange{type}, inputs, ValueRange{empty}, maps,
             iterators,
             [&](OpBuilder &body, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(body, loc, build(body, loc, arguments));
             })
      .getResult(0);
}

/// The sum of all elements, with rank 0.
static Value createSum(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 0)
    return value;
  return nn::SumOp::create(
      builder, loc, RankedTensorType::get({}, type.getElementType()), value,
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
}

LogicalResult KernelFormer::lowerScaledUpdate(train::FusedUpdateOp op,
                                              unsigned index,
                                              unsigned firstSlot,
                                              ValueRange scalars) {
  auto rule = cast<train::OptimizerRule>(op.getRules()[index]);
  Location loc = op.getParams()[index].getLoc();
  size_t slotCount = rule.getSlotNames().size();
  SmallVector<Value> targets = {getValue(op.getParams()[index])};
  for (Value slot : op.getSlots().slice(firstSlot, slotCount))
    targets.push_back(getValue(slot));
  if (llvm::is_contained(targets, nullptr))
    return failure();
  auto type = cast<RankedTensorType>(targets[0].getType());
  Type element = type.getElementType();

  // The sums. Parameter and slots are inputs here.
  SmallVector<Value> inputs = {targets[0], gradientImages[index]};
  llvm::append_range(inputs, ArrayRef(targets).drop_front());
  size_t numElements = inputs.size();
  llvm::append_range(inputs, scalars);
  SmallVector<double> zeros(slotCount);
  size_t numTerms = rule.getScaleTerms(0, 0, zeros, 1).size();
  SmallVector<Value> sums;
  // Squares of halves overflow.
  Type sumType =
      element.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : element;
  for (size_t term = 0; term != numTerms; ++term) {
    Value sum = createAlloc(loc, RankedTensorType::get({}, sumType),
                            {"scale_sum", kernel::Arena::activations, nullptr});
    auto build = [&](OpBuilder &body, Block::BlockArgListType ins,
                     Block::BlockArgListType) {
      Value terms = createElementwise(
          body, loc, sumType, ins.take_front(numElements),
          ins.drop_front(numElements),
          [&](OpBuilder &builder, Location loc, ValueRange arguments) {
            auto widened = llvm::map_to_vector(
                arguments.take_front(numElements), [&](Value value) {
                  return convertScalarToDtype(builder, loc, value, sumType,
                                              /*isUnsignedCast=*/false);
                });
            ElementUpdate update(op, rule, builder, loc, widened,
                                 arguments.drop_front(numElements));
            return update.buildScaleTerms()[term];
          });
      return SmallVector<Value>{createSum(body, loc, terms)};
    };
    sums.push_back(createGroup(loc, "scale_sum",
                               type.getRank() == 0
                                   ? kernel::Schedule::elementwise
                                   : kernel::Schedule::rows,
                               inputs, sum, build)
                       .getResult(0));
  }

  // The update, in place.
  inputs = {gradientImages[index]};
  llvm::append_range(inputs, scalars);
  llvm::append_range(inputs, sums);
  auto build = [&](OpBuilder &body, Block::BlockArgListType ins,
                   Block::BlockArgListType dests) {
    SmallVector<Value> elements = {dests[0], ins[0]};
    llvm::append_range(elements, dests.drop_front());
    SmallVector<Value> values;
    for (size_t result = 0; result != dests.size(); ++result)
      values.push_back(createElementwise(
          body, loc, element, elements, ins.drop_front(),
          [&](OpBuilder &builder, Location loc, ValueRange arguments) {
            ValueRange others =
                arguments.slice(numElements, scalars.size() + sums.size());
            ElementUpdate update(op, rule, builder, loc,
                                 arguments.take_front(numElements),
                                 others.take_front(scalars.size()));
            return update.buildUpdate(
                others.drop_front(scalars.size()))[result];
          }));
    return values;
  };
  kernel::GroupOp update =
      createGroup(loc, "scaled_update", kernel::Schedule::elementwise, inputs,
                  targets, build);
  mapping.map(op.getNewParams()[index], update.getResult(0));
  for (auto [value, result] :
       llvm::zip_equal(op.getNewSlots().slice(firstSlot, slotCount),
                       update.getResults().drop_front()))
    mapping.map(value, result);
  return success();
}
