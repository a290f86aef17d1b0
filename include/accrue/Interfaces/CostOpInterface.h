//===- CostOpInterface.h - What an op costs ---------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_INTERFACES_COSTOPINTERFACE_H
#define ACCRUE_INTERFACES_COSTOPINTERFACE_H

#include "mlir/IR/OpDefinition.h"

namespace accrue {

/// The loop nest that an op becomes.
enum class KernelKind {
  /// No kernel: constants and values known to the host.
  None,
  /// A different view of the same bytes (reshape): free.
  View,
  /// One independent element per element of the result.
  Elementwise,
  /// Independent rows (all dimensions but the last) with work along the row.
  Row,
  /// A reduction over leading dimensions or over everything.
  Reduction,
  /// A matrix product, given to a library or to the product generator.
  Contraction,
  /// A movement of elements that needs a kernel of its own (transpose).
  Movement,
};

} // namespace accrue

#include "accrue/Interfaces/CostOpInterface.h.inc"

#endif // ACCRUE_INTERFACES_COSTOPINTERFACE_H
