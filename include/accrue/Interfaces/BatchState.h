//===- BatchState.h - States of values with respect to the batch *- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary of the batch analysis: in which mode a value enumerates the
// samples, and how the contributions of micro-batches combine.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_BATCHSTATE_H
#define ACCRUE_INTERFACES_BATCHSTATE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace accrue {

/// A dimension that enumerates samples: dimension `dim` is, in row-major order,
/// (outer, sample, inner), so its extent is outer * B * inner in the full batch
/// and outer * m * inner in a micro-batch of m samples. `[B, T, C]` reshaped to
/// `[B * T, C]` is {0, 1, T}; time-major `[T * B, C]` is {0, T, 1}.
/// With `innerDenominator` g > 1 it is (outer, group of g samples, inner),
/// which makes m a multiple of g; inner / g is in lowest terms. Where
/// micro-batches take the same positions of G equal runs of samples, `[B]` is
/// {0, G, 1, G}.
struct MappedMode {
  int64_t dim = 0;
  int64_t outer = 1;
  int64_t inner = 1;
  int64_t innerDenominator = 1;

  /// The same enumeration of samples seen at another dimension.
  MappedMode atDim(int64_t newDim) const {
    MappedMode mode = *this;
    mode.dim = newDim;
    return mode;
  }

  /// Extent of dimension `dim` for `samples` samples.
  int64_t getExtent(int64_t samples) const {
    return outer * samples * inner / innerDenominator;
  }

  bool operator==(const MappedMode &other) const {
    return dim == other.dim && outer == other.outer && inner == other.inner &&
           innerDenominator == other.innerDenominator;
  }
  bool operator!=(const MappedMode &other) const { return !(*this == other); }

  friend llvm::hash_code hash_value(const MappedMode &mode) {
    return llvm::hash_combine(mode.dim, mode.outer, mode.inner,
                              mode.innerDenominator);
  }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const MappedMode &mode);

/// How contributions of micro-batches combine to the value for the full batch.
/// Sums add; `Concat` puts slices at their places; the contributions of the
/// others are stacked, and the op merges them (`BatchOpInterface::buildMerge`).
enum class ReducerKind { Sum, Max, Min, ArgMax, Moments, LogSumExp, Concat };

/// State of a value with respect to the batch.
struct BatchState {
  enum class Kind {
    /// Computed once, outside the loops: the whole value.
    Once,
    /// One slice per micro-batch, enumerated by `mode`.
    Mapped,
    /// One contribution per micro-batch, combined by `reducer`.
    Partial,
  };

  Kind kind = Kind::Once;
  MappedMode mode;
  ReducerKind reducer = ReducerKind::Sum;

  static BatchState once() { return {}; }
  static BatchState mapped(MappedMode mode) {
    return {Kind::Mapped, mode, ReducerKind::Sum};
  }
  static BatchState partial(ReducerKind reducer) {
    return {Kind::Partial, {}, reducer};
  }

  bool isOnce() const { return kind == Kind::Once; }
  bool isMapped() const { return kind == Kind::Mapped; }
  bool isPartial() const { return kind == Kind::Partial; }

  /// As printed: "once", "mapped(0, 1, 1)", "partial(sum)".
  std::string str() const;

  bool operator==(const BatchState &other) const {
    return kind == other.kind && (!isMapped() || mode == other.mode) &&
           (!isPartial() || reducer == other.reducer);
  }
  bool operator!=(const BatchState &other) const { return !(*this == other); }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const BatchState &state);

/// What an op does with the batch: the mode in which each operand is fetched
/// (once or mapped) and the state of each result (mapped or partial, or once
/// when the op has to see whole operands).
struct BatchRule {
  llvm::SmallVector<BatchState, 3> operands;
  llvm::SmallVector<BatchState, 1> results;
};

} // namespace accrue

#endif // ACCRUE_INTERFACES_BATCHSTATE_H
