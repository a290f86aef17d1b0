//===- NNLossOps.cpp - Losses ---------------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// The type of one value per row of `logits`; an error unless `label` has one
/// label per row.
static FailureOr<RankedTensorType> inferPerRow(std::optional<Location> loc,
                                               RankedTensorType logits,
                                               RankedTensorType label) {
  SmallVector<Extent> rows = getExtents(logits);
  if (rows.empty())
    return emitOptionalError(loc, "expected 'logits' of rank 1 or more, got ",
                             logits);
  rows.pop_back();
  if (getTensorType(rows, label.getElementType()) != label)
    return emitOptionalError(loc, "expected 'label' of type ",
                             getTensorType(rows, label.getElementType()),
                             " (one per row of 'logits'), got ", label);
  return getTensorType(rows, logits.getElementType());
}

LogicalResult CrossEntropyOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &inferred) {
  Adaptor adaptor(operands, attributes, properties, regions);
  FailureOr<RankedTensorType> result =
      inferPerRow(loc, cast<RankedTensorType>(adaptor.getLogits().getType()),
                  cast<RankedTensorType>(adaptor.getLabel().getType()));
  if (failed(result))
    return failure();
  inferred.push_back(*result);
  return success();
}

LogicalResult CrossEntropyGradOp::verify() {
  FailureOr<RankedTensorType> rows =
      inferPerRow(getLoc(), cast<RankedTensorType>(getLogits().getType()),
                  cast<RankedTensorType>(getLabel().getType()));
  if (failed(rows))
    return failure();
  if (*rows != getCotangent().getType())
    return emitOpError("expected 'cotangent' of type ")
           << *rows << ", got " << getCotangent().getType();
  return success();
}
