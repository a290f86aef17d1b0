//===- HoistFactors.cpp - Late factors behind the loop --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number that is known only after a visit of the batch, and multiplies what
// is summed over the batch, makes a second visit: sum(c x). Where every op
// between is homogeneous in what carries the factor, it multiplies the sum
// instead: c sum(x). See docs/accumulation.md, "Factors".
//
//===----------------------------------------------------------------------===//

#include "HoistFactors.h"
#include "LinearOperands.h"
#include "accrue/Analysis/NumberRanges.h"
#include "accrue/Dialect/NN/Builders.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace accrue;

namespace {
/// Numbers and their exponents, by the order of the numbers in `FactorHoister`.
using Factors = SmallVector<std::pair<unsigned, int64_t>, 2>;

/// Factors of a value.
struct Scale {
  Factors factors;
  /// How often the value is multiplied by a number, or divided by one: a number
  /// is one, whatever its factors are.
  int64_t power = 0;
};

/// A value as `rest` times the product of the factors of `scale`.
struct Factored {
  Value rest;
  Scale scale;
  /// What the value is without the factors of its operands; a number has that
  /// among its factors, and the rest 1.
  Value applied;
};

class FactorHoister {
public:
  FactorHoister(FunctionOpInterface function,
                const llvm::DenseSet<Value> &partialSums)
      : function(function), partialSums(partialSums), builder(function) {}

  SmallVector<Operation *> run();

private:
  void visit(Operation *op);
  /// The factors of the result of `op`, if they pass it: in operands in which
  /// it is homogeneous, or in all terms alike.
  std::optional<Scale> passFactors(Operation *op);
  std::optional<Scale> multiplyFactors(BatchOpInterface op);
  std::optional<Scale> getCommonFactors(BatchOpInterface op);
  /// `op` applied to what its operands are without their factors.
  Value applyToRests(Operation *op);
  /// Adds `value` to the numbers; none if it may be infinite or NaN.
  std::optional<unsigned> addNumber(Value value);
  bool isNeverZero(const Factors &factors);
  /// `factored` as one value.
  Value multiplyOut(const Factored &factored, Location loc);
  Value createOne(Value like);

  FunctionOpInterface function;
  const llvm::DenseSet<Value> &partialSums;
  OpBuilder builder;
  NumberRanges ranges;
  /// Values that depend on samples.
  llvm::DenseSet<Value> dependent;
  SmallVector<Value> numbers;
  llvm::DenseMap<Value, Factored> factored;
};
} // namespace

/// Without their factors values are larger: halves may overflow.
static bool isWideFloat(Value value) {
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
  return type && type.getWidth() >= 32;
}

static bool isNumber(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank() == 0;
}

/// Whether every element is known to be 0.
static bool isZero(Value value) {
  while (true) {
    if (matchPattern(value, m_AnyZeroFloat()))
      return true;
    auto op = value.getDefiningOp<BatchOpInterface>();
    if (!op || op->getNumOperands() != 1 ||
        !op.isLinearIn(llvm::SmallBitVector(1, true)))
      return false;
    value = op->getOperand(0);
  }
}

/// Adds `exponent` times `added` to `factors`; what cancels goes.
static void multiplyBy(Factors &factors, const Factors &added,
                       int64_t exponent) {
  for (auto [number, power] : added) {
    auto it = llvm::lower_bound(
        factors, number, [](const auto &a, unsigned b) { return a.first < b; });
    if (it == factors.end() || it->first != number)
      it = factors.insert(it, {number, 0});
    it->second += power * exponent;
    if (it->second == 0)
      factors.erase(it);
  }
}

Value FactorHoister::createOne(Value like) {
  return nn::createSplat(builder, like.getLoc(),
                         cast<RankedTensorType>(like.getType()), 1.0);
}

bool FactorHoister::isNeverZero(const Factors &factors) {
  return llvm::all_of(factors, [&](auto factor) {
    return !ranges.get(numbers[factor.first])->contains(0);
  });
}

std::optional<unsigned> FactorHoister::addNumber(Value value) {
  if (!ranges.get(value))
    return std::nullopt;
  numbers.push_back(value);
  return numbers.size() - 1;
}

std::optional<Scale> FactorHoister::multiplyFactors(BatchOpInterface op) {
  Scale scale;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto it = factored.find(operand);
    if (it == factored.end())
      continue;
    std::optional<int64_t> degree = op.getDegreeIn(i);
    if (!degree || (*degree < 0 && !isNeverZero(it->second.scale.factors)))
      return std::nullopt;
    multiplyBy(scale.factors, it->second.scale.factors, *degree);
    scale.power += it->second.scale.power * *degree;
  }
  return scale;
}

std::optional<Scale> FactorHoister::getCommonFactors(BatchOpInterface op) {
  llvm::SmallBitVector carrying(op->getNumOperands());
  const Scale *common = nullptr;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto it = factored.find(operand);
    if (it == factored.end())
      continue;
    if (common && common->factors != it->second.scale.factors)
      return std::nullopt;
    if (!common || std::abs(it->second.scale.power) > std::abs(common->power))
      common = &it->second.scale;
    carrying.set(i);
  }
  std::optional<llvm::SmallBitVector> linear = findLinearOperands(
      carrying, [&](const auto &set) { return op.isLinearIn(set); });
  if (!linear)
    return std::nullopt;
  // A term without the factor may only be 0.
  for (unsigned i : linear->set_bits())
    if (!carrying.test(i) && !isZero(op->getOperand(i)))
      return std::nullopt;
  return *common;
}

std::optional<Scale> FactorHoister::passFactors(Operation *op) {
  auto batchOp = dyn_cast<BatchOpInterface>(op);
  auto carries = [&](Value operand) { return factored.contains(operand); };
  if (!batchOp || op->getNumResults() != 1 ||
      !llvm::any_of(op->getOperands(), carries) ||
      !isWideFloat(op->getResult(0)))
    return std::nullopt;
  // What rounds to a narrower type may overflow.
  for (Value operand : op->getOperands())
    if (carries(operand) &&
        getElementTypeOrSelf(operand.getType()).getIntOrFloatBitWidth() >
            getElementTypeOrSelf(op->getResult(0).getType())
                .getIntOrFloatBitWidth())
      return std::nullopt;
  std::optional<Scale> scale = multiplyFactors(batchOp);
  if (!scale)
    scale = getCommonFactors(batchOp);
  if (!scale)
    return std::nullopt;
  if (isNumber(op->getResult(0)))
    scale->power = 1;
  // What is not multiplied by a number is as large as what there is anyway. A
  // square of that is not: of exponentials, each without its divisor, it
  // overflows.
  if (std::abs(scale->power) > 1)
    return std::nullopt;
  return scale;
}

Value FactorHoister::applyToRests(Operation *op) {
  builder.setInsertionPointAfter(op);
  IRMapping mapping;
  bool isDependent = false;
  for (Value operand : op->getOperands()) {
    auto it = factored.find(operand);
    Value rest = it == factored.end() ? operand : it->second.rest;
    mapping.map(operand, rest);
    isDependent |= dependent.contains(rest);
  }
  Operation *clone = builder.clone(*op, mapping);
  Value rest = clone->getResult(0);
  SmallVector<Value> folded;
  if (succeeded(builder.tryFold(clone, folded)) && !folded.empty()) {
    rest = folded.front();
    clone->erase();
  }
  if (isDependent)
    dependent.insert(rest);
  return rest;
}

void FactorHoister::visit(Operation *op) {
  if (llvm::any_of(op->getOperands(),
                   [&](Value operand) { return dependent.contains(operand); }))
    dependent.insert_range(op->getResults());
  if (op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  if (std::optional<Scale> scale = passFactors(op)) {
    Value applied = applyToRests(op), rest = applied;
    if (isNumber(rest) && dependent.contains(rest))
      if (std::optional<unsigned> number = addNumber(rest)) {
        multiplyBy(scale->factors, {{*number, 1}}, 1);
        builder.setInsertionPointAfter(op);
        rest = createOne(rest);
      }
    factored[result] = {rest, *scale, applied};
    return;
  }
  if (!isNumber(result) || !dependent.contains(result) || !isWideFloat(result))
    return;
  if (std::optional<unsigned> number = addNumber(result)) {
    builder.setInsertionPointAfter(op);
    factored[result] = {createOne(result), {{{*number, 1}}, 1}, result};
  }
}

Value FactorHoister::multiplyOut(const Factored &factored, Location loc) {
  auto type = cast<RankedTensorType>(factored.rest.getType());
  auto numberType = RankedTensorType::get({}, type.getElementType());
  Value product;
  for (auto [number, exponent] : factored.scale.factors) {
    Value factor = numbers[number];
    if (factor.getType() != numberType)
      factor = nn::ConvertOp::create(builder, loc, numberType, factor);
    if (!product && exponent < 0)
      product = createOne(factor);
    for (int64_t i = 0, e = std::abs(exponent); i != e; ++i)
      product =
          !product ? factor
          : exponent > 0
              ? nn::MulOp::create(builder, loc, numberType, product, factor)
                    .getResult()
              : nn::DivOp::create(builder, loc, numberType, product, factor)
                    .getResult();
  }
  if (matchPattern(factored.rest, m_OneFloat()))
    return product;
  if (type.getRank() > 0)
    product = nn::BroadcastOp::create(
        builder, loc, type, product,
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  return nn::MulOp::create(builder, loc, type, factored.rest, product);
}

SmallVector<Operation *> FactorHoister::run() {
  Block &block = function.getFunctionBody().front();
  for (BlockArgument argument : block.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), train::attrs::kBatchDim))
      dependent.insert(argument);
  // What is built for an op comes before the next one.
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ArrayRef(ops).drop_back())
    visit(op);

  // The sums, times what their terms carry. Values in the loops stay.
  SmallVector<Operation *> sums;
  for (auto [op, next] : llvm::zip(ops, ArrayRef(ops).drop_front())) {
    if (op->getNumResults() != 1)
      continue;
    Value result = op->getResult(0);
    auto it = factored.find(result);
    auto isItself = [&](auto factor) {
      return numbers[factor.first] == result;
    };
    if (it == factored.end() || !partialSums.contains(result) ||
        it->second.scale.factors.empty() ||
        // Numbers only: nothing is summed without them.
        !dependent.contains(it->second.applied) ||
        llvm::any_of(it->second.scale.factors, isItself))
      continue;
    builder.setInsertionPoint(next);
    result.replaceAllUsesWith(multiplyOut(it->second, op->getLoc()));
    if (Operation *sum = it->second.applied.getDefiningOp())
      sums.push_back(sum);
  }
  function->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (!isOpTriviallyDead(op))
      return;
    llvm::erase(sums, op);
    op->erase();
  });
  return sums;
}

SmallVector<Operation *>
accrue::hoistFactors(FunctionOpInterface function,
                     const llvm::DenseSet<Value> &partialSums) {
  return FactorHoister(function, partialSums).run();
}
