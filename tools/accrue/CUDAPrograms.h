//===- CUDAPrograms.h - What is emitted for CUDA ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_CUDAPROGRAMS_H
#define ACCRUE_TOOLS_ACCRUE_CUDAPROGRAMS_H

#include "Session.h"
#include "accrue/Pipelines/Phases.h"
#include "accrue/Target/CUDA/Export.h"

namespace accrue::tool {

/// The programs that are emitted at `phase`: those of --batch and --entries
/// and, for CUDA, what --data and --eval-data ask for. Returns the exit status.
int getEmittedPrograms(const Session &session, Phase phase,
                       std::vector<ProgramInfo> &programs);

/// How the session asks CUDA C++ to be written.
cuda::ExportOptions getExportOptions(const Session &session);

/// What the main that trains says of the session's model. Fails after an error.
mlir::FailureOr<cuda::DriverOptions> getDriverOptions(const Session &session);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_CUDAPROGRAMS_H
