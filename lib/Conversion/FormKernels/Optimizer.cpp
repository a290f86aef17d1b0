//===- Optimizer.cpp - Norm, schedule and update as kernels ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of the train dialect. Everything that depends on the step is a
// rank-0 tensor in memory, so that a device never waits for the host.
//
//===----------------------------------------------------------------------===//

#include "KernelFormer.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;

/// Elements of a chunk of the sum of squares.
static constexpr int64_t kNormChunk = 4096;

LogicalResult KernelFormer::lowerOther(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](train::AccumulateOp op) { return lowerAccumulate(op); })
      .Case([&](train::RecomputeOp op) { return lowerRecompute(op); })
      .Case([&](train::GlobalNormOp op) { return lowerNorm(op); })
      .Case([&](train::AllFiniteOp op) { return lowerAllFinite(op); })
      .Case([&](train::ScheduleOp op) { return lowerSchedule(op); })
      .Case([&](train::FusedUpdateOp op) { return lowerUpdate(op); })
      .Case<train::ClipOp, train::UpdateOp>([](Operation *op) {
        return op->emitError("expected one 'train.fused_update', got '")
               << op->getName() << "'; run 'train-fuse-optimizer' first";
      })
      .Default([](Operation *op) {
        return op->emitError("expected an op that can become a kernel, got '")
               << op->getName() << "'";
      });
}

LogicalResult KernelFormer::lowerNorm(train::GlobalNormOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> inputs;
  if (llvm::equal(op.getGradients(), llvm::make_first_range(gradients))) {
    if (failed(buildGradients(loc)))
      return failure();
    inputs = gradientImages;
  } else {
    for (Value gradient : op.getGradients()) {
      inputs.push_back(getValue(gradient));
      if (!inputs.back())
        return failure();
    }
  }
  int64_t elements = 0;
  for (Value input : inputs)
    elements += cast<RankedTensorType>(input.getType()).getNumElements();
  int64_t chunks =
      std::clamp<int64_t>(llvm::divideCeil(elements, kNormChunk), 1, 1024);
  Type element = getElementTypeOrSelf(op.getResult().getType());
  Value partials =
      createAlloc(loc, RankedTensorType::get({chunks}, element),
                  {"norm_partials", kernel::Arena::activations, nullptr});
  Value norm = createDestination(op.getResult());
  auto result = kernel::NormOp::create(
      builder, loc, TypeRange{partials.getType(), norm.getType()}, inputs,
      partials, norm);
  mapping.map(op.getResult(), result.getResult(1));
  return success();
}

/// x - x is 0 exactly for finite x, else NaN, and so is its sum.
LogicalResult KernelFormer::lowerAllFinite(train::AllFiniteOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> inputs;
  for (Value input : op.getInputs()) {
    Value image = getValue(input);
    if (!image)
      return failure();
    inputs.push_back(image);
  }
  bool scalars = llvm::all_of(inputs, [](Value input) {
    return cast<RankedTensorType>(input.getType()).getRank() == 0;
  });
  auto build = [&](OpBuilder &body, Block::BlockArgListType ins,
                   Block::BlockArgListType) {
    Value all;
    for (Value input : ins) {
      auto type = cast<RankedTensorType>(input.getType());
      Value zeros = nn::SubOp::create(body, loc, type, input, input);
      auto scalar = RankedTensorType::get({}, type.getElementType());
      if (type.getRank() != 0)
        zeros = nn::SumOp::create(
            body, loc, scalar, zeros,
            llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
      Value zero = nn::ConstantOp::create(
          body, loc,
          DenseElementsAttr::get(scalar,
                                 body.getZeroAttr(type.getElementType())));
      Value finite = nn::CompareOp::create(
          body, loc, RankedTensorType::get({}, body.getI1Type()),
          nn::ComparePredicate::eq, zeros, zero);
      all = all ? Value(nn::SelectOp::create(body, loc, finite.getType(), all,
                                             finite, all))
                : finite;
    }
    if (!all)
      all = nn::ConstantOp::create(
          body, loc,
          DenseElementsAttr::get(RankedTensorType::get({}, body.getI1Type()),
                                 true));
    return SmallVector<Value>{all};
  };
  kernel::GroupOp group = createGroup(
      loc, "all_finite",
      scalars ? kernel::Schedule::elementwise : kernel::Schedule::rows, inputs,
      createDestination(op.getResult()), build);
  mapping.map(op.getResult(), group.getResult(0));
  return success();
}

LogicalResult KernelFormer::lowerSchedule(train::ScheduleOp op) {
  Location loc = op.getLoc();
  Value completed = getValue(op.getCompleted());
  if (!completed)
    return failure();
  auto build = [&](OpBuilder &body, Block::BlockArgListType ins,
                   Block::BlockArgListType dests) {
    AffineMap scalar = AffineMap::get(body.getContext());
    auto type = cast<FloatType>(getElementTypeOrSelf(dests[0].getType()));
    Value empty = tensor::EmptyOp::create(body, loc, ArrayRef<int64_t>{}, type);
    auto generic = linalg::GenericOp::create(
        body, loc, TypeRange{dests[0].getType()}, ValueRange(ins),
        ValueRange{empty}, ArrayRef<AffineMap>{scalar, scalar},
        ArrayRef<utils::IteratorType>{},
        [&](OpBuilder &scalarBuilder, Location loc, ValueRange arguments) {
          Value factor = op.getSchedule().buildFactor(scalarBuilder, loc,
                                                      arguments[0], type);
          linalg::YieldOp::create(scalarBuilder, loc, factor);
        });
    return SmallVector<Value>{generic.getResult(0)};
  };
  kernel::GroupOp group =
      createGroup(loc, "schedule", kernel::Schedule::elementwise, completed,
                  createDestination(op.getResult()), build);
  mapping.map(op.getResult(), group.getResult(0));
  return success();
}

LogicalResult KernelFormer::lowerUpdate(train::FusedUpdateOp op) {
  Location loc = op.getLoc();
  if (failed(buildGradients(loc)))
    return failure();
  SmallVector<Value> scalars;
  for (Value scalar : {op.getCompleted(), op.getFactor(), op.getFinite()})
    scalars.push_back(getValue(scalar));
  if (op.getNorm())
    scalars.push_back(getValue(op.getNorm()));
  if (llvm::is_contained(scalars, nullptr))
    return failure();
  Value norm = op.getNorm() ? scalars.back() : Value();

  // Rules without a scale are one kernel for all their parameters.
  SmallVector<Value> params, slots, gradients, results;
  SmallVector<Attribute> rules;
  unsigned slot = 0;
  for (auto [i, param] : llvm::enumerate(op.getParams())) {
    auto rule = cast<train::OptimizerRule>(op.getRules()[i]);
    unsigned first = slot;
    slot += rule.getSlotNames().size();
    if (rule.hasScale()) {
      if (failed(lowerScaledUpdate(op, i, first, scalars)))
        return failure();
      continue;
    }
    params.push_back(getValue(param));
    gradients.push_back(gradientImages[i]);
    rules.push_back(rule);
    results.push_back(op.getNewParams()[i]);
  }
  slot = 0;
  for (Attribute attr : op.getRules()) {
    auto rule = cast<train::OptimizerRule>(attr);
    for (unsigned i = 0, e = rule.getSlotNames().size(); i != e; ++i, ++slot)
      if (!rule.hasScale()) {
        slots.push_back(getValue(op.getSlots()[slot]));
        results.push_back(op.getNewSlots()[slot]);
      }
  }
  if (llvm::is_contained(params, nullptr) || llvm::is_contained(slots, nullptr))
    return failure();
  if (params.empty())
    return success();
  auto update = kernel::UpdateOp::create(
      builder, loc, ValueRange(results).getTypes(), gradients, scalars[0],
      scalars[1], scalars[2], norm, params, slots, op.getMaxNormAttr(),
      builder.getArrayAttr(rules));
  mapping.map(results, update.getResults());
  return success();
}
