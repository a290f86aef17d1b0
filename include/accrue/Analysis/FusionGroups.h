//===- FusionGroups.h - Which ops share a kernel ----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Partition of the ops of one block into future kernels. What the analysis
// decides is what `form-kernels` realizes, so that rematerialization and the
// planner count the bytes that are really stored: a value that does not leave
// its group costs nothing.
//
// Ops are asked for their loop nest (`CostOpInterface`). Constants, views and
// expansions (ops that repeat elements) belong to no group: every group that
// reads them computes them again. An elementwise or row op joins the group of
// an operand when that spares the operand from being stored; a reduction
// takes in what only it needs; at the end a group is given to the one that
// alone reads it where both make one row kernel. Products, and ops that are no
// tensor computation, are groups of their own.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_ANALYSIS_FUSIONGROUPS_H
#define ACCRUE_ANALYSIS_FUSIONGROUPS_H

#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Interfaces/CostOpInterface.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace accrue {

/// Ops that become one kernel.
struct FusionGroup {
  /// The loop nest: Elementwise, Row, Reduction or Contraction; None for an op
  /// without `CostOpInterface` (a loop, an update).
  KernelKind kind = KernelKind::None;
  /// The ops, in program order.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Results of the ops that are used outside the group, in program order.
  llvm::SmallVector<mlir::Value> stored;
  /// Iteration space: of the elements (Elementwise), of the rows and along
  /// them (Row), of what is reduced (Reduction).
  llvm::SmallVector<nn::Extent> domain;
};

class FusionGroups {
public:
  /// Groups the ops of `block`; shapes may depend on the batch.
  explicit FusionGroups(mlir::Block &block);

  /// The groups in an order of execution that respects all uses.
  llvm::ArrayRef<FusionGroup> getGroups() const { return groups; }

  /// The group of `op`; null for ops that are free.
  const FusionGroup *getGroup(mlir::Operation *op) const;

  /// True for an op that every group that reads it computes again.
  static bool isFree(mlir::Operation *op);

  /// True for an op whose result is the same bytes as its operand.
  static bool isView(mlir::Operation *op);

  /// True when `value`, defined in the block, has to be in memory between two
  /// kernels.
  bool isStored(mlir::Value value) const;

  void print(llvm::raw_ostream &os) const;

private:
  llvm::SmallVector<FusionGroup> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
};

} // namespace accrue

#endif // ACCRUE_ANALYSIS_FUSIONGROUPS_H
