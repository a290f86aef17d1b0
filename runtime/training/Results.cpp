//===- Results.cpp - Results as JSON --------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/training/Results.h"

using namespace accrue;

io::JsonLine &accrue::addNumber(io::JsonLine &line, std::string_view key,
                                double value) {
  auto narrow = static_cast<float>(value);
  return narrow == value ? line.add(key, narrow) : line.add(key, value);
}

io::JsonLine accrue::formatMetrics(const Executable &executable,
                                   const RunResults &results) {
  io::JsonLine line;
  io::ArrayView<std::string> names = executable.getMetricNames();
  for (size_t i = 0; i < names.size(); ++i)
    addNumber(line, names[i], results.metrics[i]);
  return line;
}
