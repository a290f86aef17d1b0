//===- NNRandomOps.cpp - Random numbers -----------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A draw is an index computation on its key and the indices of its samples:
// whoever reads it computes it again.
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// The counter has 31 bits for the site, and 32 for the place of an element.
static constexpr int64_t kMaxSite = (int64_t(1) << 31) - 1;
static constexpr int64_t kMaxPlaces = int64_t(1) << 32;

/// The same for every distribution.
template <typename OpTy>
static LogicalResult verifyDraw(OpTy op) {
  auto key = cast<RankedTensorType>(op.getKey().getType());
  auto type = cast<RankedTensorType>(op.getType());
  if (key.getShape() != ArrayRef<int64_t>{2})
    return op.emitOpError("expected a key of type tensor<2xi64>, the seed and "
                          "the index of the logical batch, got ")
           << key;
  if (op.getSite() > static_cast<uint64_t>(kMaxSite))
    return op.emitOpError("expected a site from 0 to ")
           << kMaxSite << ", got " << op.getSiteAttr().getInt();
  SmallVector<Extent> extents = getExtents(type);
  Extent elements = getProduct(extents);
  if (op.getSample()) {
    int64_t dim = op.getDimAttr().getInt();
    if (dim < 0 || dim >= type.getRank())
      return op.emitOpError("expected 'dim' to be a dimension of ")
             << type << ", got " << dim;
    auto sample = cast<RankedTensorType>(op.getSample().getType());
    if (sample.getRank() != 1 || getExtents(sample)[0] != extents[dim])
      return op.emitOpError("expected one sample for each of the ")
             << extents[dim].str() << " slices along dimension " << dim
             << ", got " << sample;
    elements = elements / extents[dim];
  } else if (!type.hasStaticShape()) {
    return op.emitOpError("expected the indices of the samples of ") << type;
  }
  if (elements.isStatic() && elements.getNum() > kMaxPlaces)
    return op.emitOpError("expected at most ")
           << kMaxPlaces << " elements per sample, got " << elements.getNum();
  return success();
}

/// A slice of a draw is the draw of these samples.
static std::optional<SmallVector<BatchState>>
getModes(Value sample, int64_t dim, MappedMode mode) {
  if (!sample || mode.dim != dim)
    return std::nullopt;
  return SmallVector<BatchState>{BatchState::once(),
                                 BatchState::mapped(mode.atDim(0))};
}

static FailureOr<BatchRule> inferRule(Value sample, int64_t dim,
                                      ArrayRef<BatchState> operands,
                                      std::string &reason) {
  if (!sample || !operands[1].isMapped() || operands[0].isMapped()) {
    reason = "expected a key that is the same for all samples";
    return failure();
  }
  return BatchRule{{BatchState::once(), operands[1]},
                   {BatchState::mapped(operands[1].mode.atDim(dim))}};
}

#define ACCRUE_RANDOM_OP(OP)                                                   \
  LogicalResult OP::verify() { return verifyDraw(*this); }                     \
  FailureOr<BatchRule> OP::inferBatchRule(ArrayRef<BatchState> operands,       \
                                          std::string &reason) {               \
    return inferRule(getSample(), getDim(), operands, reason);                 \
  }                                                                            \
  std::optional<SmallVector<BatchState>> OP::operandModes(unsigned,            \
                                                          MappedMode mode) {   \
    return getModes(getSample(), getDim(), mode);                              \
  }
ACCRUE_RANDOM_OP(UniformOp)
ACCRUE_RANDOM_OP(NormalOp)
#undef ACCRUE_RANDOM_OP
