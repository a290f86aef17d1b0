//===- Positions.cpp - Indices along dimensions ---------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Positions.h"
#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

/// `value` repeated along all dimensions of `type` but `kept`.
static Value repeatBut(OpBuilder &builder, Location loc, Value value,
                       RankedTensorType type, int64_t kept) {
  SmallVector<int64_t> added;
  for (int64_t d = 0; d != type.getRank(); ++d)
    if (d != kept)
      added.push_back(d);
  return added.empty()
             ? value
             : Value(BroadcastOp::create(builder, loc, type, value, added));
}

Value nn::createExtent(OpBuilder &builder, Location loc, Extent value,
                       RankedTensorType type) {
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value bound;
  if (value.isStatic())
    bound = ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            scalar, APInt(type.getElementTypeBitWidth(), value.getNum(),
                          /*isSigned=*/true, /*implicitTrunc=*/true)));
  else
    bound = ExtentOp::create(
        builder, loc, scalar,
        ExtentsAttr::get(builder.getContext(), ArrayRef<Extent>{value}));
  return repeatBut(builder, loc, bound, type, /*kept=*/-1);
}

Value nn::createIndices(OpBuilder &builder, Location loc, RankedTensorType type,
                        int64_t dim) {
  RankedTensorType line =
      getTensorType({getExtents(type)[dim]}, type.getElementType());
  Value indices = IotaOp::create(builder, loc, line, 0);
  return repeatBut(builder, loc, indices, type, dim);
}

Value nn::createPositions(OpBuilder &builder, Location loc,
                          RankedTensorType type, ArrayRef<int64_t> dims) {
  SmallVector<Extent> extents = getExtents(type);
  Value positions;
  Extent stride;
  for (int64_t dim : llvm::reverse(dims)) {
    Value term = createIndices(builder, loc, type, dim);
    if (positions) {
      Value factor = createExtent(builder, loc, stride, type);
      Value distance = MulOp::create(builder, loc, type, term, factor);
      positions = AddOp::create(builder, loc, type, positions, distance);
    } else {
      positions = term;
    }
    stride = stride * extents[dim];
  }
  return positions ? positions : createExtent(builder, loc, Extent(0), type);
}
