//===- NNPendingWindow.cpp - Rules to be written --------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Dialect/NN/NNOps.h"
#include "accrue/Reference/Tensor.h"

using namespace mlir;
using namespace accrue;
using namespace accrue::nn;

#define PENDING                                                                \
  {                                                                            \
    llvm_unreachable("pending");                                               \
  }

// Unfold
LogicalResult UnfoldOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                 SmallVectorImpl<Value> &)
    PENDING FailureOr<BatchRule> UnfoldOp::inferBatchRule(ArrayRef<BatchState>,
                                                          std::string &)
        PENDING std::optional<SmallVector<BatchState>> UnfoldOp::operandModes(
            unsigned, MappedMode) PENDING
    bool UnfoldOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    LogicalResult UnfoldOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location>,
                                             ValueRange, DictionaryAttr,
                                             OpaqueProperties, RegionRange,
                                             SmallVectorImpl<Type> &) PENDING
    double UnfoldOp::getFlops(int64_t) PENDING KernelKind
    UnfoldOp::getKernelKind() PENDING LogicalResult UnfoldOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // Fold
    LogicalResult FoldOp::verify() PENDING
    LogicalResult FoldOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                   SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> FoldOp::inferBatchRule(ArrayRef<BatchState>,
                                                std::string &)
        PENDING std::optional<SmallVector<BatchState>> FoldOp::operandModes(
            unsigned, MappedMode) PENDING
    bool FoldOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    double FoldOp::getFlops(int64_t) PENDING
    KernelKind FoldOp::getKernelKind() PENDING LogicalResult FoldOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // Conv2d
    LogicalResult Conv2dOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                     SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> Conv2dOp::inferBatchRule(ArrayRef<BatchState>,
                                                  std::string &)
        PENDING std::optional<SmallVector<BatchState>> Conv2dOp::operandModes(
            unsigned, MappedMode) PENDING
    bool Conv2dOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    LogicalResult Conv2dOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location>,
                                             ValueRange, DictionaryAttr,
                                             OpaqueProperties, RegionRange,
                                             SmallVectorImpl<Type> &) PENDING
    LogicalResult Conv2dOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING LogicalResult
    Conv2dOp::buildDecomposition(OpBuilder &, SmallVectorImpl<Value> &) PENDING

    // MaxPool2d
    LogicalResult MaxPool2dOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                        SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> MaxPool2dOp::inferBatchRule(ArrayRef<BatchState>,
                                                     std::string &) PENDING
    std::optional<SmallVector<BatchState>> MaxPool2dOp::operandModes(
        unsigned, MappedMode) PENDING LogicalResult
    MaxPool2dOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                  ValueRange, DictionaryAttr, OpaqueProperties,
                                  RegionRange, SmallVectorImpl<Type> &) PENDING
    LogicalResult MaxPool2dOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING LogicalResult
    MaxPool2dOp::buildDecomposition(OpBuilder &,
                                    SmallVectorImpl<Value> &) PENDING
