//===- NNIndexingOps.cpp - Elements by index ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Fails unless `dim` is a dimension of `type`.
static LogicalResult verifyDim(std::optional<Location> loc, int64_t dim,
                               RankedTensorType type) {
  if (dim >= 0 && dim < type.getRank())
    return success();
  return emitOptionalError(loc, "expected 'dim' in [0, ", type.getRank(),
                           "), got ", dim, " for a tensor ", type);
}

/// The type of `sliced` with dimension `dim` replaced by those of `index`.
static RankedTensorType getGathered(RankedTensorType sliced,
                                    RankedTensorType index, int64_t dim) {
  SmallVector<Extent> extents = getExtents(sliced), result;
  result.append(extents.begin(), extents.begin() + dim);
  llvm::append_range(result, getExtents(index));
  result.append(extents.begin() + dim + 1, extents.end());
  return getTensorType(result, sliced.getElementType());
}

/// The type of `sliced` with the extent of `index` along `dim`; an error unless
/// that is the type of `index`, too.
static FailureOr<RankedTensorType> getAlong(std::optional<Location> loc,
                                            RankedTensorType sliced,
                                            RankedTensorType index,
                                            int64_t dim) {
  if (failed(verifyDim(loc, dim, sliced)))
    return failure();
  if (index.getRank() != sliced.getRank())
    return emitOptionalError(loc, "expected 'index' of rank ", sliced.getRank(),
                             ", got ", index);
  SmallVector<Extent> extents = getExtents(sliced);
  extents[dim] = getExtents(index)[dim];
  RankedTensorType expected = getTensorType(extents, index.getElementType());
  if (expected != index)
    return emitOptionalError(loc, "expected 'index' of type ", expected,
                             " (any extent along dimension ", dim, "), got ",
                             index);
  return withElementType(expected, sliced.getElementType());
}

/// Positions along dimension `dim` of `value`; none where the batch decides.
static std::optional<int64_t> getPositions(Value value, int64_t dim) {
  int64_t extent = getType(value).getDimSize(dim);
  return ShapedType::isDynamic(extent) ? std::nullopt : std::optional(extent);
}

//===----------------------------------------------------------------------===//
// gather, scatter_add
//===----------------------------------------------------------------------===//

LogicalResult
GatherOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  RankedTensorType input = ::getType(adaptor.getInput());
  if (failed(verifyDim(loc, adaptor.getDim(), input)))
    return failure();
  inferred.push_back(
      getGathered(input, ::getType(adaptor.getIndex()), adaptor.getDim()));
  return success();
}

std::optional<int64_t> GatherOp::getIndexBound(unsigned operandIndex) {
  if (operandIndex != getIndexMutable().getOperandNumber())
    return std::nullopt;
  return getPositions(getInput(), getDim());
}

LogicalResult ScatterAddOp::verify() {
  RankedTensorType result = ::getType(getResult());
  if (failed(verifyDim(getLoc(), getDim(), result)))
    return failure();
  RankedTensorType expected =
      getGathered(result, ::getType(getIndex()), getDim());
  if (expected != getUpdates().getType())
    return emitOpError("expected 'updates' of type ")
           << expected << " (the result with the dimensions of 'index' at "
           << getDim() << "), got " << getUpdates().getType();
  return success();
}

// Indices out of range are left out, so all are valid.
std::optional<int64_t> ScatterAddOp::getIndexBound(unsigned) {
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// take_along, scatter_add_along
//===----------------------------------------------------------------------===//

LogicalResult
TakeAlongOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  FailureOr<RankedTensorType> result =
      getAlong(loc, ::getType(adaptor.getInput()),
               ::getType(adaptor.getIndex()), adaptor.getDim());
  if (failed(result))
    return failure();
  inferred.push_back(*result);
  return success();
}

std::optional<int64_t> TakeAlongOp::getIndexBound(unsigned operandIndex) {
  if (operandIndex != getIndexMutable().getOperandNumber())
    return std::nullopt;
  return getPositions(getInput(), getDim());
}

LogicalResult ScatterAddAlongOp::verify() {
  FailureOr<RankedTensorType> expected = getAlong(
      getLoc(), ::getType(getResult()), ::getType(getIndex()), getDim());
  if (failed(expected))
    return failure();
  if (*expected != getUpdates().getType())
    return emitOpError("expected 'updates' of type ")
           << *expected << " (the shape of 'index'), got "
           << getUpdates().getType();
  return success();
}

std::optional<int64_t> ScatterAddAlongOp::getIndexBound(unsigned) {
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// top_k
//===----------------------------------------------------------------------===//

LogicalResult
TopKOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                         ValueRange operands, DictionaryAttr attributes,
                         OpaqueProperties properties, RegionRange regions,
                         SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  RankedTensorType input = ::getType(adaptor.getInput());
  if (input.getRank() == 0)
    return emitOptionalError(loc, "expected an operand of rank 1 or more, got ",
                             input);
  SmallVector<Extent> extents = getExtents(input);
  int64_t k = adaptor.getK();
  // How many samples there are is known once the batch is.
  if (extents.back().isStatic() && k > extents.back().getNum())
    return emitOptionalError(loc, "expected at least ", k,
                             " elements along the last dimension, got ",
                             extents.back().str());
  extents.back() = Extent(k);
  inferred.push_back(getTensorType(extents, IntegerType::get(context, 32)));
  return success();
}
