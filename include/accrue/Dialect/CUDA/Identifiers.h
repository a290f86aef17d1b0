//===- Identifiers.h - C identifiers ----------------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_CUDA_IDENTIFIERS_H
#define ACCRUE_DIALECT_CUDA_IDENTIFIERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace accrue::cuda {

/// `name` with everything that cannot stand in an identifier replaced by `_`,
/// or "value" if nothing remains: `fc1.weight` becomes `fc1_weight`. Keywords,
/// names of CUDA and of functions that emitted code calls get a `_` at the end.
std::string getIdentifier(llvm::StringRef name);

/// Identifiers in use, by scope. An inner scope must not reuse the names of the
/// scopes around it; names of a scope that has ended are free again.
class NameScopes {
public:
  class Scope {
  public:
    explicit Scope(NameScopes &names)
        : names(names), mark(names.taken.size()) {}
    ~Scope() { names.popTo(mark); }
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    NameScopes &names;
    size_t mark;
  };

  /// A name that is not in use: the identifier of `base`, if need be with a
  /// number.
  std::string add(llvm::StringRef base);

  /// The first of i, j, k, ... that is not in use, else a numbered one.
  std::string addIndex();

private:
  void popTo(size_t mark);

  llvm::StringSet<> inUse;
  std::vector<std::string> taken;
};

} // namespace accrue::cuda

#endif // ACCRUE_DIALECT_CUDA_IDENTIFIERS_H
