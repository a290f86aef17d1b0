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
#include "accrue/Planner/MemoryPlan.h"

namespace accrue::tool {

/// The differentiated step of a session, with the analysis of its batch.
struct AnalyzedStep {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  BatchPlan plan;
};

/// Differentiates and analyses the model. Fails after an error.
mlir::FailureOr<AnalyzedStep> analyzeStep(Session &session);

/// Warns, at the first such place, where rows meet that enumerate the samples
/// in different orders: exact, but rarely meant.
void warnOfReordered(const AnalyzedStep &step);

/// The end of an epoch of `samples` samples.
EpochPlan planEpoch(const Session &session, int64_t samples, bool keepTail,
                    int64_t steps);

/// The memory plan of `programs`, which share their arenas. Fails after an
/// error.
mlir::FailureOr<MemoryPlan>
planMemory(const Session &session, llvm::ArrayRef<PipelineOptions> programs);
/// The same, as the session compiles them.
mlir::FailureOr<MemoryPlan> planMemory(const Session &session,
                                       llvm::ArrayRef<ProgramInfo> programs);

/// Chooses micro-batch and policy by --memory, for `programs`. Does nothing
/// without the option. Returns the exit status.
int fitMemory(Session &session, llvm::ArrayRef<ProgramInfo> programs);

/// Prints where the bytes of the session's programs go, for one micro-batch and
/// as split.
mlir::LogicalResult printMemory(const Session &session, llvm::raw_ostream &os);

/// Prints the plan, with `epoch` where the size of the data is known.
void printPlan(Session &session, const AnalyzedStep &step,
               const std::optional<EpochPlan> &epoch, llvm::raw_ostream &os);

/// Prints the plan and what --explain asks for to stdout or -o. Returns the
/// exit status.
int printPlanAndReasons(Session &session);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_PLAN_H
