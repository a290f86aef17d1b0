//===- Notes.h - How an emitted program came about --------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_TOOLS_ACCRUE_NOTES_H
#define ACCRUE_TOOLS_ACCRUE_NOTES_H

#include "Session.h"
#include <vector>

namespace accrue::tool {

/// What `session` compiles and with which choices, for the head of emitted
/// text, one line each. Only what the program depends on: no paths, no times.
std::vector<std::string> describeBuild(const Session &session);

} // namespace accrue::tool

#endif // ACCRUE_TOOLS_ACCRUE_NOTES_H
