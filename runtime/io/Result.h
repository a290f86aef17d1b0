//===- Result.h - Errors as values ------------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime reports errors as values that carry one message for people: lower
// case, no full stop, naming the file, what was expected and what was got.
// Nothing throws, so generated programs and the compiler handle bad input
// alike.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_RUNTIME_IO_RESULT_H
#define ACCRUE_RUNTIME_IO_RESULT_H

#include <fmt/format.h>

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace accrue::io {

/// Success, or a message that says what went wrong.
class [[nodiscard]] Status {
public:
  static Status success() { return Status(); }
  static Status failure(std::string message) {
    Status status;
    status.error = std::move(message);
    return status;
  }

  bool ok() const { return !error; }
  explicit operator bool() const { return ok(); }

  /// The message of a failure; must not be asked of a success.
  const std::string &message() const {
    assert(error && "a success has no message");
    return *error;
  }

private:
  std::optional<std::string> error;
};

/// A failure with a formatted message: `return fail("{}: no such file", path)`.
template <typename... Args>
Status fail(fmt::format_string<Args...> format, Args &&...args) {
  return Status::failure(fmt::format(format, std::forward<Args>(args)...));
}

/// A value, or the failure that kept it from existing.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : contents(std::move(value)) {}
  Result(Status failure) : state(std::move(failure)) {
    assert(!state.ok() && "a result without a value must carry a message");
  }

  bool ok() const { return contents.has_value(); }
  explicit operator bool() const { return ok(); }

  /// The failure, or success when there is a value.
  const Status &status() const { return state; }
  const std::string &message() const { return state.message(); }

  T &operator*() { return *contents; }
  const T &operator*() const { return *contents; }
  T *operator->() { return &*contents; }
  const T *operator->() const { return &*contents; }

private:
  std::optional<T> contents;
  Status state = Status::success();
};

} // namespace accrue::io

#endif // ACCRUE_RUNTIME_IO_RESULT_H
