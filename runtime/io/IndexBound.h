//===- IndexBound.h - Valid values of integer inputs ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_INDEXBOUND_H
#define ACCRUE_RUNTIME_IO_INDEXBOUND_H

#include <cstdint>
#include <string>

namespace accrue::io {

/// Elements [begin, end) of every sample of an integer input, counted in C
/// order without the batch dimension, have to be in [0, bound).
struct IndexBound {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t bound = 0;
  /// Who needs it, for messages: "cross_entropy at digits.acr:12:8".
  std::string reader;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_INDEXBOUND_H
