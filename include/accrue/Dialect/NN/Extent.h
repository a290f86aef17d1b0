//===- Extent.h - Symbolic extents c * B^p ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extent of a tensor dimension as a function of the logical batch B: a
// positive rational times a power of B. Shapes of the model and step levels
// are lists of these; nothing there ever guesses an extent from a number.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_EXTENT_H
#define ACCRUE_DIALECT_NN_EXTENT_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/Hashing.h"
#include <optional>
#include <string>

namespace accrue::nn {

/// num / den * B^power, num >= 0, den > 0, in lowest terms. A zero extent is
/// static.
class Extent {
public:
  /// A static extent.
  Extent(int64_t value = 1) : num(value) {}
  Extent(int64_t num, int64_t den, int64_t power);
  /// The batch B itself.
  static Extent batch() { return Extent(1, 1, 1); }

  int64_t getNum() const { return num; }
  int64_t getDen() const { return den; }
  int64_t getPower() const { return power; }
  bool isStatic() const { return power == 0 && den == 1; }
  bool isBatch() const { return num == 1 && den == 1 && power == 1; }

  /// The number for a batch of `batch` samples; none when it is no integer.
  std::optional<int64_t> evaluate(int64_t batch) const;

  Extent operator*(const Extent &other) const;
  /// `other` must not be zero.
  Extent operator/(const Extent &other) const;
  bool operator==(const Extent &other) const {
    return num == other.num && den == other.den && power == other.power;
  }
  bool operator!=(const Extent &other) const { return !(*this == other); }

  /// `"B"`, `"16*B"`, `"3*B^2/2"`, `"7"`.
  std::string str() const;
  /// The inverse of `str`; none for a malformed text.
  static std::optional<Extent> parse(llvm::StringRef text);

  friend llvm::hash_code hash_value(const Extent &extent) {
    return llvm::hash_combine(extent.num, extent.den, extent.power);
  }

private:
  int64_t num = 1;
  int64_t den = 1;
  int64_t power = 0;
};

/// One extent per dimension of `type`.
llvm::SmallVector<Extent> getExtents(mlir::RankedTensorType type);

/// The product of `extents` (1 for none).
Extent getProduct(llvm::ArrayRef<Extent> extents);

/// The tensor type of these extents, with the canonical encoding. Every extent
/// must be static or have a positive power.
mlir::RankedTensorType getTensorType(llvm::ArrayRef<Extent> extents,
                                     mlir::Type elementType);

/// The type of `type`'s shape with another element type.
mlir::RankedTensorType withElementType(mlir::RankedTensorType type,
                                       mlir::Type elementType);

/// The static type of `type` for a batch of `batch` samples; null when an
/// extent is no integer.
mlir::RankedTensorType getTypeForBatch(mlir::RankedTensorType type,
                                       int64_t batch);

} // namespace accrue::nn

#endif // ACCRUE_DIALECT_NN_EXTENT_H
