//===- DType.h - Element types of stored tensors ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types that files hold and programs declare, and the conversions
// between them that training data may undergo: those that keep the value, or
// round a real number. A value that does not fit is reported, never wrapped.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_DTYPE_H
#define ACCRUE_RUNTIME_IO_DTYPE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accrue::io {

enum class DType : uint8_t {
  Bool,
  U8,
  I8,
  U16,
  I16,
  U32,
  I32,
  U64,
  I64,
  F16,
  BF16,
  F32,
  F64
};

/// Bytes of one element.
int64_t byteSize(DType dtype);

/// The name used in model files and messages: `f32`, `i32`, `i1` for Bool.
std::string_view dtypeName(DType dtype);

/// The inverse of dtypeName; false if `name` is no element type.
bool parseDType(std::string_view name, DType &dtype);

/// Converts `count` elements from `from` to `to`. Neither needs to be aligned.
/// Returns the index of the first element whose value has no counterpart in
/// the wanted type, or -1 when all were converted.
using ConvertFn = int64_t (*)(const void *from, void *to, int64_t count);

/// The conversion between two types, or null where none is allowed. Allowed
/// are integers to any number type that holds the value exactly, and reals to
/// reals with rounding to nearest even (a finite value must stay finite). A
/// real never turns into an integer.
ConvertFn findConversion(DType from, DType to);

/// The first element of `count` at `data` as text, for messages.
std::string formatElement(DType dtype, const void *data);

/// `[1437, 64]`; an extent of -1 prints as `?`.
std::string formatShape(const std::vector<int64_t> &shape);

/// The number of elements, or -1 when it (or the extents) cannot be held.
int64_t elementCount(const std::vector<int64_t> &shape);

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_DTYPE_H
