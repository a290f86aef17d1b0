//===- NNReference.h - Helpers of the reference semantics -------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the `evaluate` methods of the nn ops share: results of the right shape
// and walks over two tensors with different strides.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_NNREFERENCE_H
#define ACCRUE_LIB_DIALECT_NN_IR_NNREFERENCE_H

#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Reference/EvaluationContext.h"
#include "mlir/IR/Operation.h"

namespace accrue::nn {

/// Zeros of the type of the op's result for the context's batch; an error at
/// the op when there is no batch or an extent is no integer.
inline llvm::FailureOr<reference::Tensor>
createResult(mlir::Operation *op, const reference::EvaluationContext &context) {
  auto type = llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape() && context.getBatch() <= 0)
    return op->emitOpError("expected the batch to be given for ") << type;
  mlir::RankedTensorType resolved = getTypeForBatch(type, context.getBatch());
  if (!resolved)
    return op->emitOpError("has no integer shape ")
           << type << " for a batch of " << context.getBatch();
  return reference::Tensor(resolved);
}

/// Walks over the elements of `shape` in row-major order, a row (the last
/// dimension) at a time, together with a second tensor in which a step along
/// dimension d is `strides[d]`. Calls fn(position, offset, count, stride): the
/// row starts at `position` in the first tensor and at `offset` in the second.
template <typename Fn>
void forEachRow(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides,
                Fn &&fn) {
  int64_t rank = shape.size();
  int64_t count = rank == 0 ? 1 : shape.back();
  int64_t stride = rank == 0 ? 0 : strides.back();
  int64_t rows = 1;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    rows *= shape[dim];
  llvm::SmallVector<int64_t> index(rank, 0);
  int64_t offset = 0;
  for (int64_t row = 0; row < rows; ++row) {
    fn(row * count, offset, count, stride);
    for (int64_t dim = rank - 2; dim >= 0; --dim) {
      offset += strides[dim];
      if (++index[dim] < shape[dim])
        break;
      offset -= strides[dim] * shape[dim];
      index[dim] = 0;
    }
  }
}

/// Row-major strides of `shape`.
inline llvm::SmallVector<int64_t> getStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * shape[dim + 1];
  return strides;
}

/// Strides along the dimensions of `shape` of the row-major tensor that lacks
/// `dims`: 0 along these.
inline llvm::SmallVector<int64_t>
getStridesWithout(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims) {
  llvm::SmallVector<int64_t> strides(shape.size(), 0);
  int64_t stride = 1;
  for (int64_t dim = static_cast<int64_t>(shape.size()) - 1; dim >= 0; --dim) {
    if (llvm::is_contained(dims, dim))
      continue;
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return strides;
}

/// Calls `fn` with a zero of the type in which the elements are held.
template <typename Fn>
void withElement(const reference::Tensor &tensor, Fn &&fn) {
  if (tensor.isFloat())
    fn(double(0));
  else
    fn(int64_t(0));
}

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_NNREFERENCE_H
