//===- Decompose.cpp - Composite ops as what they mean --------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worklist of composites. A listener sees everything that a decomposition
// builds: it passes the marks of the composite on and finds further composites.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNDialect.h"
#include "accrue/Dialect/NN/Passes.h"
#include "accrue/Interfaces/DecomposableOpInterface.h"
#include "mlir/IR/Builders.h"

namespace accrue::nn {
#define GEN_PASS_DEF_DECOMPOSE
#include "accrue/Dialect/NN/Passes.h.inc"
} // namespace accrue::nn

using namespace mlir;
using namespace accrue;

namespace {
/// Gives every op that is built the marks of the composite, and collects the
/// composites among them.
struct MarkKeeper : OpBuilder::Listener {
  MarkKeeper(Operation *composite, SmallVectorImpl<Operation *> &worklist)
      : marks(composite->getDiscardableAttrs().begin(),
              composite->getDiscardableAttrs().end()),
        worklist(worklist) {}

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    for (NamedAttribute mark : marks)
      op->setDiscardableAttr(mark.getName(), mark.getValue());
    if (isa<DecomposableOpInterface>(op))
      worklist.push_back(op);
  }

  SmallVector<NamedAttribute> marks;
  SmallVectorImpl<Operation *> &worklist;
};

struct Decompose : nn::impl::DecomposeBase<Decompose> {
  void runOnOperation() override {
    SmallVector<Operation *> worklist;
    getOperation().walk([&](DecomposableOpInterface op) {
      worklist.push_back(op.getOperation());
    });
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      MarkKeeper keeper(op, worklist);
      OpBuilder builder(op, &keeper);
      SmallVector<Value> results;
      if (failed(cast<DecomposableOpInterface>(op).buildDecomposition(builder,
                                                                      results)))
        return signalPassFailure();
      op->replaceAllUsesWith(results);
      op->erase();
    }
  }
};
} // namespace
