//===- ByteSize.cpp - Sizes as people write them --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/ByteSize.h"

#include "runtime/io/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace accrue;

/// Bytes of a unit, or 0 where it is none.
static int64_t getUnit(StringRef unit) {
  return StringSwitch<int64_t>(unit)
      .Cases({"", "B"}, 1)
      .Case("KiB", int64_t(1) << 10)
      .Case("MiB", int64_t(1) << 20)
      .Case("GiB", int64_t(1) << 30)
      .Case("TiB", int64_t(1) << 40)
      .Case("kB", 1000)
      .Case("MB", 1000 * 1000)
      .Case("GB", 1000 * 1000 * 1000)
      .Case("TB", int64_t(1000) * 1000 * 1000 * 1000)
      .Default(0);
}

FailureOr<int64_t> accrue::parseByteSize(StringRef text, std::string &error) {
  StringRef number = text.take_while(
      [](char c) { return isDigit(c) || c == '.' || c == '_'; });
  StringRef unitText = text.drop_front(number.size()).ltrim(' ');
  int64_t unit = getUnit(unitText);
  if (number.empty() || number == "." || number.count('.') > 1) {
    error = formatv("expected a size such as 8GiB, got '{0}'", text);
    return failure();
  }
  if (unit == 0) {
    char prefix = toUpper(unitText.front());
    if (StringRef("KMGT").contains(prefix) &&
        (unitText.size() == 1 ||
         unitText.equals_insensitive(std::string{prefix, 'b'}) ||
         unitText.equals_insensitive(std::string{prefix, 'i', 'b'})))
      error = formatv("unknown unit '{0}': {1}iB is a power of 1024, {2}B a "
                      "power of 1000",
                      unitText, prefix, prefix == 'K' ? 'k' : prefix);
    else
      error = formatv("unknown unit '{0}' in the size '{1}'", unitText, text);
    return failure();
  }

  // Digits are taken as an integer over a power of ten, so nothing is rounded.
  int64_t digits = 0, scale = 1;
  bool fraction = false, overflow = false;
  for (char c : number) {
    if (c == '_')
      continue;
    if (c == '.') {
      fraction = true;
      continue;
    }
    overflow |= MulOverflow(digits, int64_t(10), digits);
    overflow |= AddOverflow(digits, int64_t(c - '0'), digits);
    if (fraction)
      overflow |= MulOverflow(scale, int64_t(10), scale);
  }
  int64_t bytes = 0;
  overflow |= MulOverflow(digits, unit, bytes);
  if (overflow) {
    error = formatv("the size '{0}' is too large", text);
    return failure();
  }
  if (bytes % scale != 0) {
    error = formatv("the size '{0}' is no whole number of bytes", text);
    return failure();
  }
  return bytes / scale;
}

std::string accrue::formatByteSize(int64_t bytes) {
  std::string exact = io::groupDigits(bytes) + " B";
  if (bytes < 10 * 1024)
    return exact;
  static constexpr StringLiteral units[] = {"KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  return formatv("{0} ({1:F1} {2})", exact, value, units[unit]);
}
