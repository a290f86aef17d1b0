//===- TestNumberRanges.cpp - Prints bounds of values ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Analysis/NumberRanges.h"
#include "fmt/format.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace accrue;

namespace {
/// Prints the range of every result of every op, in program order.
struct TestNumberRanges
    : public PassWrapper<TestNumberRanges, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestNumberRanges)

  StringRef getArgument() const final { return "test-number-ranges"; }
  StringRef getDescription() const final { return "print bounds of values"; }

  void runOnOperation() override {
    llvm::outs() << getOperation().getName() << ":\n";
    NumberRanges ranges;
    for (Operation &op : getOperation().front().without_terminator()) {
      llvm::outs() << "  " << op.getName() << ':';
      for (Value result : op.getResults())
        if (MaybeNumberRange range = ranges.get(result))
          llvm::outs() << fmt::format(" [{}, {}]", range->min, range->max);
        else
          llvm::outs() << " unknown";
      llvm::outs() << '\n';
    }
  }
};
} // namespace

namespace accrue::test {
void registerTestNumberRanges() { PassRegistration<TestNumberRanges>(); }
} // namespace accrue::test
