//===- GradientCheck.cpp - Gradients against differences ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/GradientCheck.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Interfaces/DifferentiableOpInterface.h"
#include "accrue/Reference/Interpreter.h"
#include "mlir/IR/TypeUtilities.h"
#include "runtime/io/Init.h"
#include "runtime/io/Philox.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

/// The first result of this kind.
static std::optional<unsigned> findResult(func::FuncOp function,
                                          train::ResultKind kind) {
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (auto attr = function.getResultAttrOfType<train::ResultKindAttr>(
            i, train::attrs::kResult))
      if (attr.getValue() == kind)
        return i;
  return std::nullopt;
}

static std::optional<unsigned> findArgument(func::FuncOp function,
                                            StringAttr name) {
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
    if (function.getArgAttr(i, train::attrs::kName) == name)
      return i;
  return std::nullopt;
}

namespace {
/// The directions along which one parameter tensor is moved, each of length 1.
class Probes {
public:
  Probes(int64_t size, StringRef name, const GradientCheckOptions &options)
      : size(size) {
    for (unsigned i = 0; i < options.directions; ++i)
      directions.push_back(drawDirection(name, i, options.seed));
    // Elements without repetition; all of them where there are few.
    uint64_t stream = io::hashName(name.str() + "/elements");
    std::vector<int64_t> all(size);
    for (int64_t i = 0; i < size; ++i)
      all[i] = i;
    int64_t count = std::min<int64_t>(options.elements, size);
    for (int64_t i = 0; i < count; ++i) {
      uint64_t word = io::philoxWords(options.seed, stream, i).first;
      std::swap(all[i], all[i + word % (size - i)]);
    }
    elements.assign(all.begin(), all.begin() + count);
  }

  unsigned getCount() const { return directions.size() + elements.size(); }

  /// values += step * direction.
  void move(unsigned probe, double step, MutableArrayRef<double> values) const {
    if (probe >= directions.size()) {
      values[elements[probe - directions.size()]] += step;
      return;
    }
    for (int64_t i = 0; i < size; ++i)
      values[i] += step * directions[probe][i];
  }

  /// The derivative along the direction.
  double project(unsigned probe, ArrayRef<double> gradient) const {
    if (probe >= directions.size())
      return gradient[elements[probe - directions.size()]];
    double sum = 0;
    for (int64_t i = 0; i < size; ++i)
      sum += gradient[i] * directions[probe][i];
    return sum;
  }

private:
  std::vector<double> drawDirection(StringRef name, unsigned index,
                                    uint64_t seed) const {
    std::vector<double> direction(size);
    io::initialize(io::Initializer::normal(0, 1), seed,
                   name.str() + "/direction", direction.data(), size,
                   index * size);
    double square = 0;
    for (double value : direction)
      square += value * value;
    for (double &value : direction)
      value /= std::sqrt(square);
    return direction;
  }

  int64_t size;
  std::vector<std::vector<double>> directions;
  std::vector<int64_t> elements;
};

/// Whether derivatives take what `op` computes from floats for a constant.
bool isConstantForDerivatives(Operation &op) {
  auto rule = dyn_cast<DifferentiableOpInterface>(op);
  bool hasFloats = llvm::any_of(op.getOperandTypes(), [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  });
  return rule && hasFloats &&
         llvm::all_of(llvm::seq(op.getNumOperands()), [&](unsigned operand) {
           return rule.isInactiveOperand(operand);
         });
}

/// Evaluates the loss of a model with one argument moved. What derivatives take
/// for a constant stays as it is for the arguments that are not moved.
class LossFunction {
public:
  LossFunction(func::FuncOp model, unsigned lossIndex,
               ArrayRef<Tensor> arguments, int64_t batch)
      : model(model), lossIndex(lossIndex),
        arguments(arguments.begin(), arguments.end()),
        options{batch, Precision::F64} {}

  /// The loss itself; to be called first.
  LogicalResult evaluateAtArguments() {
    InterpreterOptions recording = options;
    auto record = [&](Operation &op, ArrayRef<Tensor>,
                      ArrayRef<Tensor> results) {
      if (isConstantForDerivatives(op))
        constants.emplace_back(results.begin(), results.end());
      return true;
    };
    recording.observe = record;
    FailureOr<SmallVector<Tensor>> results =
        interpret(model, arguments, recording);
    if (failed(results))
      return failure();
    loss = (*results)[lossIndex].getFloats().front();
    return success();
  }

  /// (loss(x + step * d) - loss(x - step * d)) / (2 * step).
  FailureOr<double> differentiate(unsigned argument, const Probes &probes,
                                  unsigned probe, double step) const {
    FailureOr<double> after = evaluate(argument, probes, probe, step);
    FailureOr<double> before = evaluate(argument, probes, probe, -step);
    if (failed(after) || failed(before))
      return failure();
    return (*after - *before) / (2 * step);
  }

  /// What rounding alone may make of a difference with this step: the loss
  /// itself is known to a few units in the last place.
  double getNoise(double step) const {
    return 16 * std::numeric_limits<double>::epsilon() *
           std::max(1.0, std::abs(loss)) / step;
  }

private:
  FailureOr<double> evaluate(unsigned argument, const Probes &probes,
                             unsigned probe, double step) const {
    SmallVector<Tensor> moved = arguments;
    probes.move(probe, step, moved[argument].getMutableFloats());
    // A run has the same ops in the same order, loops included.
    size_t next = 0;
    auto provide = [&](Operation &op, SmallVectorImpl<Tensor> &results) {
      if (!isConstantForDerivatives(op))
        return false;
      assert(next < constants.size() && "every run has the same ops");
      llvm::append_range(results, constants[next++]);
      return true;
    };
    InterpreterOptions replaying = options;
    replaying.provide = provide;
    FailureOr<SmallVector<Tensor>> results = interpret(model, moved, replaying);
    if (failed(results))
      return failure();
    return (*results)[lossIndex].getFloats().front();
  }

  func::FuncOp model;
  unsigned lossIndex;
  SmallVector<Tensor> arguments;
  InterpreterOptions options;
  double loss = 0;
  /// In the order of a run.
  SmallVector<SmallVector<Tensor>> constants;
};
} // namespace

/// Compares `gradient` with the differences along all probes.
static FailureOr<GradientCheckResult>
checkGradient(const LossFunction &loss, unsigned argument, StringRef name,
              const Tensor &gradient, const GradientCheckOptions &options) {
  Probes probes(gradient.getNumElements(), name, options);
  GradientCheckResult result{name.str(), probes.getCount()};
  SmallVector<double> expected, coarse, fine;
  double noise = loss.getNoise(options.step / 2);
  double scale = std::max(1e-6, noise / options.tolerance);
  for (unsigned probe = 0; probe < probes.getCount(); ++probe) {
    FailureOr<double> large =
        loss.differentiate(argument, probes, probe, options.step);
    FailureOr<double> small =
        loss.differentiate(argument, probes, probe, options.step / 2);
    if (failed(large) || failed(small))
      return failure();
    coarse.push_back(*large);
    fine.push_back(*small);
    expected.push_back(probes.project(probe, gradient.getFloats()));
    scale = std::max(scale, std::abs(expected.back()));
  }
  for (auto [a, b, reference] : llvm::zip_equal(coarse, fine, expected)) {
    if (std::abs(a - b) > options.tolerance * scale) {
      ++result.kinks;
      continue;
    }
    double error = std::abs(b - reference) / scale;
    // A NaN is an error, not a small one.
    if (!(error <= options.tolerance))
      result.passed = false;
    result.error = std::isnan(error) ? error : std::max(result.error, error);
  }
  return result;
}

FailureOr<SmallVector<GradientCheckResult>>
reference::checkGradients(func::FuncOp model, func::FuncOp step,
                          ArrayRef<Tensor> arguments,
                          const GradientCheckOptions &options) {
  std::optional<unsigned> lossIndex =
      findResult(model, train::ResultKind::loss);
  if (!lossIndex)
    return model.emitOpError("expected a result marked as loss");
  FailureOr<SmallVector<Tensor>> results =
      interpret(step, arguments, {options.batch, Precision::F64});
  if (failed(results))
    return failure();
  LossFunction loss(model, *lossIndex, arguments, options.batch);
  if (failed(loss.evaluateAtArguments()))
    return failure();

  SmallVector<GradientCheckResult> checks;
  for (unsigned i = 0, e = step.getNumResults(); i != e; ++i) {
    auto kind = step.getResultAttrOfType<train::ResultKindAttr>(
        i, train::attrs::kResult);
    auto name = step.getResultAttrOfType<StringAttr>(i, train::attrs::kName);
    if (!kind || kind.getValue() != train::ResultKind::gradient || !name)
      continue;
    std::optional<unsigned> argument = findArgument(model, name);
    if (!argument)
      return model.emitOpError("expected a parameter ") << name;
    FailureOr<GradientCheckResult> check =
        checkGradient(loss, *argument, name.getValue(), (*results)[i], options);
    if (failed(check))
      return failure();
    checks.push_back(*check);
  }
  return checks;
}
