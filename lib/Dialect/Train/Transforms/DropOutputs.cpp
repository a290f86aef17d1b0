//===- DropOutputs.cpp - Results computed on demand -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace accrue::train {
#define GEN_PASS_DEF_DROPOUTPUTS
#include "accrue/Dialect/Train/Passes.h.inc"
} // namespace accrue::train

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

namespace {
struct DropOutputs : train::impl::DropOutputsBase<DropOutputs> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function->hasAttr(attrs::kModel))
      return;
    llvm::BitVector dropped(function.getNumResults());
    for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
      if (function.getResultAttr(i, attrs::kOnDemand))
        dropped.set(i);
    if (dropped.none())
      return;
    function.walk([&](func::ReturnOp op) { op->eraseOperands(dropped); });
    if (failed(function.eraseResults(dropped)))
      signalPassFailure();
  }
};
} // namespace
