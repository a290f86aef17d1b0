//===- MemoryReport.h - Where the bytes go ----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table that shows which bytes of the memory plans depend on the
// micro-batch.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DRIVER_MEMORYREPORT_H
#define ACCRUE_DRIVER_MEMORYREPORT_H

#include "accrue/Dialect/Train/Signature.h"
#include "accrue/Planner/MemoryPlan.h"

namespace accrue {

/// Makes every arena of `plan` large enough for `other` too, which shares them.
void extendArenas(MemoryPlan &plan, const MemoryPlan &other);

/// A plan under a title such as `K = 4`.
struct MemoryColumn {
  std::string title;
  MemoryPlan plan;
};

/// Prints a table of arenas, one column per plan; the last line is the sum.
/// With two columns, says what a sample more in a micro-batch costs.
void printMemoryTable(const train::Signature &signature,
                      llvm::ArrayRef<MemoryColumn> columns,
                      llvm::raw_ostream &os);

/// `parameters 38,464 + gradients 38,464 + ...`, for messages, with the
/// workspace of matrix products.
std::string describeArenas(const MemoryPlan &plan);

} // namespace accrue

#endif // ACCRUE_DRIVER_MEMORYREPORT_H
