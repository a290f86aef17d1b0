//===- ArrayView.h - Elements that someone else owns ------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A view of consecutive elements, as C++20's std::span of const elements.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_ARRAYVIEW_H
#define ACCRUE_RUNTIME_IO_ARRAYVIEW_H

#include <cstddef>
#include <vector>

namespace accrue::io {

/// Elements of a vector, which has to live as long as they are used.
template <typename T>
class ArrayView {
public:
  ArrayView() = default;
  ArrayView(const std::vector<T> &elements)
      : first(elements.data()), count(elements.size()) {}

  const T *data() const { return first; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const T *begin() const { return first; }
  const T *end() const { return first + count; }
  const T &operator[](size_t index) const { return first[index]; }
  const T &front() const { return first[0]; }

private:
  const T *first = nullptr;
  size_t count = 0;
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_ARRAYVIEW_H
