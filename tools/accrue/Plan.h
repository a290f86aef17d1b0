//===- Plan.h - The plan of a command ---------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_PLAN_H
#define ACCRUE_TOOLS_ACCRUE_PLAN_H

#include "Session.h"
#include "accrue/Driver/PlanReport.h"

namespace accrue::tool {

/// The differentiated step of a session, with the analysis of its batch.
struct AnalyzedStep {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  BatchPlan plan;
};

/// Differentiates and analyses the model. Fails after an error.
mlir::FailureOr<AnalyzedStep> analyzeStep(Session &session);

/// The end of an epoch of `samples` samples.
EpochPlan planEpoch(const Session &session, int64_t samples, bool keepTail,
                    int64_t steps);

/// Prints the plan, with `epoch` where the size of the data is known.
void printPlan(Session &session, const AnalyzedStep &step,
               const std::optional<EpochPlan> &epoch, llvm::raw_ostream &os);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_PLAN_H
