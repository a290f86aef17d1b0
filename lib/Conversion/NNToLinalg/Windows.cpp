//===- Windows.cpp - Windows of images ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Index arithmetic. Where an element may be in the padding, it is read from a
// place that exists, and left out.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/NN/WindowAxis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace accrue;
using accrue::nn::WindowAxis;

namespace {
/// Index arithmetic in the body of a structured op.
struct IndexBuilder {
  OpBuilder &b;
  Location loc;

  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value loop(int64_t dim) { return linalg::IndexOp::create(b, loc, dim); }
  /// index * factor + offset
  Value scale(Value index, int64_t factor, int64_t offset = 0) {
    if (factor != 1)
      index = arith::MulIOp::create(b, loc, index, constant(factor));
    if (offset != 0)
      index = arith::AddIOp::create(b, loc, index, constant(offset));
    return index;
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  }
  Value select(Value condition, Value a, Value b_) {
    return arith::SelectOp::create(b, loc, condition, a, b_);
  }
  /// The conjunction; null stands for true.
  Value both(Value a, Value b_) {
    if (!a || !b_)
      return a ? a : b_;
    return arith::AndIOp::create(b, loc, a, b_);
  }
};

/// An index, and whether it is valid: null where it always is. An index that is
/// not has a valid one in its place.
struct Place {
  Value index, isValid;
};
} // namespace

/// The pixel that is element `i` of window `p`.
static Place getPixel(IndexBuilder &at, const WindowAxis &axis, Value p,
                      Value i) {
  Value pixel = at.scale(p, axis.stride);
  if (axis.kernel != 1)
    pixel =
        arith::AddIOp::create(at.b, at.loc, pixel, at.scale(i, axis.dilation));
  pixel = at.scale(pixel, 1, -axis.before);
  Value isValid;
  if (axis.hasBefore())
    isValid = at.compare(arith::CmpIPredicate::sge, pixel, at.constant(0));
  if (axis.hasAfter())
    isValid = at.both(isValid, at.compare(arith::CmpIPredicate::slt, pixel,
                                          at.constant(axis.image)));
  if (isValid)
    pixel = at.select(isValid, pixel, at.constant(0));
  return {pixel, isValid};
}

/// The window whose element `i` is pixel `pixel`.
static Place getWindow(IndexBuilder &at, const WindowAxis &axis, Value pixel,
                       Value i) {
  // pixel + before - i * dilation = window * stride
  Value start = at.scale(pixel, 1, axis.before);
  if (axis.kernel != 1)
    start =
        arith::SubIOp::create(at.b, at.loc, start, at.scale(i, axis.dilation));
  Value window = start, isValid;
  if (axis.stride != 1) {
    window =
        arith::DivSIOp::create(at.b, at.loc, start, at.constant(axis.stride));
    isValid = at.compare(arith::CmpIPredicate::eq,
                         at.scale(window, axis.stride), start);
  }
  if (axis.before < axis.getSpan() - 1)
    isValid = at.both(
        isValid, at.compare(arith::CmpIPredicate::sge, window, at.constant(0)));
  if (axis.image - 1 + axis.before >= axis.getCount() * axis.stride)
    isValid = at.both(isValid, at.compare(arith::CmpIPredicate::slt, window,
                                          at.constant(axis.getCount())));
  if (isValid)
    window = at.select(isValid, window, at.constant(0));
  return {window, isValid};
}

/// `value` where it is valid, else `otherwise`.
static Value choose(IndexBuilder &at, Value isValid, Value value,
                    double otherwise) {
  if (!isValid)
    return value;
  return at.select(isValid, value,
                   createFloat(at.b, at.loc, value.getType(), otherwise));
}

static Value unfold(Lowering &l, nn::UnfoldOp op) {
  Value images = op.getInput();
  RankedTensorType type = Lowering::typeOf(op.getResult());
  ArrayRef<int64_t> shape = Lowering::typeOf(images).getShape();
  auto axes =
      nn::getWindowAxes(shape[2], shape[3], op.getKernel(), op.getStride(),
                        op.getDilation(), op.getPadding());
  bool channelsLast = op.getChannelsLast();
  return l.map(
      type, {}, [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
        IndexBuilder at{builder, loc};
        Value n = at.loop(0), c = at.loop(channelsLast ? 3 : 1),
              p = at.loop(channelsLast ? 1 : 2),
              q = at.loop(channelsLast ? 2 : 3), i = at.loop(4), j = at.loop(5);
        Place row = getPixel(at, axes[0], p, i);
        Place column = getPixel(at, axes[1], q, j);
        Value pixel = tensor::ExtractOp::create(
            builder, loc, images, ValueRange{n, c, row.index, column.index});
        return choose(at, at.both(row.isValid, column.isValid), pixel,
                      op.getValue().convertToDouble());
      });
}

/// For every pixel the sum over the places in a window.
static Value fold(Lowering &l, nn::FoldOp op) {
  Value windows = op.getInput();
  RankedTensorType type = Lowering::typeOf(op.getResult());
  ArrayRef<int64_t> shape = type.getShape();
  auto axes =
      nn::getWindowAxes(shape[2], shape[3], op.getKernel(), op.getStride(),
                        op.getDilation(), op.getPadding());
  bool channelsLast = op.getChannelsLast();
  auto element = cast<FloatType>(type.getElementType());
  bool isHalf = element.getWidth() < 32;
  Type wide = isHalf ? Type(l.b.getF32Type()) : element;

  // Only its extents are used.
  SmallVector<int64_t> extents(shape);
  extents.append(op.getKernel().begin(), op.getKernel().end());
  Value space = tensor::EmptyOp::create(l.b, l.loc, extents, wide);
  Value sums = l.reduce(
      RankedTensorType::get(shape, wide), space, l.identity(6), {4, 5},
      l.b.getFloatAttr(wide, 0),
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        IndexBuilder at{builder, loc};
        Value n = at.loop(0), c = at.loop(1), i = at.loop(4), j = at.loop(5);
        Place p = getWindow(at, axes[0], at.loop(2), i);
        Place q = getWindow(at, axes[1], at.loop(3), j);
        SmallVector<Value> indices = {n, p.index, q.index, i, j};
        indices.insert(indices.begin() + (channelsLast ? 3 : 1), c);
        Value value = tensor::ExtractOp::create(builder, loc, windows, indices);
        if (isHalf)
          value = arith::ExtFOp::create(builder, loc, wide, value);
        return arith::AddFOp::create(
            builder, loc, args[1],
            choose(at, at.both(p.isValid, q.isValid), value, 0));
      });
  if (!isHalf)
    return sums;
  return l.map(type, sums,
               [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                 return arith::TruncFOp::create(builder, loc, element, args[0]);
               });
}

std::optional<Value> accrue::lowerWindow(Lowering &l, Operation *op) {
  if (auto windows = dyn_cast<nn::UnfoldOp>(op))
    return unfold(l, windows);
  if (auto images = dyn_cast<nn::FoldOp>(op))
    return fold(l, images);
  return std::nullopt;
}
