//===- NNReductionOps.cpp - Reductions ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dims.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult nn::verifyDims(std::optional<Location> loc,
                             ArrayRef<int64_t> dims, int64_t rank) {
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (dim < 0 || dim >= rank)
      return emitOptionalError(loc, "expected 'dims' in [0, ", rank, "), got ",
                               dim);
    if (i > 0 && dims[i - 1] >= dim)
      return emitOptionalError(loc, "expected strictly increasing 'dims', got ",
                               dim, " after ", dims[i - 1]);
  }
  return success();
}

RankedTensorType nn::getReducedType(RankedTensorType input,
                                    ArrayRef<int64_t> dims, Type elementType) {
  SmallVector<Extent> kept;
  for (auto [dim, extent] : llvm::enumerate(getExtents(input)))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      kept.push_back(extent);
  return getTensorType(kept, elementType);
}

/// The type of `input` without `dims`.
static LogicalResult inferReduced(std::optional<Location> loc,
                                  RankedTensorType input,
                                  ArrayRef<int64_t> dims, Type elementType,
                                  SmallVectorImpl<Type> &inferred) {
  if (failed(verifyDims(loc, dims, input.getRank())))
    return failure();
  inferred.push_back(getReducedType(input, dims, elementType));
  return success();
}

template <typename OpTy>
static LogicalResult inferReduction(std::optional<Location> loc,
                                    typename OpTy::Adaptor adaptor,
                                    SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  return inferReduced(loc, input, adaptor.getDims(), input.getElementType(),
                      inferred);
}

LogicalResult
SumOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                        ValueRange operands, DictionaryAttr attributes,
                        OpaqueProperties properties, RegionRange regions,
                        SmallVectorImpl<Type> &inferred) {
  return inferReduction<SumOp>(
      loc, Adaptor(operands, attributes, properties, regions), inferred);
}

LogicalResult
MeanOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                         ValueRange operands, DictionaryAttr attributes,
                         OpaqueProperties properties, RegionRange regions,
                         SmallVectorImpl<Type> &inferred) {
  return inferReduction<MeanOp>(
      loc, Adaptor(operands, attributes, properties, regions), inferred);
}

LogicalResult
ReduceMaxOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &inferred) {
  return inferReduction<ReduceMaxOp>(
      loc, Adaptor(operands, attributes, properties, regions), inferred);
}

LogicalResult
ReduceMinOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &inferred) {
  return inferReduction<ReduceMinOp>(
      loc, Adaptor(operands, attributes, properties, regions), inferred);
}

LogicalResult ReduceArgmaxOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto values = cast<RankedTensorType>(adaptor.getValues().getType());
  auto indices = cast<RankedTensorType>(adaptor.getIndices().getType());
  if (withElementType(values, indices.getElementType()) != indices)
    return emitOptionalError(loc, "expected 'indices' of the shape of ", values,
                             ", got ", indices);
  if (failed(inferReduced(loc, values, adaptor.getDims(),
                          values.getElementType(), inferred)))
    return failure();
  inferred.push_back(
      getReducedType(values, adaptor.getDims(), indices.getElementType()));
  return success();
}

LogicalResult
ArgmaxOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferReduced(loc, cast<RankedTensorType>(adaptor.getInput().getType()),
                      {static_cast<int64_t>(adaptor.getDim())},
                      IntegerType::get(context, 32), inferred);
}

OpFoldResult SumOp::fold(FoldAdaptor) {
  return getDims().empty() ? getInput() : OpFoldResult();
}

OpFoldResult MeanOp::fold(FoldAdaptor) {
  return getDims().empty() ? getInput() : OpFoldResult();
}

OpFoldResult ReduceMaxOp::fold(FoldAdaptor) {
  return getDims().empty() ? getInput() : OpFoldResult();
}

OpFoldResult ReduceMinOp::fold(FoldAdaptor) {
  return getDims().empty() ? getInput() : OpFoldResult();
}

LogicalResult CumsumOp::verify() {
  int64_t rank = cast<RankedTensorType>(getType()).getRank();
  int64_t dim = getDimAttr().getInt();
  if (dim >= rank)
    return emitOpError("expected 'dim' in [0, ") << rank << "), got " << dim;
  return success();
}

OpFoldResult CumsumOp::fold(FoldAdaptor) {
  // The first element of each line is its own sum.
  auto type = cast<RankedTensorType>(getType());
  return type.getDimSize(getDim()) == 1 ? getInput() : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// reduce_argmax
//===----------------------------------------------------------------------===//

namespace {
/// A maximum whose index is known is the value next to it: it is found once.
/// reduce_max(x) -> reduce_argmax(x)#0; reduce_min(x) -> -reduce_argmax(-x)#0.
struct ShareExtremum : OpRewritePattern<ReduceArgmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReduceArgmaxOp op,
                                PatternRewriter &rewriter) const override {
    for (Operation *user : op.getValues().getUsers())
      if (auto max = dyn_cast<ReduceMaxOp>(user))
        if (isSame(op, max)) {
          moveBefore(op, max, rewriter);
          rewriter.replaceOp(max, op.getValue());
          return success();
        }
    if (auto neg = op.getValues().getDefiningOp<NegOp>())
      for (Operation *user : neg.getInput().getUsers())
        if (auto min = dyn_cast<ReduceMinOp>(user))
          if (isSame(op, min)) {
            moveBefore(op, min, rewriter);
            rewriter.setInsertionPoint(min);
            auto value = NegOp::create(rewriter, min.getLoc(), op.getValue());
            value->setDiscardableAttrs(min->getDiscardableAttrDictionary());
            rewriter.replaceOp(min, value.getResult());
            return success();
          }
    return rewriter.notifyMatchFailure(op, "no extremum of the same values");
  }

private:
  template <typename ExtremumTy>
  static bool isSame(ReduceArgmaxOp op, ExtremumTy extremum) {
    return extremum.getDims() == op.getDims() &&
           extremum->getBlock() == op->getBlock();
  }

  /// Moves `op` and what it needs in front of `user`, to whose part of the
  /// program it belongs then.
  static void moveBefore(ReduceArgmaxOp op, Operation *user,
                         PatternRewriter &rewriter) {
    if (op->isBeforeInBlock(user))
      return;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *needed) {
      return needed->getBlock() == user->getBlock() &&
             user->isBeforeInBlock(needed);
    };
    llvm::SetVector<Operation *> slice;
    LogicalResult result = getBackwardSlice(op, &slice, options);
    assert(succeeded(result) && "ops of this dialect have no regions");
    (void)result;
    for (Operation *needed : slice) {
      rewriter.moveOpBefore(needed, user);
      rewriter.modifyOpInPlace(needed, [&] {
        needed->setDiscardableAttrs(user->getDiscardableAttrDictionary());
      });
    }
  }
};
} // namespace

void ReduceArgmaxOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<ShareExtremum>(context);
}
