//===- Npy.h - Memory-mapped .npy arrays ------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the arrays that numpy.save writes, format versions 1 to 3, by mapping
// the file. Only what can be used in place is accepted: little-endian numbers
// in C order, exactly as many as the shape says.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_NPY_H
#define ACCRUE_RUNTIME_IO_NPY_H

#include "runtime/io/DType.h"
#include "runtime/io/MappedFile.h"

namespace accrue::io {

/// One array of a mapped `.npy` file.
class NpyFile {
public:
  /// Maps and validates. Refused are other formats, Fortran order, big endian,
  /// structured and object types, and a length that is not that of the shape.
  static Result<NpyFile> open(const std::string &path);

  const std::string &path() const { return file.path(); }
  DType dtype() const { return type; }
  const std::vector<int64_t> &shape() const { return extents; }
  /// The elements in C order. numpy aligns them; a foreign writer may not.
  const uint8_t *data() const { return file.data() + offset; }

  /// Converts rows [first, first + count) of dimension 0 to `wanted` into
  /// `to`. Fails when the types do not convert (see findConversion), when a
  /// value does not fit, naming it, or when the rows are not in the file.
  Status readRows(int64_t first, int64_t count, DType wanted, void *to) const;

  /// The failure for element `index` (in C order) that does not fit `wanted`.
  Status valueFailure(int64_t index, DType wanted) const;

private:
  explicit NpyFile(MappedFile file) : file(std::move(file)) {}

  MappedFile file;
  DType type = DType::F32;
  std::vector<int64_t> extents;
  int64_t offset = 0;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_NPY_H
