//===- NNReferenceShape.cpp - Meaning of changes of shape -----------------===//
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
using accrue::reference::Rounding;
using accrue::reference::Tensor;

/// Fills `result` from `input`, in which a step along dimension d of the
/// result is `strides[d]`.
static void copyStrided(const Tensor &input, ArrayRef<int64_t> strides,
                        Tensor &result) {
  withElement(input, [&](auto zero) {
    using T = decltype(zero);
    ArrayRef<T> values = input.getData<T>();
    MutableArrayRef<T> output = result.getMutableData<T>();
    forEachRow(
        result.getShape(), strides,
        [&](int64_t position, int64_t offset, int64_t count, int64_t stride) {
          for (int64_t i = 0; i < count; ++i)
            output[position + i] = values[offset + i * stride];
        });
  });
}

LogicalResult BroadcastOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  copyStrided(operands[0], getStridesWithout(result->getShape(), getDims()),
              *result);
  results.push_back(std::move(*result));
  return success();
}

LogicalResult DistributeOp::evaluate(ArrayRef<Tensor> operands,
                                     EvaluationContext &context,
                                     SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  double extent = 1;
  for (int64_t dim : getDims())
    extent *= result->getShape()[dim];
  Rounding round = context.getRounding(result->getElementType());
  Tensor shares(operands[0].getType());
  for (auto [share, value] :
       llvm::zip_equal(shares.getMutableFloats(), operands[0].getFloats()))
    share = round(value / extent);
  copyStrided(shares, getStridesWithout(result->getShape(), getDims()),
              *result);
  results.push_back(std::move(*result));
  return success();
}

LogicalResult ReshapeOp::evaluate(ArrayRef<Tensor> operands,
                                  EvaluationContext &context,
                                  SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  results.push_back(operands[0].withType(result->getType()));
  return success();
}

LogicalResult TransposeOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  SmallVector<int64_t> strides = getStrides(operands[0].getShape()), permuted;
  for (int64_t dim : getPermutation())
    permuted.push_back(strides[dim]);
  copyStrided(operands[0], permuted, *result);
  results.push_back(std::move(*result));
  return success();
}
