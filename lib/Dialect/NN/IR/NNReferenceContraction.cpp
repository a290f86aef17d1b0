//===- NNReferenceContraction.cpp - Meaning of matrix products ------------===//
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

/// Matrix number `index` of `tensor` as rows of T, transposed if asked for.
template <typename T>
static std::vector<T> getMatrix(const Tensor &tensor, int64_t index,
                                bool transposed) {
  ArrayRef<int64_t> shape = tensor.getShape().take_back(2);
  int64_t rows = shape[0], columns = shape[1];
  ArrayRef<double> values =
      tensor.getFloats().slice(index * rows * columns, rows * columns);
  if (!transposed)
    return std::vector<T>(values.begin(), values.end());
  std::vector<T> matrix(values.size());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      matrix[j * rows + i] = values[i * columns + j];
  return matrix;
}

LogicalResult MatmulOp::evaluate(ArrayRef<Tensor> operands,
                                 EvaluationContext &context,
                                 SmallVectorImpl<Tensor> &results) {
  FailureOr<Tensor> result = createResult(*this, context);
  if (failed(result))
    return failure();
  ArrayRef<int64_t> shape = result->getShape();
  int64_t rows = shape.take_back(2)[0], columns = shape.back();
  int64_t inner =
      operands[0].getShape().take_back(2)[getTransposeLhs() ? 0 : 1];
  int64_t matrices = ShapedType::getNumElements(shape.drop_back(2));
  Type type = result->getElementType();
  Rounding round = context.getRounding(type);
  MutableArrayRef<double> output = result->getMutableFloats();
  context.withAccumulator(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> sums(columns);
    for (int64_t matrix = 0; matrix < matrices; ++matrix) {
      std::vector<T> lhs = getMatrix<T>(operands[0], matrix, getTransposeLhs());
      std::vector<T> rhs = getMatrix<T>(operands[1], matrix, getTransposeRhs());
      double *product = output.data() + matrix * rows * columns;
      // Rows of the right operand pass through the inner loop, so every element
      // of the result is summed in the order of the inner dimension.
      for (int64_t i = 0; i < rows; ++i) {
        std::fill(sums.begin(), sums.end(), T(0));
        for (int64_t k = 0; k < inner; ++k) {
          T factor = lhs[i * inner + k];
          const T *row = rhs.data() + k * columns;
          for (int64_t j = 0; j < columns; ++j)
            sums[j] += factor * row[j];
        }
        for (int64_t j = 0; j < columns; ++j)
          product[i * columns + j] = round(sums[j]);
      }
    }
  });
  results.push_back(std::move(*result));
  return success();
}
