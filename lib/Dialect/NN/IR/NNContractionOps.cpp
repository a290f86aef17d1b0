//===- NNContractionOps.cpp - Matrix products -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

LogicalResult
MatmulOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &inferred) {
  MatmulOp::Adaptor adaptor(operands, attributes, properties, regions);
  auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = cast<RankedTensorType>(adaptor.getRhs().getType());
  if (lhs.getRank() != 2 || rhs.getRank() != 2)
    return emitOptionalError(loc, "expected operands of rank 2, got ", lhs,
                             " and ", rhs);
  if (lhs.getElementType() != rhs.getElementType())
    return emitOptionalError(loc, "expected operands of one element type, got ",
                             lhs, " and ", rhs);
  SmallVector<Extent> left = getExtents(lhs), right = getExtents(rhs);
  if (adaptor.getTransposeLhs())
    std::swap(left[0], left[1]);
  if (adaptor.getTransposeRhs())
    std::swap(right[0], right[1]);
  if (left[1] != right[0])
    return emitOptionalError(
        loc, "expected equal extents of the summed dimension, got ",
        left[1].str(), " in ", lhs, " and ", right[0].str(), " in ", rhs);
  inferred.push_back(getTensorType({left[0], right[1]}, lhs.getElementType()));
  return success();
}

namespace {
/// matmul(transpose(a), b) -> matmul(a, b) with the other transposition.
struct FoldTransposeIntoMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<TransposeOp>();
    auto rhs = op.getRhs().getDefiningOp<TransposeOp>();
    if (!lhs && !rhs)
      return rewriter.notifyMatchFailure(op, "no operand is a transpose");
    DictionaryAttr marks = op->getDiscardableAttrDictionary();
    auto folded = rewriter.replaceOpWithNewOp<MatmulOp>(
        op, op.getType(), lhs ? lhs.getInput() : op.getLhs(),
        rhs ? rhs.getInput() : op.getRhs(),
        op.getTransposeLhs() != static_cast<bool>(lhs),
        op.getTransposeRhs() != static_cast<bool>(rhs));
    folded->setDiscardableAttrs(marks);
    return success();
  }
};
} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FoldTransposeIntoMatmul>(context);
}
