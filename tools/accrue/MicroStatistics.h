//===- MicroStatistics.h - What --batch-norm micro changes ------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_MICROSTATISTICS_H
#define ACCRUE_TOOLS_ACCRUE_MICROSTATISTICS_H

#include "Plan.h"
#include "runtime/training/TrainingLoop.h"

namespace accrue::tool {

/// Warns of the ops that take statistics of micro-batches, if there are any,
/// and says how far these are expected to lie from those of the batch.
void warnOfMicroStatistics(const Session &session, const AnalyzedStep &step);

/// The same for a program that is emitted, which cannot measure. Returns the
/// exit status.
int warnOfMicroStatistics(Session &session);

/// The same warning for a run, once its first batch and its weights are there:
/// says how far the statistics lie apart on that batch, unless it takes long to
/// compute. `session` and `step` have to outlive what is returned.
InspectStep warnOfMeasuredStatistics(const Session &session,
                                     const AnalyzedStep &step);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_MICROSTATISTICS_H
