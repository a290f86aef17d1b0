//===- Interpreter.cpp - The reference interpreter ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Interpreter.h"
#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/BatchOpInterface.h"
#include "accrue/Interfaces/ReferenceOpInterface.h"
#include "runtime/io/Philox.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

namespace {
/// Evaluates blocks op by op; one environment for a function and its regions.
class Interpreter final : public EvaluationContext {
public:
  explicit Interpreter(const InterpreterOptions &options)
      : EvaluationContext(options.batch, options.precision),
        perturbation(options.perturbation), observe(options.observe),
        provide(options.provide) {}

  LogicalResult evaluateRegion(Region &region, ArrayRef<Tensor> arguments,
                               SmallVectorImpl<Tensor> &yielded) override;

private:
  LogicalResult evaluateOp(Operation &op);
  SmallVector<Tensor> getOperands(Operation &op) const;
  /// Changes the last digits of what an op computed from `operands`.
  void perturb(Operation &op, ArrayRef<Tensor> operands,
               MutableArrayRef<Tensor> results);

  DenseMap<Value, Tensor> values;
  uint64_t perturbation;
  /// Ops that were perturbed.
  uint64_t perturbed = 0;
  decltype(InterpreterOptions::observe) observe;
  decltype(InterpreterOptions::provide) provide;
};
} // namespace

SmallVector<Tensor> Interpreter::getOperands(Operation &op) const {
  SmallVector<Tensor> operands;
  for (Value operand : op.getOperands())
    operands.push_back(values.at(operand));
  return operands;
}

/// Counts and the like, and what is no number.
static bool isWhole(double value) {
  return !std::isfinite(value) || value == std::floor(value);
}

/// Whether `op` computes floats, rather than moves or chooses elements of its
/// operands. A reduction by a linear function is a sum, also where its results
/// happen to be elements.
static bool computes(Operation &op, ArrayRef<Tensor> operands,
                     ArrayRef<Tensor> results) {
  auto linear = dyn_cast<BatchOpInterface>(op);
  if (linear && operands.size() == 1 && results.size() == 1 &&
      results[0].getNumElements() < operands[0].getNumElements() &&
      linear.isLinearIn(llvm::SmallBitVector(1, true)))
    return true;
  std::set<double> elements;
  for (const Tensor &operand : operands)
    if (operand.isFloat())
      for (double value : operand.getFloats())
        if (!std::isnan(value))
          elements.insert(value);
  return llvm::any_of(results, [&](const Tensor &result) {
    return result.isFloat() &&
           llvm::any_of(result.getFloats(), [&](double value) {
             return !isWhole(value) && !elements.count(value);
           });
  });
}

void Interpreter::perturb(Operation &op, ArrayRef<Tensor> operands,
                          MutableArrayRef<Tensor> results) {
  if (!computes(op, operands, results))
    return;
  ++perturbed;
  for (Tensor &result : results) {
    if (!result.isFloat())
      continue;
    for (double &value : result.getMutableFloats()) {
      if (isWhole(value))
        continue;
      // Equal results of an op stay equal.
      uint64_t bits = io::philoxWords(perturbation, perturbed,
                                      llvm::bit_cast<uint64_t>(value))
                          .first;
      double digits = static_cast<double>(bits % 8) - 3.5;
      value += value * digits * 0x1p-52;
    }
  }
}

LogicalResult Interpreter::evaluateOp(Operation &op) {
  auto reference = dyn_cast<ReferenceOpInterface>(op);
  if (!reference)
    return op.emitOpError("has no reference semantics");
  SmallVector<Tensor> results;
  bool isProvided = provide && provide(op, results);
  SmallVector<Tensor> operands = getOperands(op);
  if (!isProvided && failed(reference.evaluate(operands, *this, results)))
    return failure();
  if (perturbation != 0 && !isProvided)
    perturb(op, operands, results);
  assert(results.size() == op.getNumResults() && "one tensor per result");
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
    values[value] = result;
  return success(isProvided || !observe || observe(op, operands, results));
}

LogicalResult Interpreter::evaluateRegion(Region &region,
                                          ArrayRef<Tensor> arguments,
                                          SmallVectorImpl<Tensor> &yielded) {
  if (!region.hasOneBlock())
    return region.getParentOp()->emitOpError(
               "expected one block to interpret, got ")
           << region.getBlocks().size();
  Block &block = region.front();
  for (auto [value, argument] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[value] = argument;
  for (Operation &op : block.without_terminator())
    if (failed(evaluateOp(op)))
      return failure();
  llvm::append_range(yielded, getOperands(*block.getTerminator()));
  return success();
}

int64_t reference::getLogicalBatch(func::FuncOp function,
                                   const InterpreterOptions &options) {
  if (options.batch > 0)
    return options.batch;
  auto batch = function->getAttrOfType<IntegerAttr>(train::attrs::kBatch);
  return batch ? batch.getInt() : 0;
}

/// The static type of `type` for `batch`; an error at the function where there
/// is none.
static RankedTensorType resolveType(func::FuncOp function, unsigned index,
                                    int64_t batch) {
  Type type = function.getArgumentTypes()[index];
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType) {
    function.emitOpError("expected argument ")
        << index << " to be a ranked tensor, got " << type;
    return {};
  }
  if (!tensorType.hasStaticShape() && batch == 0) {
    function.emitOpError("expected the batch to be given: argument ")
        << index << " has type " << type;
    return {};
  }
  RankedTensorType resolved = nn::getTypeForBatch(tensorType, batch);
  if (!resolved)
    function.emitOpError("argument ")
        << index << " of type " << type
        << " has no integer shape for a batch of " << batch;
  return resolved;
}

FailureOr<SmallVector<Tensor>>
reference::interpret(func::FuncOp function, ArrayRef<Tensor> arguments,
                     const InterpreterOptions &options) {
  int64_t batch = getLogicalBatch(function, options);
  if (function.isExternal())
    return function.emitOpError("expected a body to interpret");
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError("expected ")
           << function.getNumArguments() << " arguments, got "
           << arguments.size();
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    RankedTensorType type = resolveType(function, i, batch);
    if (!type)
      return failure();
    if (argument.getType() != type)
      return function.emitOpError("expected argument ")
             << i << " of type " << type << ", got " << argument.getType();
  }
  SmallVector<Tensor> results;
  InterpreterOptions resolved = options;
  resolved.batch = batch;
  Interpreter interpreter(resolved);
  if (failed(
          interpreter.evaluateRegion(function.getBody(), arguments, results)))
    return failure();
  return results;
}
