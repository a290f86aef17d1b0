//===- NNDecomposeAttention.cpp - Attention as simpler ops ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

Value AttentionBuilder::group(Value value) {
  SmallVector<Extent> extents = getExtents(Formula::getType(value));
  Extent heads = getExtents(Formula::getType(op.getKey()))[1];
  extents[2] = extents[1] / heads * extents[2];
  extents[1] = heads;
  return f.reshape(
      value, getTensorType(extents, Formula::getType(value).getElementType()));
}

Value AttentionBuilder::ungroup(Value value) {
  SmallVector<Extent> extents = getExtents(Formula::getType(value));
  SmallVector<Extent> query = getExtents(Formula::getType(op.getQuery()));
  extents[1] = query[1];
  extents[2] = query[2];
  return f.reshape(
      value, getTensorType(extents, Formula::getType(value).getElementType()));
}

Value AttentionBuilder::buildAllowed(RankedTensorType scores) {
  Value allowed;
  if (Value mask = op.getMask())
    allowed = Formula::getType(mask).getRank() == 4
                  ? mask
                  : BroadcastOp::create(
                        f.builder, f.loc,
                        withElementType(scores, f.builder.getI1Type()), mask,
                        ArrayRef<int64_t>{0, 1});
  if (!op.getCausal())
    return allowed;
  // Indices of full shape: they are computed where they are read.
  IntegerType i32 = f.builder.getI32Type();
  RankedTensorType type = withElementType(scores, i32);
  Value last = IotaOp::create(f.builder, f.loc, type, 2);
  Value position = IotaOp::create(f.builder, f.loc, type, 3);
  int64_t ahead = scores.getDimSize(3) - scores.getDimSize(2);
  if (ahead != 0) {
    Value constant = ConstantOp::create(
        f.builder, f.loc,
        DenseElementsAttr::get(RankedTensorType::get({}, i32),
                               static_cast<int32_t>(ahead)));
    last = f.add(last, BroadcastOp::create(f.builder, f.loc, type, constant,
                                           ArrayRef<int64_t>{0, 1, 2, 3}));
  }
  Value causal = f.compare(ComparePredicate::le, position, last);
  return allowed ? f.binary<AndOp>(allowed, causal) : causal;
}

Value AttentionBuilder::buildProbabilities() {
  Value products =
      ungroup(f.matmul(group(op.getQuery()), false, op.getKey(), true));
  Value scores =
      f.mul(products, f.splat(products, op.getScale().convertToDouble()));
  if (Value allowed = buildAllowed(Formula::getType(scores)))
    scores = f.select(allowed, scores, f.splat(scores, -kInfinity));
  return SoftmaxOp::create(f.builder, f.loc, scores.getType(), scores, 3);
}

LogicalResult AttentionOp::buildDecomposition(OpBuilder &builder,
                                              SmallVectorImpl<Value> &results) {
  AttentionBuilder parts(builder, *this);
  Value probabilities = parts.group(parts.buildProbabilities());
  results.push_back(
      parts.ungroup(parts.f.matmul(probabilities, false, getValue(), false)));
  return success();
}
