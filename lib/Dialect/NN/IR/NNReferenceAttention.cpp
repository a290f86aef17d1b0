//===- NNReferenceAttention.cpp - Meaning of attention --------------------===//
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

LogicalResult AttentionOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<double> query = operands[0].getFloats();
  ArrayRef<double> key = operands[1].getFloats();
  ArrayRef<double> value = operands[2].getFloats();
  ArrayRef<int64_t> shape = operands[0].getShape();
  int64_t samples = shape[0], heads = shape[1], positions = shape[2];
  int64_t features = shape[3];
  int64_t keyHeads = operands[1].getShape()[1];
  int64_t keys = operands[1].getShape()[2];
  int64_t outputs = operands[2].getShape()[3];

  auto isSeen = [&](int64_t head, int64_t t, int64_t s) {
    if (getCausal() && s > t + keys - positions)
      return false;
    if (operands.size() < 4)
      return true;
    int64_t row = operands[3].getRank() == 4 ? head * positions + t : t;
    return operands[3].getInts()[row * keys + s] != 0;
  };

  Rounding round = context.getRounding(result->getElementType());
  MutableArrayRef<double> output = result->getMutableFloats();
  context.withAccumulator(result->getElementType(), [&](auto zero) {
    using T = decltype(zero);
    T scale = static_cast<T>(getScale().convertToDouble());
    std::vector<T> weights(keys);
    // `head` counts the heads of all samples.
    for (int64_t head = 0; head < samples * heads; ++head) {
      int64_t keyHead =
          head / heads * keyHeads + head % heads / (heads / keyHeads);
      for (int64_t t = 0; t < positions; ++t) {
        const double *q = query.data() + (head * positions + t) * features;
        T maximum = -std::numeric_limits<T>::infinity();
        for (int64_t s = 0; s < keys; ++s) {
          if (!isSeen(head, t, s))
            continue;
          const double *k = key.data() + (keyHead * keys + s) * features;
          T product = 0;
          for (int64_t d = 0; d < features; ++d)
            product += static_cast<T>(q[d]) * static_cast<T>(k[d]);
          weights[s] = scale * product;
          if (std::isnan(weights[s]) || weights[s] > maximum)
            maximum = weights[s];
        }
        T total = 0;
        for (int64_t s = 0; s < keys; ++s) {
          weights[s] = isSeen(head, t, s) &&
                               maximum != -std::numeric_limits<T>::infinity()
                           ? std::exp(weights[s] - maximum)
                           : 0;
          total += weights[s];
        }
        for (int64_t e = 0; e < outputs; ++e) {
          T sum = 0;
          for (int64_t s = 0; s < keys; ++s)
            sum += weights[s] *
                   static_cast<T>(value[(keyHead * keys + s) * outputs + e]);
          output[(head * positions + t) * outputs + e] =
              total == 0 ? sum : round(sum / total);
        }
      }
    }
  });
  results.push_back(std::move(*result));
  return success();
}
