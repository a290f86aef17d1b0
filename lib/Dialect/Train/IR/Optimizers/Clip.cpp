//===- Clip.cpp - Clipping by the global norm -----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarBuilder.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::train;

FloatType train::getStepScalarType(TypeRange types) {
  auto isF64 = [](Type type) { return getElementTypeOrSelf(type).isF64(); };
  MLIRContext *context = types.front().getContext();
  if (llvm::any_of(types, isF64))
    return Float64Type::get(context);
  return Float32Type::get(context);
}

Value train::buildClip(OpBuilder &builder, Location loc, Value gradient,
                       Value norm, double maxNorm) {
  ScalarBuilder n{builder, loc, cast<FloatType>(norm.getType())};
  ScalarBuilder s{builder, loc, cast<FloatType>(gradient.getType())};
  Value limit = n.constant(maxNorm);
  Value factor = n.as("clip_factor").div(limit, n.max(norm, limit));
  return s.as("gradient").mul(gradient, s.convert(factor));
}
