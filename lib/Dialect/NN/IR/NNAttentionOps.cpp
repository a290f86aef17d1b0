//===- NNAttentionOps.cpp - Attention -------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// Fails unless `mask` is [T, S] or [N, H, T, S].
static LogicalResult verifyMask(std::optional<Location> loc,
                                RankedTensorType mask,
                                ArrayRef<Extent> scores) {
  SmallVector<Extent> extents = getExtents(mask);
  if (extents == scores || extents == scores.take_back(2))
    return success();
  return emitOptionalError(
      loc, "expected 'mask' of type ",
      getTensorType(scores.take_back(2), mask.getElementType()), " or ",
      getTensorType(scores, mask.getElementType()), ", got ", mask);
}

LogicalResult
AttentionOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto queryType = cast<RankedTensorType>(adaptor.getQuery().getType());
  auto keyType = cast<RankedTensorType>(adaptor.getKey().getType());
  auto valueType = cast<RankedTensorType>(adaptor.getValue().getType());
  for (RankedTensorType type : {queryType, keyType, valueType}) {
    if (type.getRank() != 4)
      return emitOptionalError(loc, "expected operands of rank 4, got ", type);
    if (type.getElementType() != queryType.getElementType())
      return emitOptionalError(loc,
                               "expected operands of one element type, got ",
                               queryType, " and ", type);
  }
  SmallVector<Extent> query = getExtents(queryType), key = getExtents(keyType),
                      value = getExtents(valueType);
  if (ArrayRef(key).take_front(3) != ArrayRef(value).take_front(3))
    return emitOptionalError(loc,
                             "expected 'key' and 'value' to agree in samples, "
                             "heads and positions, got ",
                             keyType, " and ", valueType);
  if (query[0] != key[0] || query[3] != key[3])
    return emitOptionalError(loc,
                             "expected 'query' and 'key' to agree in samples "
                             "and features, got ",
                             queryType, " and ", keyType);
  if (key[1] == Extent(0) || query[1].getPower() != key[1].getPower() ||
      (query[1] / key[1]).getDen() != 1)
    return emitOptionalError(loc, "expected the ", key[1].str(),
                             " heads of 'key' to divide the ", query[1].str(),
                             " heads of 'query'");
  if (adaptor.getCausal() && !(query[2].isStatic() && key[2].isStatic()))
    return emitOptionalError(loc,
                             "expected static numbers of positions with "
                             "'causal', got ",
                             queryType, " and ", keyType);
  SmallVector<Extent> scores = {query[0], query[1], query[2], key[2]};
  if (Value mask = adaptor.getMask())
    if (failed(verifyMask(loc, cast<RankedTensorType>(mask.getType()), scores)))
      return failure();
  inferred.push_back(getTensorType({query[0], query[1], query[2], value[3]},
                                   queryType.getElementType()));
  return success();
}
