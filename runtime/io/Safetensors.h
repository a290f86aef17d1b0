//===- Safetensors.h - Tensors with names, in one file ----------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes safetensors files: eight bytes of header length, a JSON
// header, then the tensors back to back. A file is validated completely before
// any tensor of it is handed out, and the same tensors are always written as
// the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_SAFETENSORS_H
#define ACCRUE_RUNTIME_IO_SAFETENSORS_H

#include "runtime/io/DType.h"
#include "runtime/io/MappedFile.h"

#include <map>

namespace accrue::io {

/// A named tensor that someone else owns: of a mapped file, or to be written.
struct TensorView {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  /// In C order, little endian. Inside a mapped file it need not be aligned.
  const void *data = nullptr;

  /// Bytes of the whole tensor.
  int64_t bytes() const { return elementCount(shape) * byteSize(dtype); }
};

/// A mapped and validated safetensors file.
class SafetensorsFile {
public:
  /// Fails on anything but a well-formed file whose tensors exactly cover its
  /// data: no gap, no overlap, no byte missing or left over.
  static Result<SafetensorsFile> open(const std::string &path);

  const std::string &path() const { return file.path(); }
  /// In the order of their data.
  const std::vector<TensorView> &tensors() const { return views; }
  const std::map<std::string, std::string> &metadata() const { return extra; }

  /// The tensor called `name`, or null.
  const TensorView *find(std::string_view name) const;

  /// The data of `name`, which must have this type and shape.
  Result<const void *> get(std::string_view name, DType dtype,
                           const std::vector<int64_t> &shape) const;

  /// The metadata under `key`, which must be there.
  Result<std::string> getMetadata(const std::string &key) const;

private:
  explicit SafetensorsFile(MappedFile file) : file(std::move(file)) {}

  MappedFile file;
  std::vector<TensorView> views;
  std::map<std::string, size_t, std::less<>> indices;
  std::map<std::string, std::string> extra;
};

/// Writes `tensors` in the given order, atomically. The header is padded so
/// that the data start at a multiple of eight.
Status writeSafetensors(const std::string &path,
                        const std::vector<TensorView> &tensors,
                        const std::map<std::string, std::string> &metadata);

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_SAFETENSORS_H
