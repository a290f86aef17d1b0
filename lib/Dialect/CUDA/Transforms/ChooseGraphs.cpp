//===- ChooseGraphs.cpp - What a step captures ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the nodes that a step would have as one graph. Such a graph is started
// once per step and can copy inputs while it computes; but building it takes
// time and memory for every node, so that long loops run the graph of their
// body instead.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace accrue::cuda {
#define GEN_PASS_DEF_CHOOSEGRAPHS
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// Nodes above which a step is not one graph.
static constexpr int64_t kMaxMergedNodes = 4000;

/// Copies, launches and matrix products of a run of `block`.
static FailureOr<int64_t> countNodes(Block &block) {
  int64_t nodes = 0;
  for (Operation &op : block) {
    if (isa<MemcpyOp, Memcpy2DOp, LaunchOp, GemmOp>(op)) {
      ++nodes;
    } else if (auto call = dyn_cast<CallOp>(op)) {
      auto segment = SymbolTable::lookupNearestSymbolFrom<SegmentOp>(
          call, call.getCalleeAttr());
      FailureOr<int64_t> inner = countNodes(segment.getBody().front());
      if (failed(inner))
        return failure();
      nodes += *inner;
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      FailureOr<int64_t> inner = countNodes(*loop.getBody());
      if (!trips)
        return loop.emitOpError("expected constant bounds");
      if (failed(inner))
        return failure();
      nodes += *inner * trips->getSExtValue();
    }
  }
  return nodes;
}

namespace {

struct ChooseGraphsPass
    : accrue::cuda::impl::ChooseGraphsBase<ChooseGraphsPass> {
  using ChooseGraphsBase::ChooseGraphsBase;

  void runOnOperation() override {
    for (auto step : getOperation().getOps<func::FuncOp>()) {
      if (!step->hasAttr(kernel::attrs::kPlan))
        continue;
      FailureOr<int64_t> nodes = countNodes(step.front());
      if (failed(nodes))
        return signalPassFailure();
      GraphMode chosen = mode;
      if (chosen == GraphMode::automatic)
        chosen =
            *nodes < kMaxMergedNodes ? GraphMode::merged : GraphMode::segments;
      if (*nodes == 0)
        chosen = GraphMode::none;
      step->setAttr(attrs::kGraphs, GraphModeAttr::get(&getContext(), chosen));
    }
  }
};

} // namespace
