//===- NNReferenceMovement.cpp - Meaning of slices and the like -----------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NNReference.h"
#include "accrue/Dialect/NN/NNOps.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using accrue::reference::EvaluationContext;
using accrue::reference::Tensor;

/// Elements in the dimensions after `dim`.
static int64_t countInner(ArrayRef<int64_t> shape, int64_t dim) {
  return ShapedType::getNumElements(shape.drop_front(dim + 1));
}

/// Copies index `from` along `dim` of `input` to index `to` of `result`, whose
/// other dimensions are the same.
static void copyIndex(const Tensor &input, int64_t from, int64_t dim,
                      Tensor &result, int64_t to) {
  int64_t inner = countInner(input.getShape(), dim);
  int64_t outer = ShapedType::getNumElements(input.getShape().take_front(dim));
  withElement(input, [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> values = input.getData<T>();
    MutableArrayRef<T> output = result.getMutableData<T>();
    for (int64_t a = 0; a < outer; ++a)
      for (int64_t b = 0; b < inner; ++b)
        output[(a * result.getShape()[dim] + to) * inner + b] =
            values[(a * input.getShape()[dim] + from) * inner + b];
  });
}

LogicalResult SliceOp::evaluate(ArrayRef<Tensor> operands,
                                EvaluationContext &context,
                                SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = result->getShape()[getDim()]; i != e; ++i)
    copyIndex(operands[0], getStart() + i * getStep(), getDim(), *result, i);
  results.push_back(std::move(*result));
  return success();
}

LogicalResult PadOp::evaluate(ArrayRef<Tensor> operands,
                              EvaluationContext &context,
                              SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  double value = getValue().convertToDouble();
  if (result->isFloat())
    llvm::fill(result->getMutableFloats(),
               context.getRounding(result->getElementType())(value));
  else
    llvm::fill(result->getMutableInts(), static_cast<int64_t>(value));
  for (int64_t i = 0, e = operands[0].getShape()[getDim()]; i != e; ++i)
    copyIndex(operands[0], i, getDim(), *result,
              getLow() + i * (getInterior() + 1));
  results.push_back(std::move(*result));
  return success();
}

LogicalResult ConcatOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  int64_t start = 0;
  for (const Tensor &operand : operands) {
    int64_t extent = operand.getShape()[getDim()];
    for (int64_t i = 0; i != extent; ++i)
      copyIndex(operand, i, getDim(), *result, start + i);
    start += extent;
  }
  results.push_back(std::move(*result));
  return success();
}

LogicalResult FlipOp::evaluate(ArrayRef<Tensor> operands, EvaluationContext &,
                               SmallVectorImpl<Tensor> &results) {
  Tensor flipped = operands[0];
  for (int64_t dim : getDims()) {
    Tensor next(flipped.getType());
    int64_t extent = flipped.getShape()[dim];
    for (int64_t i = 0; i != extent; ++i)
      copyIndex(flipped, extent - 1 - i, dim, next, i);
    flipped = next;
  }
  results.push_back(std::move(flipped));
  return success();
}
