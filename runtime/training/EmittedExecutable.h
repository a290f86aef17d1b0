//===- EmittedExecutable.h - An emitted model to train ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_EMITTEDEXECUTABLE_H
#define ACCRUE_RUNTIME_TRAINING_EMITTEDEXECUTABLE_H

#include "runtime/training/EmittedModel.h"
#include "runtime/training/Executable.h"

namespace accrue {

/// Creates `model`, which has to outlive the result, on the current device.
/// Tensors have a copy on the host.
io::Result<std::unique_ptr<Executable>>
createExecutable(const EmittedModel &model);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_EMITTEDEXECUTABLE_H
