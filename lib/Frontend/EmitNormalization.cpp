//===- EmitNormalization.cpp - Normalization ------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions without parameters; the layers that have a gain and a bias are
// written in the model language (Standard/layers.acr).
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"

using namespace mlir;

namespace accrue::frontend {

template <typename OpTy>
static Term emitSoftmax(BuiltinCall &call) {
  Value x = call.getFloatTensor(0);
  if (!x)
    return {};
  std::optional<int64_t> dim = call.getDim(1, getTensorType(x).getRank(), -1);
  return dim ? call.create<OpTy>(x, *dim) : Value();
}

template <typename OpTy>
static Term emitNormalize(BuiltinCall &call) {
  Value x = call.getFloatTensor(0);
  std::optional<double> eps = call.getNumber(2, 1e-5);
  if (!x || !eps)
    return {};
  if (*eps < 0) {
    call.emitError(2) << "expected eps not to be negative, got "
                      << formatNumber(*eps);
    return {};
  }
  std::optional<SmallVector<int64_t>> dims =
      call.getReducedDims(1, getTensorType(x).getRank());
  if (dims && dims->empty())
    call.reportUnexpected(call.has(1) ? 1 : 0,
                          "at least one dimension to normalize");
  return dims && !dims->empty()
             ? call.create<OpTy>(x, *dims, llvm::APFloat(*eps))
             : Value();
}

ArrayRef<Builtin> getNormalizationBuiltins() {
  static const SmallVector<Builtin> builtins = {
      {"log_softmax", {{"x"}, {"dim", false}}, emitSoftmax<nn::LogSoftmaxOp>},
      {"normalize",
       {{"x"}, {"dims"}, {"eps", false}},
       emitNormalize<nn::NormalizeOp>},
      {"rms_normalize",
       {{"x"}, {"dims"}, {"eps", false}},
       emitNormalize<nn::RmsNormOp>},
      {"softmax", {{"x"}, {"dim", false}}, emitSoftmax<nn::SoftmaxOp>},
  };
  return builtins;
}

} // namespace accrue::frontend
