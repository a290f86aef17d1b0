//===- NNNormalizationOps.cpp - Normalization -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dims.h"
#include "accrue/Dialect/NN/NNOps.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// Fails unless attribute `dim` is a dimension of the operand.
template <typename OpTy>
static LogicalResult verifyDim(OpTy op) {
  int64_t rank = cast<RankedTensorType>(op.getInput().getType()).getRank();
  int64_t dim = op.getDimAttr().getInt();
  if (dim >= rank)
    return op.emitOpError("expected 'dim' in [0, ") << rank << "), got " << dim;
  return success();
}

/// Fails unless `dims` are at least one dimension of the operand, and `eps`,
/// which keeps the divisor from zero, is no negative number.
template <typename OpTy>
static LogicalResult verifyStatistics(OpTy op) {
  if (failed(verifyDims(
          op.getLoc(), op.getDims(),
          cast<RankedTensorType>(op.getInput().getType()).getRank())))
    return failure();
  if (op.getDims().empty())
    return op.emitOpError("expected at least one of 'dims'");
  double eps = op.getEps().convertToDouble();
  if (!(eps >= 0) || std::isinf(eps))
    return op.emitOpError("expected 'eps' to be a number of at least 0, got ")
           << eps;
  return success();
}

LogicalResult SoftmaxOp::verify() { return verifyDim(*this); }
LogicalResult LogSoftmaxOp::verify() { return verifyDim(*this); }
LogicalResult NormalizeOp::verify() { return verifyStatistics(*this); }
LogicalResult NormalizeGradOp::verify() { return verifyStatistics(*this); }
LogicalResult RmsNormOp::verify() { return verifyStatistics(*this); }

LogicalResult
LogSumExpOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  if (failed(verifyDims(loc, adaptor.getDims(), input.getRank())))
    return failure();
  inferred.push_back(
      getReducedType(input, adaptor.getDims(), input.getElementType()));
  return success();
}

LogicalResult
MomentsOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                            ValueRange operands, DictionaryAttr attributes,
                            OpaqueProperties properties, RegionRange regions,
                            SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  if (failed(verifyDims(loc, adaptor.getDims(), input.getRank())))
    return failure();
  inferred.assign(
      2, getReducedType(input, adaptor.getDims(), input.getElementType()));
  return success();
}
