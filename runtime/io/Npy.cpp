//===- Npy.cpp - Memory-mapped .npy arrays --------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header of a .npy file is a Python dictionary literal with three fixed
// keys. HeaderParser reads just that much of Python and refuses everything
// else.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Npy.h"

#include <cstring>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "files are mapped and used in place, which needs a little-endian machine"
#endif

namespace accrue::io {
namespace {

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : rest(text) {}

  /// Whether the whole text was a header with each key exactly once.
  bool parse() {
    if (!take('{'))
      return false;
    while (!take('}')) {
      std::string_view key;
      if (!parseString(key) || !take(':') || !parseValue(key))
        return false;
      if (!take(',')) {
        if (!take('}'))
          return false;
        break;
      }
    }
    skipSpace();
    return rest.empty() && seen == 7;
  }

  /// Empty when the type is not a plain string: a structured array.
  std::string_view descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;

private:
  void skipSpace() {
    size_t start = rest.find_first_not_of(" \t\r\n");
    rest.remove_prefix(start == std::string_view::npos ? rest.size() : start);
  }

  bool take(char character) {
    skipSpace();
    if (rest.empty() || rest.front() != character)
      return false;
    rest.remove_prefix(1);
    return true;
  }

  bool takeWord(std::string_view word) {
    skipSpace();
    if (rest.substr(0, word.size()) != word)
      return false;
    rest.remove_prefix(word.size());
    return true;
  }

  bool parseString(std::string_view &value) {
    skipSpace();
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"'))
      return false;
    size_t end = rest.find(rest.front(), 1);
    if (end == std::string_view::npos)
      return false;
    value = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return true;
  }

  bool parseExtent(int64_t &value) {
    skipSpace();
    size_t digits = 0;
    value = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9')
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, rest[digits++] - '0', &value))
        return false;
    rest.remove_prefix(digits);
    // Python 2 wrote long integers with a suffix.
    if (!rest.empty() && rest.front() == 'L')
      rest.remove_prefix(1);
    return digits > 0;
  }

  /// A structured type is a list; its text is passed over to its end.
  bool skipList() {
    size_t end = rest.find(']');
    if (end == std::string_view::npos)
      return false;
    rest.remove_prefix(end + 1);
    return true;
  }

  bool parseShape() {
    if (!take('('))
      return false;
    while (!take(')')) {
      int64_t extent;
      if (!parseExtent(extent))
        return false;
      shape.push_back(extent);
      if (!take(','))
        return take(')');
    }
    return true;
  }

  bool parseValue(std::string_view key) {
    unsigned bit = key == "descr"           ? 1
                   : key == "fortran_order" ? 2
                   : key == "shape"         ? 4
                                            : 0;
    if (!bit || (seen & bit))
      return false;
    seen |= bit;
    if (bit == 1)
      return take('[') ? skipList() : parseString(descr);
    if (bit == 4)
      return parseShape();
    fortranOrder = takeWord("True");
    return fortranOrder || takeWord("False");
  }

  std::string_view rest;
  unsigned seen = 0;
};

/// The element type of a numpy type string without its byte order.
bool parseDescr(std::string_view descr, DType &dtype) {
  constexpr std::pair<std::string_view, DType> table[] = {
      {"b1", DType::Bool}, {"u1", DType::U8},  {"i1", DType::I8},
      {"u2", DType::U16},  {"i2", DType::I16}, {"u4", DType::U32},
      {"i4", DType::I32},  {"u8", DType::U64}, {"i8", DType::I64},
      {"f2", DType::F16},  {"f4", DType::F32}, {"f8", DType::F64},
  };
  for (auto [name, type] : table) {
    if (name == descr) {
      dtype = type;
      return true;
    }
  }
  return false;
}

} // namespace

Result<NpyFile> NpyFile::open(const std::string &path) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.status();
  NpyFile npy(std::move(*mapped));
  const uint8_t *bytes = npy.file.data();
  int64_t size = npy.file.size();

  constexpr std::string_view magic = "\x93NUMPY";
  if (size < 8 || std::memcmp(bytes, magic.data(), magic.size()) != 0)
    return fail("{}: expected a .npy file, got other contents", path);
  int major = bytes[6];
  if (major < 1 || major > 3)
    return fail("{}: expected .npy format version 1 to 3, got {}.{}", path,
                major, bytes[7]);
  int64_t lengthBytes = major == 1 ? 2 : 4;
  if (size < 8 + lengthBytes)
    return fail("{}: truncated .npy header", path);
  uint32_t headerLength = 0;
  std::memcpy(&headerLength, bytes + 8, lengthBytes);
  npy.offset = 8 + lengthBytes + headerLength;
  if (npy.offset > size)
    return fail("{}: truncated .npy header: expected {} bytes, got {}", path,
                npy.offset, size);

  HeaderParser header(
      {reinterpret_cast<const char *>(bytes) + 8 + lengthBytes, headerLength});
  if (!header.parse())
    return fail("{}: malformed .npy header", path);
  if (header.descr.empty())
    return fail("{}: expected an array of numbers, got a structured array",
                path);
  char order = header.descr.front();
  std::string_view kind = header.descr.substr(1);
  bool ordered = order == '<' || order == '|' || order == '=';
  if (order == '>' && kind.size() == 2 && kind[1] != '1')
    return fail("{}: expected little-endian numbers, got big-endian '{}'", path,
                header.descr);
  if (!(ordered || order == '>') || !parseDescr(kind, npy.type))
    return fail("{}: expected an array of numbers, got numpy type '{}'", path,
                header.descr);
  if (header.fortranOrder && header.shape.size() > 1)
    return fail("{}: expected C order, got Fortran order (save it with "
                "numpy.ascontiguousarray)",
                path);

  npy.extents = std::move(header.shape);
  int64_t expected = elementCount(npy.extents);
  if (expected < 0 ||
      __builtin_mul_overflow(expected, byteSize(npy.type), &expected))
    return fail("{}: shape {} is too large", path, formatShape(npy.extents));
  int64_t got = size - npy.offset;
  if (got != expected)
    return fail("{}: expected {} bytes of data for {} of {}, got {}", path,
                expected, formatShape(npy.extents), dtypeName(npy.type), got);
  return npy;
}

Status NpyFile::readRows(int64_t first, int64_t count, DType wanted,
                         void *to) const {
  if (extents.empty())
    return fail("{}: expected an array with rows, got a single number", path());
  if (first < 0 || count < 0 || first > extents[0] - count)
    return fail("{}: expected rows within [0, {}), got [{}, {})", path(),
                extents[0], first, first + count);
  ConvertFn convert = findConversion(type, wanted);
  if (!convert)
    return fail("{}: expected {} or a type that converts to it, got {}", path(),
                dtypeName(wanted), dtypeName(type));
  int64_t rowElements = extents[0] ? elementCount(extents) / extents[0] : 0;
  int64_t start = first * rowElements;
  int64_t bad =
      convert(data() + start * byteSize(type), to, count * rowElements);
  return bad < 0 ? Status::success() : valueFailure(start + bad, wanted);
}

Status NpyFile::valueFailure(int64_t index, DType wanted) const {
  std::vector<int64_t> position(extents.size());
  int64_t rest = index;
  for (size_t dim = extents.size(); dim-- > 0;) {
    position[dim] = rest % extents[dim];
    rest /= extents[dim];
  }
  return fail("{}: value {} at {} does not fit {}", path(),
              formatElement(type, data() + index * byteSize(type)),
              formatShape(position), dtypeName(wanted));
}

} // namespace accrue::io
