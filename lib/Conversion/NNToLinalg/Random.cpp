//===- Random.cpp - Random numbers ----------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "accrue/Dialect/Kernel/KernelDrawOps.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace accrue;

/// The place of the current element within its sample: its index in row-major
/// order without dimension `dim`.
static Value createPlace(OpBuilder &builder, Location loc,
                         RankedTensorType type, std::optional<int64_t> dim) {
  Value place;
  for (int64_t i = 0, e = type.getRank(); i != e; ++i) {
    if (i == dim || type.getDimSize(i) == 1)
      continue;
    Value index = linalg::IndexOp::create(builder, loc, i);
    if (place) {
      Value extent =
          arith::ConstantIndexOp::create(builder, loc, type.getDimSize(i));
      place = arith::MulIOp::create(builder, loc, place, extent);
      place = arith::AddIOp::create(builder, loc, place, index);
    } else {
      place = index;
    }
  }
  if (!place)
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
  return arith::IndexCastOp::create(builder, as("place", loc),
                                    builder.getI32Type(), place);
}

/// The number that is drawn for every element, in f32 for half types: there a
/// uniform one has no more digits than the type holds, so that it stays below
/// 1.
template <typename OpTy>
static Value draw(Lowering &l, OpTy op, kernel::Distribution distribution) {
  RankedTensorType type = Lowering::typeOf(op.getResult());
  auto element = cast<FloatType>(type.getElementType());
  bool isHalf = element.isF16() || element.isBF16();
  Type drawn = isHalf ? Type(l.b.getF32Type()) : Type(element);
  auto digits = [](Type floats) {
    return APFloat::semanticsPrecision(
        cast<FloatType>(floats).getFloatSemantics());
  };
  bool isUniform = distribution == kernel::Distribution::uniform;
  int64_t wanted = digits(isUniform ? Type(element) : drawn);
  std::optional<int64_t> dim;
  if (op.getSample())
    dim = op.getDimAttr().getInt();
  return l.map(
      type, {}, ArrayRef<AffineMap>{},
      [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
        auto getKey = [&](int64_t word, StringRef name) -> Value {
          Value index = arith::ConstantIndexOp::create(builder, loc, word);
          return tensor::ExtractOp::create(builder, as(name, loc), op.getKey(),
                                           index);
        };
        Value seed = getKey(0, "seed"), batch = getKey(1, "batch");
        Value sample;
        if (dim) {
          Value index = linalg::IndexOp::create(builder, loc, *dim);
          sample = tensor::ExtractOp::create(builder, as("sample", loc),
                                             op.getSample(), index);
          if (!sample.getType().isInteger(32))
            sample = arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                             sample);
        } else {
          sample = arith::ConstantIntOp::create(builder, loc,
                                                builder.getI32Type(), 0);
        }
        Value place = createPlace(builder, loc, type, dim);
        Value number = kernel::DrawOp::create(
            builder, loc, drawn, distribution, seed, batch, sample, place,
            op.getSiteAttr(), builder.getI64IntegerAttr(wanted));
        if (!isHalf)
          return number;
        return arith::TruncFOp::create(builder, loc, element, number);
      });
}

std::optional<Value> accrue::lowerRandom(Lowering &l, Operation *op) {
  if (auto uniform = dyn_cast<nn::UniformOp>(op))
    return draw(l, uniform, kernel::Distribution::uniform);
  if (auto normal = dyn_cast<nn::NormalOp>(op))
    return draw(l, normal, kernel::Distribution::normal);
  return std::nullopt;
}
