//===- Safetensors.cpp - Tensors with names, in one file ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is that of https://github.com/huggingface/safetensors, including
// its rules against ambiguity: no duplicate names, no gaps, and a header of at
// most 100 MB.
//
//===----------------------------------------------------------------------===//

#include "runtime/io/Safetensors.h"

#include "runtime/io/AtomicFile.h"
#include "runtime/io/Json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <set>

namespace accrue::io {
namespace {

using Json = nlohmann::json;

constexpr int64_t maxHeaderBytes = 100'000'000;
constexpr std::string_view metadataKey = "__metadata__";

constexpr std::pair<std::string_view, DType> typeNames[] = {
    {"BOOL", DType::Bool}, {"U8", DType::U8},     {"I8", DType::I8},
    {"U16", DType::U16},   {"I16", DType::I16},   {"U32", DType::U32},
    {"I32", DType::I32},   {"U64", DType::U64},   {"I64", DType::I64},
    {"F16", DType::F16},   {"BF16", DType::BF16}, {"F32", DType::F32},
    {"F64", DType::F64},
};

std::string_view formatType(DType dtype) {
  for (auto [name, type] : typeNames)
    if (type == dtype)
      return name;
  return "";
}

bool parseType(const Json &value, DType &dtype) {
  if (!value.is_string())
    return false;
  for (auto [name, type] : typeNames) {
    if (name == value.get_ref<const std::string &>()) {
      dtype = type;
      return true;
    }
  }
  return false;
}

/// A JSON number that is a non-negative int64.
bool parseSize(const Json &value, int64_t &size) {
  if (!value.is_number_unsigned() ||
      value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
    return false;
  size = value.get<int64_t>();
  return true;
}

/// A tensor with the range of its data, relative to the data's start.
struct Entry {
  TensorView view;
  int64_t begin = 0;
  int64_t end = 0;
};

Result<Entry> parseEntry(const std::string &path, const std::string &name,
                         const Json &value) {
  Entry entry;
  entry.view.name = name;
  if (!value.is_object() || value.size() != 3 || !value.contains("dtype") ||
      !value.contains("shape") || !value.contains("data_offsets"))
    return fail("{}: tensor '{}': expected dtype, shape and data_offsets", path,
                name);
  if (!parseType(value["dtype"], entry.view.dtype))
    return fail(
        "{}: tensor '{}': unsupported dtype {}", path, name,
        value["dtype"].dump(-1, ' ', true, Json::error_handler_t::replace));
  const Json &shape = value["shape"];
  bool wellFormed = shape.is_array();
  if (wellFormed) {
    for (const Json &item : shape) {
      int64_t extent = 0;
      wellFormed &= parseSize(item, extent);
      entry.view.shape.push_back(extent);
    }
  }
  if (!wellFormed)
    return fail("{}: tensor '{}': expected a shape of non-negative integers",
                path, name);
  const Json &offsets = value["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 ||
      !parseSize(offsets[0], entry.begin) ||
      !parseSize(offsets[1], entry.end) || entry.begin > entry.end)
    return fail("{}: tensor '{}': expected data_offsets [begin, end]", path,
                name);
  int64_t bytes = elementCount(entry.view.shape);
  if (bytes < 0 ||
      __builtin_mul_overflow(bytes, byteSize(entry.view.dtype), &bytes))
    return fail("{}: tensor '{}': shape {} is too large", path, name,
                formatShape(entry.view.shape));
  if (bytes != entry.end - entry.begin)
    return fail("{}: tensor '{}': expected {} bytes for {} of {}, got {}", path,
                name, bytes, formatShape(entry.view.shape),
                dtypeName(entry.view.dtype), entry.end - entry.begin);
  return entry;
}

/// The header as JSON; a key that occurs twice is put into `duplicate`.
Json parseHeader(std::string_view text, std::string &duplicate) {
  std::set<std::string> keys;
  auto callback = [&](int depth, Json::parse_event_t event, Json &parsed) {
    if (event == Json::parse_event_t::key && depth == 1 &&
        !keys.insert(parsed.get<std::string>()).second)
      duplicate = parsed.get<std::string>();
    return true;
  };
  return Json::parse(text.begin(), text.end(), callback,
                     /*allow_exceptions=*/false);
}

} // namespace

Result<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  Result<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.status();
  SafetensorsFile result(std::move(*mapped));
  const uint8_t *bytes = result.file.data();
  int64_t size = result.file.size();

  uint64_t headerBytes = 0;
  if (size < 10)
    return fail("{}: expected a safetensors file, got {} bytes", path, size);
  std::memcpy(&headerBytes, bytes, 8);
  if (headerBytes > maxHeaderBytes || bytes[8] != '{')
    return fail("{}: expected a safetensors file, got other contents", path);
  auto dataStart = static_cast<int64_t>(8 + headerBytes);
  if (dataStart > size)
    return fail("{}: truncated: expected a header of {} bytes, got {}", path,
                headerBytes, size - 8);

  std::string duplicate;
  Json header = parseHeader(
      {reinterpret_cast<const char *>(bytes) + 8, headerBytes}, duplicate);
  if (header.is_discarded() || !header.is_object())
    return fail("{}: malformed safetensors header", path);
  if (!duplicate.empty())
    return fail("{}: '{}' is in the header twice", path, duplicate);

  std::vector<Entry> entries;
  for (const auto &[name, value] : header.items()) {
    if (name == metadataKey) {
      if (!value.is_object())
        return fail("{}: expected metadata of strings", path);
      for (const auto &[key, text] : value.items()) {
        if (!text.is_string())
          return fail("{}: metadata '{}': expected a string", path, key);
        result.extra[key] = text.get<std::string>();
      }
      continue;
    }
    Result<Entry> entry = parseEntry(path, name, value);
    if (!entry)
      return entry.status();
    entries.push_back(std::move(*entry));
  }

  std::stable_sort(
      entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
      });
  int64_t dataBytes = size - dataStart;
  int64_t end = 0;
  std::string_view previous = "the header";
  for (Entry &entry : entries) {
    if (entry.begin < end)
      return fail("{}: tensor '{}' overlaps '{}'", path, entry.view.name,
                  previous);
    if (entry.begin > end)
      return fail("{}: {} bytes before tensor '{}' belong to no tensor", path,
                  entry.begin - end, entry.view.name);
    if (entry.end > dataBytes)
      return fail("{}: truncated: tensor '{}' ends at byte {} of the data, "
                  "got {}",
                  path, entry.view.name, entry.end, dataBytes);
    entry.view.data = bytes + dataStart + entry.begin;
    end = entry.end;
    previous = entry.view.name;
  }
  if (end != dataBytes)
    return fail("{}: expected {} bytes of data, got {}", path, end, dataBytes);

  for (Entry &entry : entries) {
    result.indices[entry.view.name] = result.views.size();
    result.views.push_back(std::move(entry.view));
  }
  return result;
}

const TensorView *SafetensorsFile::find(std::string_view name) const {
  auto found = indices.find(name);
  return found == indices.end() ? nullptr : &views[found->second];
}

Result<const void *>
SafetensorsFile::get(std::string_view name, DType dtype,
                     const std::vector<int64_t> &shape) const {
  const TensorView *view = find(name);
  if (!view)
    return fail("{}: expected a tensor '{}'", path(), name);
  if (view->dtype != dtype || view->shape != shape)
    return fail("{}: tensor '{}': expected {} of {}, got {} of {}", path(),
                name, formatShape(shape), dtypeName(dtype),
                formatShape(view->shape), dtypeName(view->dtype));
  return view->data;
}

Result<std::string> SafetensorsFile::getMetadata(const std::string &key) const {
  auto found = extra.find(key);
  if (found == extra.end())
    return fail("{}: expected metadata '{}'", path(), key);
  return found->second;
}

Status writeSafetensors(const std::string &path,
                        const std::vector<TensorView> &tensors,
                        const std::map<std::string, std::string> &metadata) {
  std::string header = "{";
  if (!metadata.empty()) {
    header += quoteJson(metadataKey) + ":{";
    const char *separator = "";
    for (const auto &[key, value] : metadata) {
      header += separator + quoteJson(key) + ":" + quoteJson(value);
      separator = ",";
    }
    header += "}";
  }
  int64_t offset = 0;
  std::set<std::string_view> names;
  for (const TensorView &tensor : tensors) {
    if (tensor.name == metadataKey)
      return fail("{}: cannot write: '{}' is no name for a tensor", path,
                  tensor.name);
    if (!names.insert(tensor.name).second)
      return fail("{}: cannot write: two tensors are called '{}'", path,
                  tensor.name);
    header += fmt::format(
        "{}{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
        header.size() > 1 ? "," : "", quoteJson(tensor.name),
        formatType(tensor.dtype), fmt::join(tensor.shape, ","), offset,
        offset + tensor.bytes());
    offset += tensor.bytes();
  }
  header += "}";
  header.append((8 - header.size() % 8) % 8, ' ');

  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file)
    return file.status();
  uint64_t headerBytes = header.size();
  if (Status status = file->write(&headerBytes, 8); !status)
    return status;
  if (Status status = file->write(header); !status)
    return status;
  for (const TensorView &tensor : tensors)
    if (Status status = file->write(tensor.data, tensor.bytes()); !status)
      return status;
  return file->commit();
}

} // namespace accrue::io
