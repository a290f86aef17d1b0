//===- NNToLinalg.cpp - nn ops in kernels as linalg -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every nn op becomes structured ops with one result each; the bodies that
// come out are what `groups-to-loops` evaluates element by element. What two
// ops have in common (the maximum of a row in a loss and its derivative) is
// merged within a kernel, never between kernels.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "accrue/Conversion/Passes.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

namespace accrue {
#define GEN_PASS_DEF_NNTOLINALG
#include "accrue/Conversion/Passes.h.inc"
} // namespace accrue

using namespace mlir;
using namespace accrue;

namespace {
struct NNToLinalgPass : public accrue::impl::NNToLinalgBase<NNToLinalgPass> {
  using NNToLinalgBase::NNToLinalgBase;

  LogicalResult convert(kernel::GroupOp group) {
    Block &body = group.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(body)) {
      if (!isa_and_present<nn::NNDialect>(op.getDialect()))
        continue;
      OpBuilder builder(&op);
      Value value = lowerToLinalg(builder, &op);
      if (!value)
        return failure();
      op.getResult(0).replaceAllUsesWith(value);
      op.erase();
    }
    IRRewriter rewriter(group.getContext());
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, group);
    return success();
  }

  void runOnOperation() override {
    WalkResult result = getOperation().walk([&](kernel::GroupOp group) {
      return failed(convert(group)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
