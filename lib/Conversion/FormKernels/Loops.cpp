//===- Loops.cpp - Loops over micro-batches -------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `train.accumulate` as a loop whose carried values are the accumulators,
// micro-batches of inputs as transfers, `train.recompute` in place.
//
//===----------------------------------------------------------------------===//

#include "KernelFormer.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace accrue;

Value KernelFormer::createLoad(Location loc, BlockArgument argument,
                               MappedMode mode, Value offset, int64_t size,
                               int64_t of, RankedTensorType type) {
  auto name = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                    train::attrs::kName);
  std::string text =
      name ? name.str() : ("input" + Twine(inputIndex[argument])).str();
  Value destination =
      createAlloc(loc, type, {text, kernel::Arena::inputs, nullptr});
  auto load = kernel::LoadInputOp::create(
      builder, loc, TypeRange{type}, text, inputIndex[argument], offset, size,
      of, train::getMappedAttr(builder.getContext(), mode), destination);
  return load.getResult()[0];
}

/// Samples [offset, offset + size) of `source` in `mode`, a tensor of `type`.
Value KernelFormer::createSlice(Location loc, Value source, MappedMode mode,
                                Value offset, int64_t size, int64_t of,
                                RankedTensorType type) {
  if (auto argument = dyn_cast<BlockArgument>(source))
    if (inputIndex.contains(argument))
      return createLoad(loc, argument, mode, offset, size, of, type);

  // Seen as [.., outer, groups, inner, ..], the groups of samples are a range
  // of one dimension.
  auto full = cast<RankedTensorType>(source.getType());
  int64_t group = mode.innerDenominator, inner = mode.inner;
  if (group != 1)
    offset = builder.createOrFold<arith::DivUIOp>(
        loc, offset, arith::ConstantIndexOp::create(builder, loc, group));
  Value image = getValue(source);
  if (!image)
    return nullptr;
  auto getShape = [&](int64_t extent) {
    SmallVector<int64_t> shape(full.getShape().take_front(mode.dim));
    shape.append({mode.outer, extent, inner});
    llvm::append_range(shape, full.getShape().drop_front(mode.dim + 1));
    return RankedTensorType::get(shape, full.getElementType());
  };
  RankedTensorType split = getShape(of / group), part = getShape(size / group);
  Value destination =
      createAlloc(loc, type, {"slice", kernel::Arena::activations, nullptr});
  auto build = [&](OpBuilder &body, Block::BlockArgListType ins,
                   Block::BlockArgListType) {
    Value whole = createReshape(body, loc, ins[0], split);
    SmallVector<OpFoldResult> offsets(part.getRank(), body.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(part.getRank(), body.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes;
    for (int64_t extent : part.getShape())
      sizes.push_back(body.getIndexAttr(extent));
    offsets[mode.dim + 1] = Value(ins[1]);
    Value slice = tensor::ExtractSliceOp::create(body, loc, part, whole,
                                                 offsets, sizes, strides);
    return SmallVector<Value>{createReshape(body, loc, slice, type)};
  };
  return createGroup(loc, "slice", kernel::Schedule::elementwise,
                     {image, offset}, destination, build)
      .getResult(0);
}

/// Puts a contribution at its place: a range of one dimension once the outer
/// indices are a dimension of their own.
Value KernelFormer::createConcatenation(Location loc, Value value,
                                        const Accumulator &accumulator) {
  auto separateOuter = [&](Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[accumulator.dim] /= accumulator.outer;
    shape.insert(shape.begin() + accumulator.dim, accumulator.outer);
    return createReshape(builder, loc, tensor,
                         RankedTensorType::get(shape, type.getElementType()));
  };
  Value slice = value, whole = accumulator.tensor;
  int64_t dim = accumulator.dim;
  if (accumulator.outer != 1) {
    slice = separateOuter(value);
    whole = separateOuter(whole);
    ++dim;
  }
  auto build = [&](OpBuilder &body, Block::BlockArgListType ins,
                   Block::BlockArgListType dests) {
    auto type = cast<RankedTensorType>(slice.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), body.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), body.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes;
    for (int64_t extent : type.getShape())
      sizes.push_back(body.getIndexAttr(extent));
    offsets[dim] = Value(ins[1]);
    return SmallVector<Value>{tensor::InsertSliceOp::create(
        body, loc, ins[0], dests[0], offsets, sizes, strides)};
  };
  Value result = createGroup(loc, "concat", kernel::Schedule::elementwise,
                             {slice, accumulator.offset}, whole, build)
                     .getResult(0);
  return createReshape(builder, loc, result,
                       cast<RankedTensorType>(accumulator.tensor.getType()));
}

LogicalResult KernelFormer::lowerAccumulate(train::AccumulateOp op) {
  Location loc = op.getLoc();
  // What is sliced is made in front of the loop: once, and for a tail too.
  Block &body = op.getBody().front();
  for (auto [input, slice] :
       llvm::zip_equal(op.getInputs(), body.getArguments().drop_front()))
    if (!slice.use_empty() && !inputIndex.contains(input) && !getValue(input))
      return failure();
  // So is an input that the body reads whole.
  WalkResult loaded = op.getBody().walk([&](Operation *reader) {
    for (Value operand : reader->getOperands())
      if (auto argument = dyn_cast<BlockArgument>(operand);
          argument && inputIndex.contains(argument) && !getValue(argument))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (loaded.wasInterrupted())
    return failure();

  SmallVector<Value> carried;
  for (auto [i, result] : llvm::enumerate(op.getResults())) {
    Value init = op.getInits().empty()
                     ? createAlloc(loc, result.getType(), getPlace(result))
                     : getValue(op.getInits()[i]);
    if (!init)
      return failure();
    carried.push_back(init);
  }

  OpBuilder::InsertionGuard guard(builder);
  auto createIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value offset = createIndex(op.getOffset());
  bool continues = !op.getInits().empty();
  Value first, iteration = createIndex(0);
  scf::ForOp loop;
  if (op.getCount() > 1) {
    Value zero = createIndex(0), one = createIndex(1);
    Value size = createIndex(op.getSize());
    Value count = createIndex(op.getCount());
    loop = scf::ForOp::create(builder, loc, zero, count, one, carried);
    builder.setInsertionPointToStart(loop.getBody());
    iteration = loop.getInductionVar();
    if (!continues)
      first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                    iteration, zero);
    Value done = arith::MulIOp::create(builder, loc, iteration, size);
    offset = op.getOffset() == 0
                 ? done
                 : Value(arith::AddIOp::create(builder, loc, done, offset));
    llvm::copy(loop.getRegionIterArgs(), carried.begin());
  }

  mapping.map(body.getArgument(0), offset);
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    BlockArgument slice = body.getArgument(i + 1);
    if (slice.use_empty())
      continue;
    Value image = createSlice(
        loc, input,
        train::getMappedMode(cast<train::MappedAttr>(op.getModes()[i])), offset,
        op.getSize(), op.getOf(), cast<RankedTensorType>(slice.getType()));
    if (!image)
      return failure();
    mapping.map(slice, image);
  }

  SmallVector<Accumulator> accumulators;
  for (auto [i, attr] : llvm::enumerate(op.getReducers())) {
    auto reducer = cast<train::ReducerOfAttr>(attr);
    Accumulator accumulator;
    accumulator.tensor = carried[i];
    accumulator.reducer = reducer.getKind();
    accumulator.first = first;
    accumulator.overwrites = !continues && !loop;
    accumulator.place = getPlace(op.getResult(i));
    if (reducer.getKind() == train::Reducer::stack) {
      accumulator.offset = builder.createOrFold<arith::AddIOp>(
          loc, iteration, createIndex(reducer.getRow()));
    } else if (reducer.getMode()) {
      MappedMode mode = train::getMappedMode(reducer.getMode());
      accumulator.dim = mode.dim;
      accumulator.outer = mode.outer;
      // From samples to places along the dimension.
      Value inner = createIndex(mode.inner);
      Value group = createIndex(mode.innerDenominator);
      accumulator.offset =
          builder.createOrFold<arith::MulIOp>(loc, offset, inner);
      accumulator.offset =
          builder.createOrFold<arith::DivUIOp>(loc, accumulator.offset, group);
    }
    accumulators.push_back(accumulator);
  }
  SmallVector<Value> values;
  if (failed(lowerBlock(body, accumulators, values)))
    return failure();
  if (loop) {
    // The builder made a terminator only for a loop without carried values.
    if (!values.empty())
      scf::YieldOp::create(builder, loc, values);
    values.assign(loop.getResults().begin(), loop.getResults().end());
  }
  mapping.map(op.getResults(), values);
  return success();
}

LogicalResult KernelFormer::lowerRecompute(train::RecomputeOp op) {
  Block &body = op.getBody().front();
  for (auto [argument, input] :
       llvm::zip_equal(body.getArguments(), op.getInputs())) {
    Value image = getValue(input);
    if (!image)
      return failure();
    mapping.map(argument, image);
  }
  IntegerAttr outer = recompute;
  recompute = op.getIdAttr();
  SmallVector<Value> values;
  LogicalResult result = lowerBlock(body, {}, values);
  recompute = outer;
  if (succeeded(result))
    mapping.map(op.getResults(), values);
  return result;
}
