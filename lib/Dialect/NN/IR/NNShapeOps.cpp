//===- NNShapeOps.cpp - Changes of shape ----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// Verifies that the result is the operand with new dimensions `dims`.
template <typename OpTy>
static LogicalResult verifyRepetition(OpTy op) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  auto result = cast<RankedTensorType>(op.getType());
  ArrayRef<int64_t> dims = op.getDims();
  for (auto [i, dim] : llvm::enumerate(dims))
    if (dim < 0 || dim >= result.getRank() || (i > 0 && dims[i - 1] >= dim))
      return op.emitOpError("expected strictly increasing 'dims' of the "
                            "result, got [")
             << dims << "]";
  SmallVector<Extent> kept;
  for (auto [dim, extent] : llvm::enumerate(getExtents(result)))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      kept.push_back(extent);
  RankedTensorType expected = getTensorType(kept, result.getElementType());
  if (expected != input)
    return op.emitOpError("expected an operand of type ")
           << expected << " (the result without 'dims'), got " << input;
  return success();
}

LogicalResult BroadcastOp::verify() { return verifyRepetition(*this); }

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getDims().empty() ? getInput() : OpFoldResult();
}

LogicalResult DistributeOp::verify() { return verifyRepetition(*this); }

LogicalResult ReshapeOp::verify() {
  auto input = cast<RankedTensorType>(getInput().getType());
  auto result = cast<RankedTensorType>(getType());
  if (input.getElementType() != result.getElementType())
    return emitOpError("expected a result of element type ")
           << input.getElementType() << ", got " << result.getElementType();
  Extent before = getProduct(getExtents(input));
  Extent after = getProduct(getExtents(result));
  if (before != after)
    return emitOpError("expected as many elements after as before, got ")
           << after.str() << " after " << before.str();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType())
    return getInput();
  if (auto inner = getInput().getDefiningOp<ReshapeOp>()) {
    setOperand(inner.getInput());
    return getResult();
  }
  if (auto elements =
          dyn_cast_if_present<DenseElementsAttr>(adaptor.getInput()))
    if (cast<ShapedType>(getType()).hasStaticShape())
      return elements.reshape(cast<ShapedType>(getType()));
  return {};
}

LogicalResult
TransposeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  if (static_cast<int64_t>(permutation.size()) != input.getRank() ||
      !isPermutationVector(permutation))
    return emitOptionalError(loc, "expected a permutation of ", input.getRank(),
                             " dimensions, got [",
                             llvm::interleaved(permutation), "]");
  SmallVector<Extent> extents = getExtents(input), permuted;
  for (int64_t dim : permutation)
    permuted.push_back(extents[dim]);
  inferred.push_back(getTensorType(permuted, input.getElementType()));
  return success();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())))
    return getInput();
  auto inner = getInput().getDefiningOp<TransposeOp>();
  if (!inner)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t dim : getPermutation())
    composed.push_back(inner.getPermutation()[dim]);
  setPermutation(composed);
  setOperand(inner.getInput());
  return getResult();
}
