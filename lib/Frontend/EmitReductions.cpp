//===- EmitReductions.cpp - Reductions ------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What makes fewer numbers of many, and what counts along a dimension.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

/// The operand, where truth values and integers are taken as f32.
static Value getCounted(BuiltinCall &call) {
  TensorBuilder &builder = call.getBuilder();
  Type f32 = builder.getBuilder().getF32Type();
  Value x = call.getEmitter().toTensor(
      call[0], f32, call.getEmitter().getLoc(call[0].expr->range));
  if (!x || isa<FloatType>(getTensorType(x).getElementType()))
    return x;
  return builder.createConvert(call.getLoc(), x, f32);
}

/// A reduction of the dimensions in the second argument, or of all.
template <typename OpTy, Value (*getOperand)(BuiltinCall &)>
static Term emitReduction(BuiltinCall &call) {
  Value x = getOperand(call);
  if (!x)
    return {};
  std::optional<SmallVector<int64_t>> dims =
      call.getReducedDims(1, getTensorType(x).getRank());
  std::optional<bool> keep = call.getFlag(2, false);
  if (!dims || !keep)
    return {};
  Value result = call.create<OpTy>(x, *dims);
  if (!*keep)
    return result;
  SmallVector<nn::Extent> shape = nn::getExtents(getTensorType(x));
  for (int64_t dim : *dims)
    shape[dim] = 1;
  return call.getBuilder().createReshape(call.getLoc(), result, shape);
}

/// Mean squared distance from the mean; the divisor is the number of elements
/// less the correction.
static Term emitVariance(BuiltinCall &call) {
  Value x = getCounted(call);
  if (!x)
    return {};
  std::optional<SmallVector<int64_t>> dims =
      call.getReducedDims(1, getTensorType(x).getRank());
  std::optional<double> correction = call.getNumber(2, 1);
  if (!dims || !correction)
    return {};
  TensorBuilder &builder = call.getBuilder();
  Location loc = call.getLoc();
  Value variance = builder.createOp<nn::MomentsOp>(loc, x, *dims).getVariance();
  if (*correction == 0)
    return variance;
  nn::Extent count;
  SmallVector<nn::Extent> extents = nn::getExtents(getTensorType(x));
  for (int64_t dim : *dims)
    count = count * extents[dim];
  Type type = getTensorType(x).getElementType();
  Value factor;
  if (count.isStatic()) {
    double elements = count.getNum();
    factor =
        builder.createConstant(loc, elements / (elements - *correction), type);
  } else {
    // In half precision numbers of samples are rounded.
    Type wide = type.isF64() ? type : builder.getBuilder().getF32Type();
    Value elements = builder.createExtent(loc, count, wide);
    Value divisor = builder.create<nn::SubOp>(
        loc, elements, builder.createConstant(loc, *correction, wide));
    factor = builder.create<nn::DivOp>(loc, elements, divisor);
    if (wide != type)
      factor = builder.createConvert(loc, factor, type);
  }
  return builder.create<nn::MulOp>(
      loc, variance,
      builder.createBroadcast(loc, factor,
                              nn::getExtents(getTensorType(variance))));
}

static Value getFloats(BuiltinCall &call) { return call.getFloatTensor(0); }

static Value getNumbers(BuiltinCall &call) {
  Value x = call.getTensor(0);
  if (!x || !getTensorType(x).getElementType().isInteger(1))
    return x;
  call.emitError(0) << "expected numbers as " << call.describe(0) << ", got "
                    << formatType(getTensorType(x));
  return {};
}

static Term emitArgmax(BuiltinCall &call) {
  Value x = getNumbers(call);
  if (!x)
    return {};
  std::optional<int64_t> dim = call.getDim(1, getTensorType(x).getRank(), -1);
  return dim ? call.create<nn::ArgmaxOp>(x, *dim) : Value();
}

static Term emitCumsum(BuiltinCall &call) {
  Value x = call.getFloatTensor(0);
  if (!x)
    return {};
  std::optional<int64_t> dim = call.getDim(1, getTensorType(x).getRank());
  return dim ? call.create<nn::CumsumOp>(x, *dim, /*reverse=*/false) : Value();
}

ArrayRef<Builtin> getReductionBuiltins() {
  const SmallVector<Formal, 4> formals = {
      {"x"}, {"dims", false}, {"keepdims", false}};
  static const SmallVector<Builtin> builtins = {
      {"amax", formals, emitReduction<nn::ReduceMaxOp, getFloats>},
      {"amin", formals, emitReduction<nn::ReduceMinOp, getFloats>},
      {"argmax", {{"x"}, {"dim", false}}, emitArgmax},
      {"cumsum", {{"x"}, {"dim"}}, emitCumsum},
      {"logsumexp", formals, emitReduction<nn::LogSumExpOp, getFloats>},
      {"mean", formals, emitReduction<nn::MeanOp, getCounted>},
      {"sum", formals, emitReduction<nn::SumOp, getCounted>},
      {"variance",
       {{"x"}, {"dims", false}, {"correction", false}},
       emitVariance},
  };
  return builtins;
}

} // namespace accrue::frontend
