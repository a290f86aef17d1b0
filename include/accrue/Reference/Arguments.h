//===- Arguments.h - Arguments to run a model on ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_REFERENCE_ARGUMENTS_H
#define ACCRUE_REFERENCE_ARGUMENTS_H

#include "accrue/Reference/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace accrue::reference {

/// Arguments of `function`, which has roles and names, for a batch of `batch`
/// samples. Those in `given`, by name, are taken; an error where the shape or
/// the kind of elements differs. Others are drawn, each from its own stream of
/// `seed`:
///  - parameters from their initializer, plus a little noise where that is a
///    constant (a parameter that is all zeros hides errors);
///  - states are zero;
///  - float inputs from the standard normal distribution;
///  - integer inputs uniformly from [0, n), n the least `getIndexBound` of
///    their uses, followed through ops with a single integer operand and
///    integer results; n = 8 where no use has a bound;
///  - i1 inputs from {0, 1}.
/// Floats are rounded to the declared type.
llvm::FailureOr<llvm::SmallVector<Tensor>>
drawArguments(mlir::func::FuncOp function, int64_t batch, uint64_t seed,
              const llvm::StringMap<Tensor> &given = {});

} // namespace accrue::reference

#endif // ACCRUE_REFERENCE_ARGUMENTS_H
