//===- Tolerance.h - Errors that are rounding -------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which errors of a result are accepted as another order of summation.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_TOLERANCE_H
#define ACCRUE_REFERENCE_TOLERANCE_H

#include "accrue/Reference/Interpreter.h"
#include <string>

namespace accrue::reference {

/// The largest accepted error of a well-conditioned result that is computed in
/// this type: 1e-12 for f64 and integers, 1e-5 for f32, one hundred times the
/// unit roundoff below.
double getTolerance(mlir::Type elementType);

/// The largest accepted errors of a result, by the measure of `getError`.
struct ResultTolerance {
  /// Where all is computed in f64.
  double f64 = 0;
  /// Where all is computed in the declared types.
  double declared = 0;
  /// How far rounding alone moves the result in f64, where it has widened the
  /// tolerance.
  double rounding = 0;
};

/// For every result of `step`, the tolerance of the coarsest float type among
/// what it is computed from.
llvm::SmallVector<ResultTolerance> getTolerances(mlir::func::FuncOp step);

/// Widens, up to a limit, the tolerances of results that move further when
/// every op of `step`, the step of the full batch, rounds in another way, as
/// losses do that cancel. It takes several runs, so it is for results that are
/// beyond the tolerance. Fails, after an error, where `step` cannot be
/// interpreted.
llvm::LogicalResult
widenTolerances(mlir::func::FuncOp step, llvm::ArrayRef<Tensor> arguments,
                int64_t batch,
                llvm::MutableArrayRef<ResultTolerance> tolerances);

/// A remark behind the errors of a result whose tolerance was widened.
std::string formatRounding(const ResultTolerance &tolerance);

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_TOLERANCE_H
