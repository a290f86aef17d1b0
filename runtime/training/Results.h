//===- Results.h - Results as JSON ------------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_TRAINING_RESULTS_H
#define ACCRUE_RUNTIME_TRAINING_RESULTS_H

#include "runtime/io/Jsonl.h"
#include "runtime/training/Executable.h"

namespace accrue {

/// Adds a result: the shortest decimal of its f32 value if it is one.
io::JsonLine &addNumber(io::JsonLine &line, std::string_view key, double value);

/// The metrics of `results`, which are of `executable`, by name.
io::JsonLine formatMetrics(const Executable &executable,
                           const RunResults &results);

} // namespace accrue

#endif // ACCRUE_RUNTIME_TRAINING_RESULTS_H
