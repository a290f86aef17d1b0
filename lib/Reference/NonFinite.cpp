//===- NonFinite.cpp - Where values stop to be finite ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/NonFinite.h"

#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

namespace {
enum class Level { Finite, Infinite, NaN };

/// Collects what a run comes upon.
class Finder {
public:
  /// Returns false once nothing worse can come.
  bool look(Value value, const Tensor &tensor, ArrayRef<Tensor> operands);

  SmallVector<NonFinite, 2> found;
  Level worst = Level::Finite;
};
} // namespace

static Level getLevel(double value) {
  return std::isfinite(value) ? Level::Finite
         : std::isnan(value)  ? Level::NaN
                              : Level::Infinite;
}

/// The worst element of `tensor` and its place.
static std::pair<Level, int64_t> findWorst(const Tensor &tensor) {
  std::pair<Level, int64_t> worst = {Level::Finite, 0};
  if (!tensor.isFloat())
    return worst;
  for (auto [place, value] : llvm::enumerate(tensor.getFloats()))
    if (Level level = getLevel(value); level > worst.first)
      worst = {level, static_cast<int64_t>(place)};
  return worst;
}

bool Finder::look(Value value, const Tensor &tensor,
                  ArrayRef<Tensor> operands) {
  auto [level, place] = findWorst(tensor);
  if (level <= worst)
    return true;
  for (const Tensor &operand : operands)
    if (findWorst(operand).first >= level)
      return true;
  worst = level;
  NonFinite &item = found.emplace_back();
  item.value = value;
  item.element = tensor.getFloats()[place];
  for (const Tensor &operand : operands) {
    std::optional<double> &element = item.operands.emplace_back();
    if (operand.isFloat() && operand.getShape() == tensor.getShape())
      element = operand.getFloats()[place];
  }
  item.index.resize(tensor.getRank());
  for (int64_t dim = tensor.getRank() - 1; dim >= 0; --dim) {
    item.index[dim] = place % tensor.getShape()[dim];
    place /= tensor.getShape()[dim];
  }
  return worst != Level::NaN;
}

FailureOr<SmallVector<NonFinite, 2>>
reference::findNonFinite(func::FuncOp function, ArrayRef<Tensor> arguments,
                         InterpreterOptions options) {
  Finder finder;
  for (auto [value, argument] :
       llvm::zip_equal(function.getArguments(), arguments))
    if (!finder.look(value, argument, {}))
      return finder.found;
  auto observe = [&](Operation &op, ArrayRef<Tensor> operands,
                     ArrayRef<Tensor> results) {
    if (op.hasTrait<OpTrait::ConstantLike>())
      return true;
    for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
      if (!finder.look(value, result, operands))
        return false;
    return true;
  };
  options.observe = observe;
  if (failed(interpret(function, arguments, options)) &&
      finder.worst != Level::NaN)
    return failure();
  return finder.found;
}
