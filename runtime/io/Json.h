//===- Json.h - What Accrue writes as JSON ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One way to write strings and numbers as JSON, shared by the safetensors
// header and the logs, so that equal values are equal bytes. Reading is left to
// nlohmann-json.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_JSON_H
#define ACCRUE_RUNTIME_IO_JSON_H

#include <string>
#include <string_view>

namespace accrue::io {

/// `text` in quotes with JSON escapes. Bytes that are not UTF-8 become U+FFFD.
std::string quoteJson(std::string_view text);

/// The shortest decimal that reads back as the same number of the same type;
/// `null` for infinities and NaN, which JSON does not have.
std::string formatJson(double value);
std::string formatJson(float value);

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_JSON_H
