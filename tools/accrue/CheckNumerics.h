//===- CheckNumerics.h - Why a step was not finite --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_CHECKNUMERICS_H
#define ACCRUE_TOOLS_ACCRUE_CHECKNUMERICS_H

#include "Plan.h"
#include "runtime/training/TrainingLoop.h"

namespace accrue::tool {

/// Interprets the differentiated step of a batch as a whole, and reports, as an
/// error at its place in the model, the first value that is not finite. `step`
/// has to outlive what is returned.
InspectStep explainWithInterpreter(const AnalyzedStep &step);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_CHECKNUMERICS_H
