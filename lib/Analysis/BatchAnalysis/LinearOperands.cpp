//===- LinearOperands.cpp - In which operands an op is linear -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearOperands.h"

using namespace accrue;

/// Operands of an op of which all subsets are tried.
static constexpr unsigned kMaxEnumerated = 8;

std::optional<llvm::SmallBitVector> accrue::findLinearOperands(
    const llvm::SmallBitVector &contained,
    llvm::function_ref<bool(const llvm::SmallBitVector &)> isLinear) {
  unsigned count = contained.size();
  std::optional<llvm::SmallBitVector> found;
  auto consider = [&](const llvm::SmallBitVector &set) {
    if (!contained.test(set) && (!found || set.count() < found->count()) &&
        isLinear(set))
      found = set;
  };
  if (count > kMaxEnumerated) {
    consider(contained);
    consider(llvm::SmallBitVector(count, true));
    return found;
  }
  for (unsigned bits = 0; bits < (1u << count); ++bits) {
    llvm::SmallBitVector set(count);
    for (unsigned i = 0; i < count; ++i)
      set[i] = (bits >> i) & 1;
    consider(set);
  }
  return found;
}
