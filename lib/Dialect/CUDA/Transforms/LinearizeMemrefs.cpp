//===- LinearizeMemrefs.cpp - Linear memory and index arithmetic ----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses get one index by `affine.linearize_index`, which MLIR's own patterns
// cancel against the `affine.delinearize_index` of the loops. What remains is
// written out: products and sums, divisions and remainders of values that are
// never negative.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/CUDA/CUDAOps.h"
#include "accrue/Dialect/CUDA/Passes.h"
#include "accrue/Dialect/Kernel/KernelOps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace accrue::cuda {
#define GEN_PASS_DEF_LINEARIZEMEMREFS
#include "accrue/Dialect/CUDA/Passes.h.inc"
} // namespace accrue::cuda

using namespace mlir;
using namespace accrue;
using namespace accrue::cuda;

/// The linear form of `type`, `type` itself if it is no memref, or null.
static Type getLinearType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return type;
  if (!memref.hasStaticShape() || !memref.getLayout().isIdentity())
    return {};
  return MemRefType::get({memref.getNumElements()}, memref.getElementType());
}

static Value linearize(OpBuilder &builder, Location loc, MemRefType type,
                       ValueRange indices) {
  if (indices.empty())
    return arith::ConstantIndexOp::create(builder, loc, 0);
  if (indices.size() == 1)
    return indices[0];
  return affine::AffineLinearizeIndexOp::create(
      builder, loc, indices, type.getShape(), /*disjoint=*/true);
}

/// Gives all accesses below `root` one index; the types follow later.
static void linearizeAccesses(Operation *root) {
  root->walk([](Operation *op) {
    OpBuilder builder(op);
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      Value index = linearize(builder, op->getLoc(), load.getMemRefType(),
                              load.getIndices());
      load.getIndicesMutable().assign(index);
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      Value index = linearize(builder, op->getLoc(), store.getMemRefType(),
                              store.getIndices());
      store.getIndicesMutable().assign(index);
    }
  });
}

static LogicalResult linearizeTypes(Operation *root) {
  auto convert = [](Value value, Location loc) -> LogicalResult {
    Type type = getLinearType(value.getType());
    if (!type)
      return emitError(loc) << "expected a static shape and the identity "
                               "layout, got "
                            << value.getType();
    value.setType(type);
    return success();
  };
  WalkResult result = root->walk([&](Operation *op) {
    for (Value value : op->getResults())
      if (failed(convert(value, op->getLoc())))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          if (failed(convert(argument, argument.getLoc())))
            return WalkResult::interrupt();
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (!function.isExternal())
        function.setType(FunctionType::get(op->getContext(),
                                           function.front().getArgumentTypes(),
                                           function.getResultTypes()));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {

/// (a, b, c) by (A, B, C) is (a * B + b) * C + c.
struct ExpandLinearize : OpRewritePattern<affine::AffineLinearizeIndexOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(affine::AffineLinearizeIndexOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getDynamicBasis().empty())
      return rewriter.notifyMatchFailure(op, "dynamic basis");
    ArrayRef<int64_t> basis = op.getStaticBasis();
    basis = basis.take_back(op.getMultiIndex().size() - 1);
    Location loc = op.getLoc();
    Value linear = op.getMultiIndex().front();
    for (auto [index, extent] :
         llvm::zip_equal(op.getMultiIndex().drop_front(), basis)) {
      Value factor = arith::ConstantIndexOp::create(rewriter, loc, extent);
      linear = arith::AddIOp::create(
          rewriter, loc, arith::MulIOp::create(rewriter, loc, linear, factor),
          index);
    }
    rewriter.replaceOp(op, linear);
    return success();
  }
};

/// n into (A, B, C) is n / (B * C), n / C % B, n % C.
struct ExpandDelinearize : OpRewritePattern<affine::AffineDelinearizeIndexOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(affine::AffineDelinearizeIndexOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getDynamicBasis().empty())
      return rewriter.notifyMatchFailure(op, "dynamic basis");
    ArrayRef<int64_t> basis = op.getStaticBasis();
    basis = basis.take_back(op.getNumResults() - 1);
    Location loc = op.getLoc();
    SmallVector<Value> indices(op.getNumResults());
    int64_t stride = 1;
    for (size_t i = op.getNumResults(); i-- > 0;) {
      Value index = op.getLinearIndex();
      if (stride != 1)
        index = arith::DivUIOp::create(
            rewriter, loc, index,
            arith::ConstantIndexOp::create(rewriter, loc, stride));
      if (i != 0) {
        index = arith::RemUIOp::create(
            rewriter, loc, index,
            arith::ConstantIndexOp::create(rewriter, loc, basis[i - 1]));
        stride *= basis[i - 1];
      }
      indices[i] = index;
    }
    rewriter.replaceOp(op, indices);
    return success();
  }
};

/// n / C * C + n % C is n.
struct FoldSplitIndex : OpRewritePattern<arith::AddIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddIOp op,
                                PatternRewriter &rewriter) const override {
    auto product = op.getLhs().getDefiningOp<arith::MulIOp>();
    auto rest = op.getRhs().getDefiningOp<arith::RemUIOp>();
    if (!product || !rest)
      return rewriter.notifyMatchFailure(op, "no product and remainder");
    auto quotient = product.getLhs().getDefiningOp<arith::DivUIOp>();
    if (!quotient || quotient.getLhs() != rest.getLhs() ||
        !isEqualConstantIntOrValue(quotient.getRhs(), product.getRhs()) ||
        !isEqualConstantIntOrValue(rest.getRhs(), product.getRhs()))
      return rewriter.notifyMatchFailure(op, "not of the same division");
    rewriter.replaceOp(op, rest.getLhs());
    return success();
  }
};

struct LinearizeMemrefsPass
    : accrue::cuda::impl::LinearizeMemrefsBase<LinearizeMemrefsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    linearizeAccesses(module);
    if (failed(linearizeTypes(module)))
      return signalPassFailure();

    RewritePatternSet cancel(context);
    affine::AffineLinearizeIndexOp::getCanonicalizationPatterns(cancel,
                                                                context);
    affine::AffineDelinearizeIndexOp::getCanonicalizationPatterns(cancel,
                                                                  context);
    RewritePatternSet expand(context);
    expand.add<ExpandLinearize, ExpandDelinearize, FoldSplitIndex>(context);
    if (failed(applyPatternsGreedily(module, std::move(cancel))) ||
        failed(applyPatternsGreedily(module, std::move(expand))))
      return signalPassFailure();
    chooseIndexWidths(module);
  }

  static int64_t getIndexBits(int64_t largest) {
    return largest > std::numeric_limits<int32_t>::max() ? 64 : 32;
  }

  /// The most that an index of `kernel` can be. Sums and products lead to
  /// elements of buffers or run up to constants; what runs past them, by a
  /// chunk or by as many elements as the grid has threads, is less than double.
  static int64_t getLargestIndex(KernelOp kernel) {
    int64_t largest = 0;
    for (Type type : kernel.getArgumentTypes())
      if (auto memref = dyn_cast<MemRefType>(type))
        largest = std::max(largest, memref.getNumElements());
    kernel.walk([&](arith::ConstantIndexOp constant) {
      largest = std::max(largest, constant.value());
    });
    return 2 * largest + kernel.getGrid() * kernel.getBlock();
  }

  static void chooseIndexWidths(ModuleOp module) {
    for (auto kernel : module.getOps<KernelOp>())
      kernel.setIndexBits(getIndexBits(getLargestIndex(kernel)));
    for (auto table : module.getOps<RangesOp>()) {
      auto last = cast<kernel::RangeAttr>(table.getRanges().getValue().back());
      table.setIndexBits(getIndexBits(last.getOffset() + last.getCount()));
    }
  }
};

} // namespace
