//===- ElementEvaluator.cpp - Elements of tensors on demand ---------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementEvaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::kernel;

ElementEvaluator::ElementEvaluator(Block &source, Block &target, bool flat)
    : source(source), target(target), flat(flat) {
  Scope scope;
  scope.end = target.getTerminator();
  scopes.push_back(std::move(scope));
}

//===----------------------------------------------------------------------===//
// Loops and places
//===----------------------------------------------------------------------===//

unsigned ElementEvaluator::getLevel(ValueRange values) const {
  unsigned level = 0;
  for (Value value : values)
    level = std::max(level, getLevel(value));
  return level;
}

OpBuilder ElementEvaluator::getBuilder(unsigned level) {
  return OpBuilder(scopes[level].end);
}

Value ElementEvaluator::setLevel(Value value, unsigned level) {
  if (level != 0)
    levels[value] = level;
  return value;
}

Value ElementEvaluator::createIndex(int64_t value) {
  Value &constant = constants[value];
  if (!constant) {
    // At the very beginning, where it dominates everything.
    OpBuilder builder = OpBuilder::atBlockBegin(&target);
    constant = arith::ConstantIndexOp::create(
        builder, target.getTerminator()->getLoc(), value);
  }
  return constant;
}

void ElementEvaluator::enterParallel(Location loc, ArrayRef<int64_t> shape) {
  SmallVector<Value> lower(shape.size(), createIndex(0));
  SmallVector<Value> step(shape.size(), createIndex(1));
  SmallVector<Value> upper;
  for (int64_t extent : shape)
    upper.push_back(createIndex(extent));
  OpBuilder builder = getBuilder(scopes.size() - 1);
  auto loop = scf::ParallelOp::create(builder, loc, lower, upper, step);
  // What the outer scope is still asked for goes before the loop.
  scopes.back().end = loop;
  Scope scope;
  scope.end = loop.getBody()->getTerminator();
  scope.outerIndices = indices.size();
  scopes.push_back(std::move(scope));
  for (Value index : loop.getInductionVars())
    indices.push_back(setLevel(index, scopes.size() - 1));
}

void ElementEvaluator::leaveParallel() {
  indices.truncate(scopes.back().outerIndices);
  scopes.pop_back();
  scopes.back().end = scopes.back().end->getNextNode();
}

void ElementEvaluator::store(Location loc, Value scalar, Value buffer,
                             ArrayRef<Value> at) {
  OpBuilder builder = getBuilder(scopes.size() - 1);
  memref::StoreOp::create(builder, loc, scalar, buffer, at);
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

static bool isConstant(Value value, int64_t expected) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) &&
         constant.getSExtValue() == expected;
}

Value ElementEvaluator::createMultiple(Location loc, Value index,
                                       int64_t factor) {
  if (factor == 1 || isConstant(index, 0))
    return index;
  Value constant = createIndex(factor);
  unsigned level = getLevel(index);
  OpBuilder builder = getBuilder(level);
  return setLevel(arith::MulIOp::create(builder, loc, index, constant), level);
}

Value ElementEvaluator::createSum(Location loc, Value a, Value b) {
  if (isConstant(a, 0))
    return b;
  if (isConstant(b, 0))
    return a;
  unsigned level = getLevel({a, b});
  OpBuilder builder = getBuilder(level);
  return setLevel(arith::AddIOp::create(builder, loc, a, b), level);
}

Value ElementEvaluator::createQuotient(Location loc, Value index,
                                       int64_t divisor) {
  if (divisor == 1 || isConstant(index, 0))
    return index;
  Value constant = createIndex(divisor);
  unsigned level = getLevel(index);
  OpBuilder builder = getBuilder(level);
  return setLevel(arith::DivUIOp::create(builder, loc, index, constant), level);
}

Value ElementEvaluator::createRemainder(Location loc, Value index,
                                        int64_t divisor) {
  if (divisor == 1)
    return createIndex(0);
  Value constant = createIndex(divisor);
  unsigned level = getLevel(index);
  OpBuilder builder = getBuilder(level);
  return setLevel(arith::RemUIOp::create(builder, loc, index, constant), level);
}

SmallVector<Value> ElementEvaluator::shift(Location loc, ArrayRef<Value> at,
                                           ArrayRef<OpFoldResult> offsets) {
  SmallVector<Value> shifted;
  for (auto [index, offset] : llvm::zip_equal(at, offsets)) {
    Value start;
    if (auto constant = getConstantIntValue(offset)) {
      start = createIndex(*constant);
    } else {
      IRMapping mapping;
      start = getScalar(cast<Value>(offset), {}, mapping);
    }
    shifted.push_back(createSum(loc, index, start));
  }
  return shifted;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value ElementEvaluator::evaluate(Value tensor, ArrayRef<Value> at) {
  unsigned level = getLevel(ValueRange(at));
  std::pair<void *, std::vector<void *>> key{tensor.getAsOpaquePointer(), {}};
  for (Value index : at)
    key.second.push_back(index.getAsOpaquePointer());
  auto it = scopes[level].elements.find(key);
  if (it != scopes[level].elements.end())
    return it->second;
  Value element = compute(tensor, at);
  scopes[level].elements[key] = element;
  return element;
}

Value ElementEvaluator::compute(Value tensor, ArrayRef<Value> at) {
  Location loc = tensor.getLoc();
  unsigned level = getLevel(ValueRange(at));
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    Value buffer = target.getArgument(argument.getArgNumber());
    OpBuilder builder = getBuilder(level);
    return setLevel(memref::LoadOp::create(builder, loc, buffer, at), level);
  }
  return TypeSwitch<Operation *, Value>(tensor.getDefiningOp())
      .Case([&](linalg::GenericOp op) { return computeGeneric(op, at); })
      .Case([&](linalg::FillOp op) {
        IRMapping mapping;
        return getScalar(op.getInputs()[0], {}, mapping);
      })
      .Case([&](arith::ConstantOp op) -> Value {
        auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
        if (!elements || !elements.isSplat()) {
          op.emitError("expected a constant with one value");
          return nullptr;
        }
        OpBuilder builder = getBuilder(0);
        return arith::ConstantOp::create(builder, loc,
                                         elements.getSplatValue<TypedAttr>());
      })
      .Case([&](arith::SelectOp op) -> Value {
        IRMapping mapping;
        Value condition = getScalar(op.getCondition(), {}, mapping);
        Value whenTrue = evaluate(op.getTrueValue(), at);
        Value whenFalse = evaluate(op.getFalseValue(), at);
        if (!condition || !whenTrue || !whenFalse)
          return nullptr;
        unsigned level = getLevel({condition, whenTrue, whenFalse});
        OpBuilder builder = getBuilder(level);
        return setLevel(arith::SelectOp::create(builder, loc, condition,
                                                whenTrue, whenFalse),
                        level);
      })
      .Case([&](tensor::ExpandShapeOp op) {
        // Several indices of the result make one of the source.
        SmallVector<Value> indices;
        for (const ReassociationIndices &dims : op.getReassociationIndices()) {
          Value index = createIndex(0);
          for (int64_t dim : dims)
            index = createSum(
                loc,
                createMultiple(loc, index, op.getResultType().getDimSize(dim)),
                at[dim]);
          indices.push_back(index);
        }
        return evaluate(op.getSrc(), indices);
      })
      .Case([&](tensor::CollapseShapeOp op) {
        // One index of the result makes several of the source.
        SmallVector<Value> indices(op.getSrcType().getRank());
        // The one element of a scalar is first in every dimension.
        if (at.empty())
          std::generate(indices.begin(), indices.end(),
                        [&] { return createIndex(0); });
        for (auto [i, dims] : llvm::enumerate(op.getReassociationIndices())) {
          Value rest = at[i];
          for (int64_t dim : llvm::reverse(dims)) {
            int64_t extent = op.getSrcType().getDimSize(dim);
            if (dim == dims.front()) {
              indices[dim] = rest;
              continue;
            }
            indices[dim] = createRemainder(loc, rest, extent);
            rest = createQuotient(loc, rest, extent);
          }
          // A leading extent of 1 has the index 0.
          if (op.getSrcType().getDimSize(dims.front()) == 1)
            indices[dims.front()] = createIndex(0);
        }
        return evaluate(op.getSrc(), indices);
      })
      .Case([&](tensor::ExtractSliceOp op) -> Value {
        if (!op.hasUnitStride() ||
            op.getSourceType().getRank() != op.getType().getRank()) {
          op.emitError("expected a slice with unit strides and the rank of "
                       "its source");
          return nullptr;
        }
        return evaluate(op.getSource(), shift(loc, at, op.getMixedOffsets()));
      })
      .Default([](Operation *op) -> Value {
        op->emitError("expected an op with a known element, got '")
            << op->getName() << "'";
        return nullptr;
      });
}

LogicalResult ElementEvaluator::mapOperands(linalg::GenericOp op,
                                            ArrayRef<Value> iterators,
                                            IRMapping &mapping) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    if (argument.use_empty())
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<Value> at;
    if (flat && map.getNumResults() != 0) {
      at.assign(iterators.begin(), iterators.end());
    } else {
      for (AffineExpr expr : map.getResults()) {
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          at.push_back(iterators[dim.getPosition()]);
        else if (auto constant = dyn_cast<AffineConstantExpr>(expr))
          at.push_back(createIndex(constant.getValue()));
        else
          return op.emitError("expected indexing maps of plain dimensions");
      }
    }
    Value scalar = isa<ShapedType>(operand->get().getType())
                       ? evaluate(operand->get(), at)
                       : getScalar(operand->get(), {}, mapping);
    if (!scalar)
      return failure();
    mapping.map(argument, scalar);
  }
  return success();
}

Value ElementEvaluator::getScalar(Value value, ArrayRef<Value> iterators,
                                  IRMapping &mapping) {
  if (Value image = mapping.lookupOrNull(value))
    return image;
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == &source)
    return target.getArgument(argument.getArgNumber());
  Operation *op = value.getDefiningOp();
  if (!op) {
    emitError(value.getLoc(), "expected no other use of the value of the "
                              "reduction so far");
    return nullptr;
  }
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return iterators[index.getDim()];
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<Value> at;
    for (Value index : extract.getIndices()) {
      Value image = getScalar(index, iterators, mapping);
      if (!image)
        return nullptr;
      at.push_back(image);
    }
    Value element = evaluate(extract.getTensor(), at);
    mapping.map(value, element);
    return element;
  }
  if (op->getNumRegions() != 0 || op->getNumResults() != 1) {
    op->emitError("expected an op on scalars, got '") << op->getName() << "'";
    return nullptr;
  }
  unsigned level = 0;
  for (Value operand : op->getOperands()) {
    Value image = getScalar(operand, iterators, mapping);
    if (!image)
      return nullptr;
    mapping.map(operand, image);
    level = std::max(level, getLevel(image));
  }
  OpBuilder builder = getBuilder(level);
  Value result = setLevel(builder.clone(*op, mapping)->getResult(0), level);
  mapping.map(value, result);
  return result;
}

Value ElementEvaluator::computeGeneric(linalg::GenericOp op,
                                       ArrayRef<Value> at) {
  AffineMap output = op.getIndexingMapsArray().back();
  if (op.getNumResults() != 1 || !output.isProjectedPermutation()) {
    op.emitError("expected one result that is indexed by plain dimensions");
    return nullptr;
  }
  SmallVector<Value> iterators(op.getNumLoops());
  if (flat)
    iterators.assign(at.begin(), at.end());
  else
    for (auto [i, expr] : llvm::enumerate(output.getResults()))
      iterators[cast<AffineDimExpr>(expr).getPosition()] = at[i];
  if (op.getNumReductionLoops() != 0)
    return computeReduction(op, iterators, at);

  IRMapping mapping;
  if (failed(mapOperands(op, iterators, mapping)))
    return nullptr;
  // A destination that is read.
  BlockArgument out = op.getRegionOutputArgs()[0];
  if (!out.use_empty()) {
    Value old = evaluate(op.getOutputs()[0], at);
    if (!old)
      return nullptr;
    mapping.map(out, old);
  }
  return getScalar(op.getBody()->getTerminator()->getOperand(0), iterators,
                   mapping);
}

Value ElementEvaluator::computeReduction(linalg::GenericOp op,
                                         MutableArrayRef<Value> iterators,
                                         ArrayRef<Value> at) {
  Location loc = op.getLoc();
  // The body must be combine(so far, element).
  BlockArgument soFar = op.getRegionOutputArgs()[0];
  Operation *combiner =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || !soFar.hasOneUse() ||
      *soFar.user_begin() != combiner) {
    op.emitError("expected a reduction that combines the value so far with "
                 "one element");
    return nullptr;
  }
  unsigned elementIndex = combiner->getOperand(0) == soFar ? 1 : 0;

  Value init = evaluate(op.getOutputs()[0], at);
  if (!init)
    return nullptr;
  unsigned level = getLevel(ValueRange(at));
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<Value> lower, upper, step;
  SmallVector<unsigned> reduced;
  for (auto [i, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (type != utils::IteratorType::reduction)
      continue;
    reduced.push_back(i);
    lower.push_back(createIndex(0));
    upper.push_back(createIndex(ranges[i]));
    step.push_back(createIndex(1));
  }

  // The loop stands in the scope of `level`; deeper scopes, which may be open
  // where its result is used, are set aside while it is filled.
  std::vector<Scope> deeper(std::make_move_iterator(scopes.begin() + level + 1),
                            std::make_move_iterator(scopes.end()));
  scopes.resize(level + 1);
  OpBuilder builder = getBuilder(level);
  Operation *end = scopes[level].end;
  auto loop = scf::ParallelOp::create(
      builder, loc, lower, upper, step, init,
      [](OpBuilder &, Location, ValueRange, ValueRange) {});
  scopes[level].end = loop;
  builder.setInsertionPointToEnd(loop.getBody());
  // The terminator needs its operand: a place holder until it is known.
  auto reduce = scf::ReduceOp::create(builder, loc, ValueRange{init});
  Scope scope;
  scope.end = reduce;
  scopes.push_back(std::move(scope));
  for (auto [i, index] : llvm::zip_equal(reduced, loop.getInductionVars()))
    iterators[i] = setLevel(index, level + 1);

  IRMapping mapping;
  Value element;
  if (succeeded(mapOperands(op, iterators, mapping)))
    element = getScalar(combiner->getOperand(elementIndex), iterators, mapping);
  scopes.resize(level + 1);
  scopes[level].end = end;
  llvm::move(deeper, std::back_inserter(scopes));
  if (!element)
    return nullptr;

  reduce->setOperand(0, element);
  Block &combine = reduce.getReductions()[0].front();
  OpBuilder combineBuilder = OpBuilder::atBlockEnd(&combine);
  IRMapping arguments;
  arguments.map(combiner->getOperand(1 - elementIndex), combine.getArgument(0));
  arguments.map(combiner->getOperand(elementIndex), combine.getArgument(1));
  Operation *combined = combineBuilder.clone(*combiner, arguments);
  scf::ReduceReturnOp::create(combineBuilder, loc, combined->getResult(0));
  return setLevel(loop.getResult(0), level);
}
