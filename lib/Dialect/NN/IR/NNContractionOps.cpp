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
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank)
    return emitOptionalError(loc,
                             "expected operands of one rank, at least 2, got ",
                             lhs, " and ", rhs);
  if (lhs.getElementType() != rhs.getElementType())
    return emitOptionalError(loc, "expected operands of one element type, got ",
                             lhs, " and ", rhs);
  SmallVector<Extent> left = getExtents(lhs), right = getExtents(rhs);
  if (adaptor.getTransposeLhs())
    std::swap(left[rank - 2], left[rank - 1]);
  if (adaptor.getTransposeRhs())
    std::swap(right[rank - 2], right[rank - 1]);
  for (int64_t dim = 0; dim != rank - 2; ++dim)
    if (left[dim] != right[dim])
      return emitOptionalError(loc, "expected equal extents of dimension ", dim,
                               ", got ", left[dim].str(), " in ", lhs, " and ",
                               right[dim].str(), " in ", rhs);
  if (left[rank - 1] != right[rank - 2])
    return emitOptionalError(
        loc, "expected equal extents of the summed dimension, got ",
        left[rank - 1].str(), " in ", lhs, " and ", right[rank - 2].str(),
        " in ", rhs);
  left.back() = right.back();
  inferred.push_back(getTensorType(left, lhs.getElementType()));
  return success();
}

/// The transpose of matrices, the last two dimensions, that `value` is.
static TransposeOp getMatrixTranspose(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose)
    return nullptr;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  int64_t rank = permutation.size();
  auto swapped = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(swapped[rank - 2], swapped[rank - 1]);
  return permutation == ArrayRef<int64_t>(swapped) ? transpose : nullptr;
}

namespace {
/// matmul(transpose(a), b) -> matmul(a, b) with the other transposition.
struct FoldTransposeIntoMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp lhs = getMatrixTranspose(op.getLhs());
    TransposeOp rhs = getMatrixTranspose(op.getRhs());
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

/// Products of different matrices with the same one are a single product:
/// matmul(a, broadcast(b)) -> matmul(a with the rows of all matrices, b).
struct MergeRowsOfMatmul : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    auto rhs = op.getRhs().getDefiningOp<BroadcastOp>();
    auto type = cast<RankedTensorType>(op.getType());
    int64_t rank = type.getRank();
    if (!rhs || op.getTransposeLhs() || rank == 2 ||
        !llvm::equal(rhs.getDims(), llvm::seq<int64_t>(0, rank - 2)))
      return rewriter.notifyMatchFailure(
          op, "the right operand is not the same for all products");
    SmallVector<Extent> extents = getExtents(type);
    Extent rows = getProduct(ArrayRef(extents).drop_back());
    auto lhsType = cast<RankedTensorType>(op.getLhs().getType());
    Type element = type.getElementType();
    DictionaryAttr marks = op->getDiscardableAttrDictionary();
    auto mark = [&](Operation *created) {
      created->setDiscardableAttrs(marks);
      return created->getResult(0);
    };
    Value merged = mark(ReshapeOp::create(
        rewriter, op.getLoc(),
        getTensorType({rows, getExtents(lhsType).back()}, element),
        op.getLhs()));
    Value product = mark(MatmulOp::create(
        rewriter, op.getLoc(), getTensorType({rows, extents.back()}, element),
        merged, rhs.getInput(), /*transpose_lhs=*/false, op.getTransposeRhs()));
    auto split = rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, product);
    mark(split);
    return success();
  }
};
} // namespace

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<FoldTransposeIntoMatmul, MergeRowsOfMatmul>(context);
}
