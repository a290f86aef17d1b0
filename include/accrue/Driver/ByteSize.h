//===- ByteSize.h - Sizes as people write them ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DRIVER_BYTESIZE_H
#define ACCRUE_DRIVER_BYTESIZE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <string>

namespace accrue {

/// The bytes that `text` stands for: a decimal number with a unit, exactly.
/// KiB, MiB, GiB, TiB are powers of 1024, kB, MB, GB, TB of 1000; without a
/// unit, or with B, bytes. On failure `error` says why: a bare G would be
/// either, and a fraction has to be a whole number of bytes.
llvm::FailureOr<int64_t> parseByteSize(llvm::StringRef text,
                                       std::string &error);

/// `512 B`, `33,280 B (32.5 KiB)`: exact, and readable from 10 KiB on.
std::string formatByteSize(int64_t bytes);

} // namespace accrue

#endif // ACCRUE_DRIVER_BYTESIZE_H
