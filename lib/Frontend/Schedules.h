//===- Schedules.h - The schedules of the model language --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule is a table of options and a function that makes an attribute of
// their values.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FRONTEND_SCHEDULES_H
#define ACCRUE_LIB_FRONTEND_SCHEDULES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace accrue::frontend {

enum class ScheduleOptionType {
  /// A whole number of steps.
  Steps,
  /// A learning rate, at most that of the optimizer; its value is the part of
  /// that.
  Rate,
  Number
};

/// An option of a schedule; it must be given if there is no fallback.
struct ScheduleOption {
  llvm::StringLiteral name;
  ScheduleOptionType type;
  std::optional<double> fallback;
};

struct ScheduleKind {
  llvm::StringLiteral name;
  llvm::SmallVector<ScheduleOption, 3> options;
  /// Null, after an error, where the values do not go together.
  mlir::Attribute (*build)(
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
      mlir::MLIRContext *context, llvm::ArrayRef<double> values);
};

/// All schedules, by name.
llvm::ArrayRef<ScheduleKind> getSchedules();

} // namespace accrue::frontend

#endif // ACCRUE_LIB_FRONTEND_SCHEDULES_H
