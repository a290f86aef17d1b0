//===- NNConvolution.h - Convolutions as matrix products --------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The matrices of a convolution, shared by its decomposition and its
// derivatives: windows [N H' W', C kh kw], weights [O, C kh kw] and results
// [N H' W', O]; with groups a batch of them, with C and O those of a group.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_LIB_DIALECT_NN_IR_NNCONVOLUTION_H
#define ACCRUE_LIB_DIALECT_NN_IR_NNCONVOLUTION_H

#include "NNWindow.h"
#include "mlir/IR/Builders.h"

namespace accrue::nn {

class ConvolutionBuilder {
public:
  ConvolutionBuilder(mlir::OpBuilder &builder, Conv2dOp op);

  /// The matrix of all windows of the input. Free: nothing of it is stored but
  /// where a product reads it.
  mlir::Value createWindows();
  /// The sum over `windows`, a matrix like that, for every pixel of the input.
  mlir::Value fromWindows(mlir::Value windows);

  mlir::Value createWeight();

  /// Images of the result's type as a matrix, and back.
  mlir::Value toRows(mlir::Value images);
  mlir::Value fromRows(mlir::Value rows);

  mlir::Value multiply(mlir::Value lhs, bool transposeLhs, mlir::Value rhs,
                       bool transposeRhs);
  mlir::Value reshape(mlir::Value value, mlir::RankedTensorType type);

private:
  /// The type of `extents`, after the number of groups if there are several.
  mlir::RankedTensorType getType(llvm::ArrayRef<Extent> extents) const;
  mlir::RankedTensorType getMatrixType(Extent columns) const;
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<Extent> extents);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);

  mlir::OpBuilder &builder;
  Conv2dOp op;
  mlir::Location loc;
  mlir::RankedTensorType images, weight, result;
  std::array<WindowAxis, 2> axes;
  int64_t groups;
  /// Images, windows of an image, and elements of a window.
  Extent count;
  int64_t windows, size;
};

/// All windows of the operand of `op`, padded with -inf: [N, C, H', W', K].
mlir::Value createPoolingWindows(mlir::OpBuilder &builder, MaxPool2dOp op);

} // namespace accrue::nn

#endif // ACCRUE_LIB_DIALECT_NN_IR_NNCONVOLUTION_H
