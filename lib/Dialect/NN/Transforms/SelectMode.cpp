//===- SelectMode.cpp - Training or evaluation ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/NN/Passes.h"
#include "mlir/IR/Iterators.h"

namespace accrue::nn {
#define GEN_PASS_DEF_SELECTMODE
#include "accrue/Dialect/NN/Passes.h.inc"
} // namespace accrue::nn

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

namespace {
struct SelectMode : nn::impl::SelectModeBase<SelectMode> {
  using SelectModeBase::SelectModeBase;

  void runOnOperation() override {
    bool changed = false;
    getOperation().walk([&](WhenTrainingOp op) {
      op.replaceAllUsesWith(training ? op.getTraining() : op.getEvaluation());
      changed = true;
    });
    if (!changed)
      return markAllAnalysesPreserved();
    // Readers before what they read.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isOpTriviallyDead(op))
            op->erase();
        });
  }
};
} // namespace
