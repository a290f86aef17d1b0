//===- NNReferenceNormalization.cpp - Meaning of normalization ------------===//
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

namespace {
/// The elements of a tensor in groups: those that differ along some dimensions
/// only.
class Groups {
public:
  Groups(const Tensor &tensor, ArrayRef<int64_t> dims)
      : shape(tensor.getShape()), strides(getStridesWithout(shape, dims)) {
    for (auto [dim, extent] : llvm::enumerate(shape))
      (llvm::is_contained(dims, static_cast<int64_t>(dim)) ? size : count) *=
          extent;
  }

  /// Calls fn(element, group) in row-major order.
  template <typename Fn>
  void forEach(Fn &&fn) const {
    forEachRow(
        shape, strides,
        [&](int64_t position, int64_t offset, int64_t length, int64_t stride) {
          for (int64_t i = 0; i < length; ++i)
            fn(position + i, offset + i * stride);
        });
  }

  /// The sum of fn(element) of each group, in T.
  template <typename T, typename Fn>
  std::vector<T> sum(Fn &&fn) const {
    std::vector<T> sums(count);
    forEach([&](int64_t i, int64_t group) { sums[group] += fn(i, group); });
    return sums;
  }
  template <typename T, typename Fn>
  std::vector<T> mean(Fn &&fn) const {
    std::vector<T> means = sum<T>(fn);
    for (T &value : means)
      value /= static_cast<T>(size);
    return means;
  }

  /// Number of groups, and of the elements of each.
  int64_t count = 1, size = 1;

private:
  ArrayRef<int64_t> shape;
  SmallVector<int64_t> strides;
};

/// What is subtracted from the elements of each group before exponentials, and
/// the sums of these.
template <typename T>
struct ExponentialSums {
  ExponentialSums(const Groups &groups, ArrayRef<double> values)
      : shift(groups.count, -std::numeric_limits<T>::infinity()) {
    groups.forEach([&](int64_t i, int64_t group) {
      T value = static_cast<T>(values[i]);
      if (std::isnan(value) || value > shift[group])
        shift[group] = value;
    });
    for (T &maximum : shift)
      if (maximum == -std::numeric_limits<T>::infinity())
        maximum = 0;
    sum = groups.sum<T>([&](int64_t i, int64_t group) {
      return std::exp(static_cast<T>(values[i]) - shift[group]);
    });
  }

  std::vector<T> shift, sum;
};
} // namespace

/// Fills a tensor like `operand` by fn(zero, output), where the type of zero
/// is that of sums.
template <typename Fn>
static void evaluateLike(const Tensor &operand, EvaluationContext &context,
                         SmallVectorImpl<Tensor> &results, Fn &&fn) {
  Tensor result(operand.getType());
  MutableArrayRef<double> output = result.getMutableFloats();
  context.withAccumulator(result.getElementType(),
                          [&](auto zero) { fn(zero, output); });
  results.push_back(std::move(result));
}

LogicalResult SoftmaxOp::evaluate(ArrayRef<Tensor> operands,
                                  EvaluationContext &context,
                                  SmallVectorImpl<Tensor> &results) {
  ArrayRef<double> x = operands[0].getFloats();
  Groups groups(operands[0], static_cast<int64_t>(getDim()));
  Rounding round = context.getRounding(operands[0].getElementType());
  evaluateLike(operands[0], context, results, [&](auto zero, auto output) {
    using T = decltype(zero);
    ExponentialSums<T> rows(groups, x);
    groups.forEach([&](int64_t i, int64_t group) {
      T exponential = std::exp(static_cast<T>(x[i]) - rows.shift[group]);
      output[i] =
          rows.sum[group] == 0 ? 0 : round(exponential / rows.sum[group]);
    });
  });
  return success();
}

LogicalResult LogSoftmaxOp::evaluate(ArrayRef<Tensor> operands,
                                     EvaluationContext &context,
                                     SmallVectorImpl<Tensor> &results) {
  ArrayRef<double> x = operands[0].getFloats();
  Groups groups(operands[0], static_cast<int64_t>(getDim()));
  Rounding round = context.getRounding(operands[0].getElementType());
  evaluateLike(operands[0], context, results, [&](auto zero, auto output) {
    using T = decltype(zero);
    ExponentialSums<T> rows(groups, x);
    groups.forEach([&](int64_t i, int64_t group) {
      T shifted = static_cast<T>(x[i]) - rows.shift[group];
      // Of -inf only, the probability is 0 and its logarithm -inf.
      output[i] = round(
          rows.sum[group] == 0 ? shifted : shifted - std::log(rows.sum[group]));
    });
  });
  return success();
}

LogicalResult LogSumExpOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<double> x = operands[0].getFloats();
  Groups groups(operands[0], getDims());
  Rounding round = context.getRounding(result->getElementType());
  MutableArrayRef<double> output = result->getMutableFloats();
  context.withAccumulator(result->getElementType(), [&](auto zero) {
    using T = decltype(zero);
    ExponentialSums<T> rows(groups, x);
    for (int64_t group = 0; group < groups.count; ++group)
      output[group] =
          std::isinf(rows.shift[group])
              ? rows.shift[group]
              : round(std::log(rows.sum[group]) + rows.shift[group]);
  });
  results.push_back(std::move(*result));
  return success();
}

namespace {
/// Mean and variance of each group.
template <typename T>
struct Moments {
  Moments(const Groups &groups, ArrayRef<double> values) {
    mean = groups.mean<T>(
        [&](int64_t i, int64_t) { return static_cast<T>(values[i]); });
    variance = groups.mean<T>([&](int64_t i, int64_t group) {
      T centred = static_cast<T>(values[i]) - mean[group];
      return centred * centred;
    });
  }

  std::vector<T> mean, variance;
};

/// Mean and 1 / sqrt(var + eps) of each group.
template <typename T>
struct Standard : Moments<T> {
  Standard(const Groups &groups, ArrayRef<double> values, double eps)
      : Moments<T>(groups, values), factor(this->variance) {
    for (T &value : factor)
      value = 1 / std::sqrt(value + static_cast<T>(eps));
  }

  std::vector<T> factor;
};
} // namespace

LogicalResult MomentsOp::evaluate(ArrayRef<Tensor> operands,
                                  EvaluationContext &context,
                                  SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> mean = createResult(*this, context);
  if (failed(mean))
    return failure();
  Tensor variance = *mean;
  Groups groups(operands[0], getDims());
  Rounding round = context.getRounding(mean->getElementType());
  context.withAccumulator(mean->getElementType(), [&](auto zero) {
    using T = decltype(zero);
    Moments<T> moments(groups, operands[0].getFloats());
    llvm::transform(moments.mean, mean->getMutableFloats().begin(), round);
    llvm::transform(moments.variance, variance.getMutableFloats().begin(),
                    round);
  });
  results.push_back(std::move(*mean));
  results.push_back(std::move(variance));
  return success();
}

LogicalResult NormalizeOp::evaluate(ArrayRef<Tensor> operands,
                                    EvaluationContext &context,
                                    SmallVectorImpl<Tensor> &results) {
  ArrayRef<double> x = operands[0].getFloats();
  Groups groups(operands[0], getDims());
  Rounding round = context.getRounding(operands[0].getElementType());
  double eps = getEps().convertToDouble();
  evaluateLike(operands[0], context, results, [&](auto zero, auto output) {
    using T = decltype(zero);
    Standard<T> moments(groups, x, eps);
    groups.forEach([&](int64_t i, int64_t group) {
      output[i] = round((static_cast<T>(x[i]) - moments.mean[group]) *
                        moments.factor[group]);
    });
  });
  return success();
}

LogicalResult NormalizeGradOp::evaluate(ArrayRef<Tensor> operands,
                                        EvaluationContext &context,
                                        SmallVectorImpl<Tensor> &results) {
  ArrayRef<double> x = operands[0].getFloats(), c = operands[1].getFloats();
  Groups groups(operands[0], getDims());
  Rounding round = context.getRounding(operands[0].getElementType());
  double eps = getEps().convertToDouble();
  evaluateLike(operands[0], context, results, [&](auto zero, auto output) {
    using T = decltype(zero);
    Standard<T> moments(groups, x, eps);
    auto normalized = [&](int64_t i, int64_t group) {
      return (static_cast<T>(x[i]) - moments.mean[group]) *
             moments.factor[group];
    };
    std::vector<T> mean = groups.mean<T>(
        [&](int64_t i, int64_t) { return static_cast<T>(c[i]); });
    std::vector<T> along = groups.mean<T>([&](int64_t i, int64_t group) {
      return static_cast<T>(c[i]) * normalized(i, group);
    });
    groups.forEach([&](int64_t i, int64_t group) {
      T rest = static_cast<T>(c[i]) - mean[group] -
               normalized(i, group) * along[group];
      output[i] = round(moments.factor[group] * rest);
    });
  });
  return success();
}

LogicalResult RmsNormOp::evaluate(ArrayRef<Tensor> operands,
                                  EvaluationContext &context,
                                  SmallVectorImpl<Tensor> &results) {
  ArrayRef<double> x = operands[0].getFloats();
  Groups groups(operands[0], getDims());
  Rounding round = context.getRounding(operands[0].getElementType());
  double eps = getEps().convertToDouble();
  evaluateLike(operands[0], context, results, [&](auto zero, auto output) {
    using T = decltype(zero);
    std::vector<T> square = groups.mean<T>([&](int64_t i, int64_t) {
      return static_cast<T>(x[i]) * static_cast<T>(x[i]);
    });
    groups.forEach([&](int64_t i, int64_t group) {
      output[i] = round(static_cast<T>(x[i]) /
                        std::sqrt(square[group] + static_cast<T>(eps)));
    });
  });
  return success();
}
