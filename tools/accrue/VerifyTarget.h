//===- VerifyTarget.h - Compiled steps against the reference ----*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_VERIFYTARGET_H
#define ACCRUE_TOOLS_ACCRUE_VERIFYTARGET_H

#include "Session.h"
#include "accrue/Reference/Verify.h"

namespace accrue::tool {

/// `accrue verify --target cpu`: compiles the step for every micro-batch of
/// `options`, runs each once on the same numbers, and compares gradients, loss,
/// norm and metrics with the full batch as the interpreter has it in f64.
/// Returns the exit status.
int verifyTarget(Session &session, const reference::VerifyOptions &options);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_VERIFYTARGET_H
