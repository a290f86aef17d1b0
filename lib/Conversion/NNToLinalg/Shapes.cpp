//===- Shapes.cpp - Repetitions and movements -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../FormKernels/KernelFormer.h"
#include "Lowerings.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace accrue;

static double getExtent(RankedTensorType type, ArrayRef<int64_t> dims) {
  double extent = 1;
  for (int64_t dim : dims)
    extent *= type.getDimSize(dim);
  return extent;
}

static Value repeat(Lowering &l, Value input, RankedTensorType type,
                    ArrayRef<int64_t> dims, double divisor) {
  return l.map(type, input, l.mapWithout(type.getRank(), dims),
               [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                 if (divisor == 1)
                   return args[0];
                 Value count =
                     createFloat(builder, loc, args[0].getType(), divisor);
                 return arith::DivFOp::create(builder, loc, args[0], count);
               });
}

static Value transpose(Lowering &l, nn::TransposeOp op) {
  // Dimension i of the result is dimension permutation[i] of the operand.
  SmallVector<AffineExpr> exprs(op.getPermutation().size());
  for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
    exprs[dim] = l.b.getAffineDimExpr(i);
  AffineMap source = AffineMap::get(exprs.size(), 0, exprs, l.context);
  return l.map(Lowering::typeOf(op.getResult()), op.getInput(), source,
               [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

std::optional<Value> accrue::lowerShape(Lowering &l, Operation *op) {
  using Result = std::optional<Value>;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](nn::BroadcastOp op) -> Result {
        return repeat(l, op.getInput(), type, op.getDims(), 1);
      })
      .Case([&](nn::DistributeOp op) -> Result {
        return repeat(l, op.getInput(), type, op.getDims(),
                      getExtent(type, op.getDims()));
      })
      .Case([&](nn::ReshapeOp op) -> Result {
        return createReshape(l.b, op.getLoc(), op.getInput(), type);
      })
      .Case([&](nn::TransposeOp op) -> Result { return transpose(l, op); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}
