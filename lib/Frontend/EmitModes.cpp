//===- EmitModes.cpp - Training, evaluation and randomness ----------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A draw has a site of its own, a number in the order of the file, and reads
// the key of the run and the index of every sample in the logical batch.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

static Term emitWhenTraining(BuiltinCall &call) {
  std::optional<SmallVector<Value>> values =
      call.getEmitter().unify(call.getRange(), call.getArguments());
  if (!values)
    return {};
  return call.create<nn::WhenTrainingOp>((*values)[0], (*values)[1]);
}

/// Numbers of a shape. The first extent that depends on the batch enumerates
/// the samples; without one, a draw serves the whole batch.
template <typename OpTy>
static Value draw(BuiltinCall &call, ArrayRef<nn::Extent> extents,
                  Type elementType) {
  Builder &builder = call.getBuilder().getBuilder();
  Emitter &emitter = call.getEmitter();
  Value key = emitter.getRandomKey(call.getLoc());
  int64_t dim = 0;
  Value sample;
  for (auto [i, extent] : llvm::enumerate(extents)) {
    if (extent.isStatic())
      continue;
    dim = i;
    sample = call.create<nn::IotaOp>(
        nn::getTensorType(extent, builder.getI32Type()), /*dim=*/0);
    break;
  }
  return call.create<OpTy>(nn::getTensorType(extents, elementType), key, sample,
                           dim, emitter.takeRandomSite());
}

template <typename OpTy>
static Term emitDraw(BuiltinCall &call) {
  auto extents = call.getExtents(0);
  Type type =
      call.getElementType(1, call.getBuilder().getBuilder().getF32Type());
  if (!extents || !type)
    return {};
  if (!isa<FloatType>(type)) {
    call.emitError(1) << "expected a type of floats, got " << type;
    return {};
  }
  return draw<OpTy>(call, *extents, type);
}

static Term emitDropout(BuiltinCall &call) {
  Value x = call.getFloatTensor(0);
  std::optional<double> p = call.getNumber(1, std::nullopt);
  if (!x || !p)
    return {};
  if (!(*p >= 0 && *p < 1)) {
    call.emitError(1) << "expected p of at least 0 and below 1, got "
                      << formatNumber(*p);
    return {};
  }
  if (*p == 0)
    return x;
  TensorBuilder &builder = call.getBuilder();
  RankedTensorType type = getTensorType(x);
  SmallVector<nn::Extent> extents = nn::getExtents(type);
  auto fill = [&](double value, Type elementType) {
    Value scalar = builder.createConstant(call.getLoc(), value, elementType);
    return builder.createBroadcast(call.getLoc(), scalar, extents);
  };
  // In f32 whatever x is: a bf16 has 256 places in [0, 1).
  Type f32 = builder.getBuilder().getF32Type();
  Value numbers = draw<nn::UniformOp>(call, extents, f32);
  Value keep = call.create<nn::CompareOp>(nn::ComparePredicate::ge, numbers,
                                          fill(*p, f32));
  Value scaled =
      call.create<nn::MulOp>(x, fill(1 / (1 - *p), type.getElementType()));
  Value dropped =
      call.create<nn::SelectOp>(keep, scaled, fill(0, type.getElementType()));
  return call.create<nn::WhenTrainingOp>(dropped, x);
}

ArrayRef<Builtin> getModeBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"dropout", {{"x"}, {"p"}}, emitDropout},
      {"normal", {{"shape"}, {"type", false}}, emitDraw<nn::NormalOp>},
      {"uniform", {{"shape"}, {"type", false}}, emitDraw<nn::UniformOp>},
      {"when_training", {{"training"}, {"evaluation"}}, emitWhenTraining},
  };
  return builtins;
}

} // namespace accrue::frontend
