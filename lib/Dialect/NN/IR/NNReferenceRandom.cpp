//===- NNReferenceRandom.cpp - Meaning of random numbers ------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NNReference.h"
#include "accrue/Dialect/NN/NNOps.h"
#include "runtime/io/Draw.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using accrue::reference::EvaluationContext;
using accrue::reference::Rounding;
using accrue::reference::Tensor;

/// Digits of the numbers in [0, 1) of a type: all that it holds there. A normal
/// number in a half type is rounded from f32.
static int getDigits(Type type) {
  return llvm::APFloat::semanticsPrecision(
      cast<FloatType>(type).getFloatSemantics());
}

/// Calls `draw` for every element of the result.
template <typename OpTy, typename Draw>
static LogicalResult evaluateDraw(OpTy op, ArrayRef<Tensor> operands,
                                  EvaluationContext &context,
                                  SmallVectorImpl<Tensor> &results, Draw draw) {
  FailureOr<Tensor> result = createResult(op, context);
  if (failed(result))
    return failure();
  ArrayRef<int64_t> shape = result->getShape();
  int64_t dim = op.getDim(), inner = 1, samples = 1;
  if (op.getSample()) {
    samples = shape[dim];
    for (int64_t extent : shape.drop_front(dim + 1))
      inner *= extent;
  }
  io::DrawPlace at;
  at.seed = operands[0].getInts()[0];
  at.batch = operands[0].getInts()[1];
  at.site = op.getSite();
  Rounding round = context.getRounding(result->getElementType());
  MutableArrayRef<double> values = result->getMutableFloats();
  for (auto [i, value] : llvm::enumerate(values)) {
    int64_t index = i;
    if (op.getSample()) {
      at.sample = operands[1].getInts()[index / inner % samples];
      // The same without the dimension of the samples.
      index = index / (inner * samples) * inner + index % inner;
    }
    at.place = index;
    value = round(draw(at));
  }
  results.push_back(std::move(*result));
  return success();
}

LogicalResult UniformOp::evaluate(ArrayRef<Tensor> operands,
                                  EvaluationContext &context,
                                  SmallVectorImpl<Tensor> &results) {
  int digits = getDigits(cast<RankedTensorType>(getType()).getElementType());
  return evaluateDraw(
      *this, operands, context, results,
      [&](const io::DrawPlace &at) { return io::drawUniform(at, digits); });
}

LogicalResult NormalOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  int digits = std::max(
      24, getDigits(cast<RankedTensorType>(getType()).getElementType()));
  return evaluateDraw(
      *this, operands, context, results,
      [&](const io::DrawPlace &at) { return io::drawNormal(at, digits); });
}
