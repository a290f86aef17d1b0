//===- Json.cpp - What Accrue writes as JSON ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strings are escaped by nlohmann-json and numbers formatted by fmt, whose
// default is the shortest decimal that round-trips.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace accrue::io {

std::string quoteJson(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(/*indent=*/-1, /*indent_char=*/' ',
                         /*ensure_ascii=*/false,
                         Json::error_handler_t::replace);
}

template <typename T>
static std::string formatFinite(T value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string formatJson(double value) { return formatFinite(value); }
std::string formatJson(float value) { return formatFinite(value); }

} // namespace accrue::io
