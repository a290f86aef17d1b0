//===- Describe.h - What a program looks like from outside ------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TARGET_DESCRIBE_H
#define ACCRUE_TARGET_DESCRIBE_H

#include "accrue/Dialect/Train/Signature.h"
#include "runtime/training/Executable.h"

namespace accrue {

/// The stored form of an element type; none for types that are not stored.
std::optional<io::DType> getDType(mlir::Type elementType);

/// The batch inputs of `function`, whose signature is `signature`. Fails, after
/// an error at the argument, where one cannot be read from a file.
mlir::FailureOr<std::vector<InputInfo>>
describeInputs(mlir::func::FuncOp function, const train::Signature &signature);

/// The names of the metrics, in the order of the results.
std::vector<std::string> describeMetrics(const train::Signature &signature);

} // namespace accrue

#endif // ACCRUE_TARGET_DESCRIBE_H
