//===- Tolerance.cpp - Errors that are rounding ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Tolerance.h"
#include "mlir/IR/TypeUtilities.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

double reference::getTolerance(Type elementType) {
  if (elementType.isF16())
    return 100 * 0x1p-11;
  if (elementType.isBF16())
    return 100 * 0x1p-8;
  if (elementType.isF32())
    return 1e-5;
  return 1e-12;
}

/// The coarsest float type that each result of `step` is computed from, its own
/// included.
static SmallVector<FloatType> findCoarsestTypes(func::FuncOp step) {
  DenseMap<Value, FloatType> coarsest;
  auto getCoarser = [](FloatType a, FloatType b) {
    bool isSecond =
        b && (!a || b.getFPMantissaWidth() < a.getFPMantissaWidth());
    return isSecond ? b : a;
  };
  auto getOwn = [](Value value) {
    return dyn_cast<FloatType>(getElementTypeOrSelf(value));
  };
  for (Value argument : step.getArguments())
    coarsest[argument] = getOwn(argument);
  for (Operation &op : step.getBody().front()) {
    FloatType ofOperands;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        ofOperands = getCoarser(ofOperands, coarsest.lookup(operand));
    });
    for (Value result : op.getResults())
      coarsest[result] = getCoarser(ofOperands, getOwn(result));
  }
  return llvm::map_to_vector(
      step.getBody().front().getTerminator()->getOperands(),
      [&](Value result) { return coarsest.lookup(result); });
}

SmallVector<ResultTolerance> reference::getTolerances(func::FuncOp step) {
  double f64 = getTolerance(Float64Type::get(step.getContext()));
  return llvm::map_to_vector(
      llvm::zip_equal(step.getResultTypes(), findCoarsestTypes(step)),
      [&](auto result) {
        auto [type, coarsest] = result;
        // Integers are equal or not.
        bool isFloat = isa<FloatType>(getElementTypeOrSelf(type));
        return ResultTolerance{f64, isFloat ? getTolerance(coarsest) : f64};
      });
}

LogicalResult
reference::widenTolerances(func::FuncOp step, ArrayRef<Tensor> arguments,
                           int64_t batch,
                           MutableArrayRef<ResultTolerance> tolerances) {
  InterpreterOptions options{batch, Precision::F64};
  FailureOr<SmallVector<Tensor>> exact = interpret(step, arguments, options);
  if (failed(exact))
    return failure();
  SmallVector<double> moved(exact->size(), 0.0);
  for (uint64_t perturbation : {1, 2, 3}) {
    options.perturbation = perturbation;
    FailureOr<SmallVector<Tensor>> results =
        interpret(step, arguments, options);
    if (failed(results))
      return failure();
    for (auto [most, result, reference] :
         llvm::zip_equal(moved, *results, *exact))
      most = std::max(most, getError(result, reference));
  }

  // A perturbation is one rounding of a few units; a sum has many of one unit.
  constexpr double factor = 4;
  // What moves further is not determined: no error would be too large.
  constexpr double limit = 1e-8, coarseLimit = 1;
  FloatType f64 = Float64Type::get(step.getContext());
  for (auto [tolerance, result, coarsest, most] :
       llvm::zip_equal(tolerances, *exact, findCoarsestTypes(step), moved)) {
    if (!result.isFloat())
      continue;
    int bits = static_cast<int>(f64.getFPMantissaWidth()) -
               static_cast<int>(coarsest.getFPMantissaWidth());
    double inF64 = std::min(factor * most, limit);
    double inDeclared = std::min(factor * most * std::ldexp(1.0, bits),
                                 bits == 0 ? limit : coarseLimit);
    if (inF64 > tolerance.f64 || inDeclared > tolerance.declared)
      tolerance.rounding = most;
    tolerance.f64 = std::max(tolerance.f64, inF64);
    tolerance.declared = std::max(tolerance.declared, inDeclared);
  }
  return success();
}

std::string reference::formatRounding(const ResultTolerance &tolerance) {
  return tolerance.rounding == 0
             ? ""
             : fmt::format(", rounding moves it by {:.0e} in f64",
                           tolerance.rounding);
}
