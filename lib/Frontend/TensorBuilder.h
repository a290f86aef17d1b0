//===- TensorBuilder.h - Ops of the nn dialect ------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds nn ops from operands that the emitter has checked: what the language
// says in one word (a number beside a tensor, `a @ b` of any rank) as the ops
// that the dialect has.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_FRONTEND_TENSORBUILDER_H
#define ACCRUE_LIB_FRONTEND_TENSORBUILDER_H

#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "mlir/IR/Builders.h"

namespace accrue::frontend {

/// The shape that `lhs` and `rhs` broadcast to as in NumPy, or none.
std::optional<llvm::SmallVector<nn::Extent>>
broadcastShapes(llvm::ArrayRef<nn::Extent> lhs, llvm::ArrayRef<nn::Extent> rhs);

inline mlir::RankedTensorType getTensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

class TensorBuilder {
public:
  explicit TensorBuilder(mlir::MLIRContext *context) : builder(context) {}

  mlir::OpBuilder &getBuilder() { return builder; }

  /// Marks the ops that are built from here on as pinned to be recomputed.
  void setRecompute(bool value) { recompute = value; }
  bool getRecompute() const { return recompute; }

  template <typename OpTy, typename... Args>
  OpTy createOp(mlir::Location loc, Args &&...args) {
    OpTy op = OpTy::create(builder, loc, std::forward<Args>(args)...);
    if (recompute)
      op->setAttr(train::attrs::kRecompute, builder.getUnitAttr());
    return op;
  }

  /// Builds an op with one result.
  template <typename OpTy, typename... Args>
  mlir::Value create(mlir::Location loc, Args &&...args) {
    return createOp<OpTy>(loc, std::forward<Args>(args)...).getResult();
  }

  /// A scalar; `value` must be whole where `elementType` is an integer type.
  mlir::Value createConstant(mlir::Location loc, double value,
                             mlir::Type elementType);

  /// c * B^p for the logical batch, as a scalar.
  mlir::Value createExtent(mlir::Location loc, const nn::Extent &extent,
                           mlir::Type elementType);

  /// `input` with the shape `extents`, which it must broadcast to.
  mlir::Value createBroadcast(mlir::Location loc, mlir::Value input,
                              llvm::ArrayRef<nn::Extent> extents);

  mlir::Value createReshape(mlir::Location loc, mlir::Value input,
                            llvm::ArrayRef<nn::Extent> extents);

  mlir::Value createConvert(mlir::Location loc, mlir::Value input,
                            mlir::Type elementType);

  /// Dimensions in reverse order.
  mlir::Value createTranspose(mlir::Location loc, mlir::Value input);

  /// The last two dimensions exchanged.
  mlir::Value createMatrixTranspose(mlir::Location loc, mlir::Value input);

  /// Every `step`-th index of a dimension, from `start` to before `stop`.
  mlir::Value createSlice(mlir::Location loc, mlir::Value input, int64_t dim,
                          int64_t start, int64_t stop, int64_t step = 1);

  /// The product as in NumPy: a `lhs` of rank 1 is a row, an `rhs` of rank 1 a
  /// column, and leading dimensions broadcast, which the caller has checked.
  /// Only operands of rank 2 or more can be transposed, in their last two
  /// dimensions.
  mlir::Value createMatmul(mlir::Location loc, mlir::Value lhs, mlir::Value rhs,
                           bool transposeLhs, bool transposeRhs);

  /// The product of `exponent` >= 1 factors `base`.
  mlir::Value createPower(mlir::Location loc, mlir::Value base,
                          int64_t exponent);

private:
  /// The same of operands with leading dimensions on both sides.
  mlir::Value createBatchedMatmul(mlir::Location loc, mlir::Value lhs,
                                  mlir::Value rhs, bool transposeLhs,
                                  bool transposeRhs);

  mlir::OpBuilder builder;
  bool recompute = false;
};

} // namespace accrue::frontend

#endif // ACCRUE_LIB_FRONTEND_TENSORBUILDER_H
