//===- NNReferenceLoss.cpp - Meaning of losses ----------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NNReference.h"
#include "accrue/Dialect/NN/NNOps.h"
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;
using accrue::reference::EvaluationContext;
using accrue::reference::Rounding;
using accrue::reference::Tensor;

/// Fails, naming the first offender, unless all labels are in [0, classes).
static LogicalResult checkLabels(Operation *op, const Tensor &label,
                                 int64_t classes) {
  for (auto [i, value] : llvm::enumerate(label.getInts()))
    if (value < 0 || value >= classes)
      return op->emitOpError("expected labels in [0, ")
             << classes << "), got " << value << " at element " << i;
  return success();
}

/// The number of classes for the labels among the operands of `op`.
template <typename OpTy>
static std::optional<int64_t> getClassCount(OpTy op, unsigned operandIndex) {
  if (operandIndex != op.getLabelMutable().getOperandNumber())
    return std::nullopt;
  int64_t classes =
      cast<RankedTensorType>(op.getLogits().getType()).getShape().back();
  if (ShapedType::isDynamic(classes))
    return std::nullopt;
  return classes;
}

std::optional<int64_t> CrossEntropyOp::getIndexBound(unsigned operandIndex) {
  return getClassCount(*this, operandIndex);
}

std::optional<int64_t>
CrossEntropyGradOp::getIndexBound(unsigned operandIndex) {
  return getClassCount(*this, operandIndex);
}

namespace {
/// exp(x - max) of a row and its sum, which does not overflow.
template <typename T>
struct SoftmaxRow {
  explicit SoftmaxRow(ArrayRef<double> logits) {
    maximum = static_cast<T>(logits.front());
    for (double logit : logits) {
      if (std::isnan(logit))
        maximum = static_cast<T>(logit);
      maximum = std::max(maximum, static_cast<T>(logit));
    }
    for (double logit : logits) {
      exponentials.push_back(std::exp(static_cast<T>(logit) - maximum));
      sum += exponentials.back();
    }
  }

  T maximum;
  T sum = 0;
  SmallVector<T> exponentials;
};
} // namespace

LogicalResult CrossEntropyOp::evaluate(ArrayRef<Tensor> operands,
                                       EvaluationContext &context,
                                       SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  int64_t classes = operands[0].getShape().back();
  if (failed(checkLabels(*this, operands[1], classes)))
    return failure();
  Rounding round = context.getRounding(result->getElementType());
  MutableArrayRef<double> output = result->getMutableFloats();
  context.withAccumulator(result->getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (auto [i, label] : llvm::enumerate(operands[1].getInts())) {
      ArrayRef<double> logits =
          operands[0].getFloats().slice(i * classes, classes);
      SoftmaxRow<T> row(logits);
      T distance = row.maximum - static_cast<T>(logits[label]);
      output[i] = round(std::log(row.sum) + distance);
    }
  });
  results.push_back(std::move(*result));
  return success();
}

LogicalResult CrossEntropyGradOp::evaluate(ArrayRef<Tensor> operands,
                                           EvaluationContext &context,
                                           SmallVectorImpl<Tensor> &results) {
  Tensor result(operands[0].getType());
  int64_t classes = operands[0].getShape().back();
  if (failed(checkLabels(*this, operands[1], classes)))
    return failure();
  Rounding round = context.getRounding(result.getElementType());
  MutableArrayRef<double> output = result.getMutableFloats();
  context.withAccumulator(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (auto [i, label] : llvm::enumerate(operands[1].getInts())) {
      SoftmaxRow<T> row(operands[0].getFloats().slice(i * classes, classes));
      T cotangent = static_cast<T>(operands[2].getFloats()[i]);
      for (int64_t j = 0; j < classes; ++j) {
        T probability = row.exponentials[j] / row.sum;
        output[i * classes + j] =
            round((probability - T(j == label)) * cotangent);
      }
    }
  });
  results.push_back(std::move(result));
  return success();
}
