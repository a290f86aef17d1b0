//===- BufferizeKernels.cpp - From tensors to buffers ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/Kernel/KernelOps.h"
#include "accrue/Dialect/Kernel/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace accrue::kernel {
#define GEN_PASS_DEF_BUFFERIZEKERNELS
#include "accrue/Dialect/Kernel/Passes.h.inc"
} // namespace accrue::kernel

using namespace mlir;
using namespace mlir::bufferization;
using namespace accrue;
using namespace accrue::kernel;

/// A group on buffers that copies `from` to `to`.
static void createCopy(OpBuilder &builder, Location loc, Value from, Value to) {
  auto type = cast<MemRefType>(from.getType());
  auto tensorType =
      RankedTensorType::get(type.getShape(), type.getElementType());
  auto group = GroupOp::create(builder, loc, TypeRange{}, "copy",
                               Schedule::elementwise, from, to);
  Block &body = group.getBody().emplaceBlock();
  Value source = body.addArgument(tensorType, loc);
  body.addArgument(tensorType, loc);
  OpBuilder bodyBuilder = OpBuilder::atBlockBegin(&body);
  YieldOp::create(bodyBuilder, loc, source);
}

namespace {
struct BufferizeKernelsPass
    : public kernel::impl::BufferizeKernelsBase<BufferizeKernelsPass> {
  using BufferizeKernelsBase::BufferizeKernelsBase;

  void runOnOperation() override {
    OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        LayoutMapOption::IdentityLayoutMap);
    // Bodies stay on tensors; a group whose operands are buffers is done.
    options.opFilter.denyOperation([](Operation *op) {
      return op->getParentOfType<GroupOp>() ||
             (isa<GroupOp>(op) && op->getNumResults() == 0);
    });
    options.allocationFn = [](OpBuilder &builder, Location loc, MemRefType type,
                              ValueRange dynamic,
                              unsigned) -> FailureOr<Value> {
      if (!dynamic.empty())
        return failure();
      return AllocOp::create(builder, loc, type, "copy", Arena::activations,
                             nullptr)
          .getResult();
    };
    options.memCpyFn = [](OpBuilder &builder, Location loc, Value from,
                          Value to) {
      createCopy(builder, loc, from, to);
      return success();
    };
    BufferizationState state;
    if (failed(runOneShotModuleBufferize(getOperation(), options, state)))
      return signalPassFailure();

    // Buffers that a loop carries unchanged, views of views.
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    memref::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    memref::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();

    getOperation().walk([](GroupOp group) {
      if (group.getInputs().size() == 1 && group.getOuts().size() == 1 &&
          group.getInputs()[0] == group.getOuts()[0] &&
          group.getBody().front().getOperations().size() == 1)
        group.erase();
    });
  }
};
} // namespace
