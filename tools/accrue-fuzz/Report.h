//===- Report.h - What many random programs came to -------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_FUZZ_REPORT_H
#define ACCRUE_TOOLS_ACCRUE_FUZZ_REPORT_H

#include "accrue/Fuzz/ProgramCheck.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace accrue::fuzz {

/// Counts of programs and of their splits.
class Report {
public:
  void add(mlir::func::FuncOp model, const CheckResult &result);

  int64_t getPrograms() const { return programs; }
  /// Programs with a split that is different or broken.
  int64_t getFailures() const;

  /// For people.
  void print(llvm::raw_ostream &os) const;
  void write(llvm::json::OStream &json) const;

private:
  int64_t programs = 0, coupled = 0;
  std::map<Outcome, int64_t> programsByOutcome, splitsByOutcome;
  /// Splits that were refused, by reason.
  std::map<std::string, int64_t> refusals;
  /// Programs by the most loops of a split.
  std::map<int64_t, int64_t> loops;
  /// Programs that contain an op.
  std::map<std::string, int64_t> ops;
  /// The largest error of a split that is equal.
  double largestError = 0;
};

} // namespace accrue::fuzz

#endif // ACCRUE_TOOLS_ACCRUE_FUZZ_REPORT_H
