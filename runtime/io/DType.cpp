//===- DType.cpp - Element types of stored tensors ------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every conversion goes through one template instance per pair of types.
// Integers travel exactly; half precision is widened to and rounded from
// binary32 by its bits, so that no compiler extension is needed.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/DType.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace accrue::io {
namespace {

struct TypeInfo {
  DType dtype;
  int64_t bytes;
  std::string_view name;
};

constexpr TypeInfo typeInfos[] = {
    {DType::Bool, 1, "i1"}, {DType::U8, 1, "u8"},     {DType::I8, 1, "i8"},
    {DType::U16, 2, "u16"}, {DType::I16, 2, "i16"},   {DType::U32, 4, "u32"},
    {DType::I32, 4, "i32"}, {DType::U64, 8, "u64"},   {DType::I64, 8, "i64"},
    {DType::F16, 2, "f16"}, {DType::BF16, 2, "bf16"}, {DType::F32, 4, "f32"},
    {DType::F64, 8, "f64"},
};

const TypeInfo &info(DType dtype) {
  return typeInfos[static_cast<size_t>(dtype)];
}

template <typename To, typename From>
To bitCast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}

/// A 16-bit float as stored: `ExponentBits` tell binary16 from bfloat16.
template <int ExponentBits>
struct Small {
  uint16_t bits;
};
using Half = Small<5>;
using BFloat = Small<8>;

template <typename T>
struct IsSmall : std::false_type {};
template <int e>
struct IsSmall<Small<e>> : std::true_type {};

template <typename T>
constexpr bool isReal = std::is_floating_point_v<T> || IsSmall<T>::value;

double widen(BFloat value) {
  return bitCast<float>(static_cast<uint32_t>(value.bits) << 16);
}

double widen(Half value) {
  int exponent = (value.bits >> 10) & 31;
  int fraction = value.bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = std::ldexp(fraction, -24);
  else
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  return value.bits & 0x8000 ? -magnitude : magnitude;
}

/// Rounds to nearest, ties to even, in one step from double (no double
/// rounding by way of float). Overflow yields an infinity.
template <int ExponentBits>
Small<ExponentBits> narrow(double value) {
  constexpr int fractionBits = 15 - ExponentBits;
  constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  constexpr uint16_t infinity = ((1 << ExponentBits) - 1) << fractionBits;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return {static_cast<uint16_t>(sign | infinity | (1 << (fractionBits - 1)))};
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return {sign};
  if (std::isinf(magnitude))
    return {static_cast<uint16_t>(sign | infinity)};
  int exponent = 0;
  std::frexp(magnitude, &exponent); // magnitude in [2^(e-1), 2^e)
  int unit = std::max(exponent - 1, 1 - bias) - fractionBits;
  // nearbyint follows the default mode, ties to even; the scaling is exact.
  auto steps =
      static_cast<int64_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
  // A carry out of the fraction moves into the exponent, as it must.
  int64_t bits = steps + (static_cast<int64_t>(unit + fractionBits + bias - 1)
                          << fractionBits);
  if (bits > infinity)
    bits = infinity;
  return {static_cast<uint16_t>(sign | bits)};
}

template <typename T>
T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}

template <typename T>
void store(void *data, int64_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * sizeof(T), &value, sizeof(T));
}

/// A real as double, an integer unchanged.
template <typename T>
auto loadWide(const void *data, int64_t index) {
  if constexpr (IsSmall<T>::value)
    return widen(load<T>(data, index));
  else if constexpr (std::is_same_v<T, bool>)
    return static_cast<uint8_t>(load<uint8_t>(data, index) != 0);
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(load<T>(data, index));
  else
    return load<T>(data, index);
}

/// An integer into a narrower or differently signed one.
template <typename To, typename From>
bool fitInteger(From value, To &result) {
  if constexpr (std::is_same_v<To, bool>) {
    result = value != 0;
    return value == 0 || value == 1;
  } else {
    result = static_cast<To>(value);
    return static_cast<From>(result) == value && (result < 0) == (value < 0);
  }
}

template <typename To, typename Wide>
bool convertOne(Wide value, To &result) {
  if constexpr (!isReal<To>) {
    return fitInteger(value, result);
  } else if constexpr (std::is_integral_v<Wide>) {
    auto wide = static_cast<double>(value);
    // 2^63 and 2^64 round up from the largest integers and cannot come back.
    if (wide >= std::ldexp(1.0, std::numeric_limits<Wide>::digits) ||
        static_cast<Wide>(wide) != value)
      return false;
    double back;
    if constexpr (IsSmall<To>::value)
      back = widen(result = narrow<std::is_same_v<To, Half> ? 5 : 8>(wide));
    else
      back = result = static_cast<To>(wide);
    return back == wide;
  } else if constexpr (IsSmall<To>::value) {
    result = narrow<std::is_same_v<To, Half> ? 5 : 8>(value);
    return !std::isfinite(value) || std::isfinite(widen(result));
  } else {
    result = static_cast<To>(value);
    return !std::isfinite(value) || std::isfinite(result);
  }
}

template <typename From, typename To>
int64_t convert(const void *from, void *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    To result{};
    if (!convertOne(loadWide<From>(from, i), result))
      return i;
    store(to, i, result);
  }
  return -1;
}

template <typename T>
int64_t copy(const void *from, void *to, int64_t count) {
  std::memcpy(to, from, count * sizeof(T));
  return -1;
}

template <typename From, typename To>
ConvertFn select() {
  if constexpr (std::is_same_v<From, To>)
    return copy<From>;
  else if constexpr (isReal<From> && !isReal<To>)
    return nullptr;
  else
    return convert<From, To>;
}

template <typename From>
ConvertFn selectTo(DType to) {
  switch (to) {
  case DType::Bool:
    return select<From, bool>();
  case DType::U8:
    return select<From, uint8_t>();
  case DType::I8:
    return select<From, int8_t>();
  case DType::U16:
    return select<From, uint16_t>();
  case DType::I16:
    return select<From, int16_t>();
  case DType::U32:
    return select<From, uint32_t>();
  case DType::I32:
    return select<From, int32_t>();
  case DType::U64:
    return select<From, uint64_t>();
  case DType::I64:
    return select<From, int64_t>();
  case DType::F16:
    return select<From, Half>();
  case DType::BF16:
    return select<From, BFloat>();
  case DType::F32:
    return select<From, float>();
  case DType::F64:
    return select<From, double>();
  }
  return nullptr;
}

} // namespace

int64_t byteSize(DType dtype) { return info(dtype).bytes; }

std::string_view dtypeName(DType dtype) { return info(dtype).name; }

bool parseDType(std::string_view name, DType &dtype) {
  for (const TypeInfo &entry : typeInfos) {
    if (entry.name == name) {
      dtype = entry.dtype;
      return true;
    }
  }
  return false;
}

ConvertFn findConversion(DType from, DType to) {
  switch (from) {
  case DType::Bool:
    return selectTo<bool>(to);
  case DType::U8:
    return selectTo<uint8_t>(to);
  case DType::I8:
    return selectTo<int8_t>(to);
  case DType::U16:
    return selectTo<uint16_t>(to);
  case DType::I16:
    return selectTo<int16_t>(to);
  case DType::U32:
    return selectTo<uint32_t>(to);
  case DType::I32:
    return selectTo<int32_t>(to);
  case DType::U64:
    return selectTo<uint64_t>(to);
  case DType::I64:
    return selectTo<int64_t>(to);
  case DType::F16:
    return selectTo<Half>(to);
  case DType::BF16:
    return selectTo<BFloat>(to);
  case DType::F32:
    return selectTo<float>(to);
  case DType::F64:
    return selectTo<double>(to);
  }
  return nullptr;
}

std::string formatElement(DType dtype, const void *data) {
  if (dtype == DType::U64)
    return fmt::format("{}", load<uint64_t>(data, 0));
  int64_t integer = 0;
  if (ConvertFn toInteger = findConversion(dtype, DType::I64)) {
    toInteger(data, &integer, 1);
    return fmt::format("{}", integer);
  }
  double real = 0;
  findConversion(dtype, DType::F64)(data, &real, 1);
  return fmt::format("{}", real);
}

std::string formatShape(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (int64_t extent : shape) {
    if (text.size() > 1)
      text += ", ";
    text += extent < 0 ? "?" : fmt::format("{}", extent);
  }
  return text + "]";
}

int64_t elementCount(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
      return -1;
  return count;
}

} // namespace accrue::io
