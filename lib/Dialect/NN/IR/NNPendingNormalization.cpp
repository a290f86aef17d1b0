//===- NNPendingNormalization.cpp - Rules to be written -------------------===//
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

// Softmax
LogicalResult SoftmaxOp::verify() PENDING LogicalResult SoftmaxOp::buildVJP(
    OpBuilder &, ValueRange, ArrayRef<bool>, SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> SoftmaxOp::inferBatchRule(ArrayRef<BatchState>,
                                                   std::string &) PENDING
    std::optional<SmallVector<BatchState>> SoftmaxOp::operandModes(unsigned,
                                                                   MappedMode)
        PENDING LogicalResult SoftmaxOp::evaluate(
            ArrayRef<reference::Tensor>, reference::EvaluationContext &,
            SmallVectorImpl<reference::Tensor> &) PENDING LogicalResult
    SoftmaxOp::buildDecomposition(OpBuilder &, SmallVectorImpl<Value> &) PENDING

    // LogSoftmax
    LogicalResult LogSoftmaxOp::verify() PENDING LogicalResult
    LogSoftmaxOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                           SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> LogSoftmaxOp::inferBatchRule(ArrayRef<BatchState>,
                                                      std::string &) PENDING
    std::optional<SmallVector<BatchState>> LogSoftmaxOp::operandModes(
        unsigned, MappedMode) PENDING LogicalResult
    LogSoftmaxOp::evaluate(ArrayRef<reference::Tensor>,
                           reference::EvaluationContext &,
                           SmallVectorImpl<reference::Tensor> &) PENDING
    LogicalResult LogSoftmaxOp::buildDecomposition(
        OpBuilder &, SmallVectorImpl<Value> &) PENDING

    // RmsNorm
    LogicalResult RmsNormOp::verify() PENDING
    LogicalResult RmsNormOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                      SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> RmsNormOp::inferBatchRule(ArrayRef<BatchState>,
                                                   std::string &) PENDING
    std::optional<SmallVector<BatchState>> RmsNormOp::operandModes(unsigned,
                                                                   MappedMode)
        PENDING LogicalResult RmsNormOp::evaluate(
            ArrayRef<reference::Tensor>, reference::EvaluationContext &,
            SmallVectorImpl<reference::Tensor> &) PENDING LogicalResult
    RmsNormOp::buildDecomposition(OpBuilder &, SmallVectorImpl<Value> &) PENDING

    // LogSumExp
    LogicalResult LogSumExpOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location>,
                                                ValueRange, DictionaryAttr,
                                                OpaqueProperties, RegionRange,
                                                SmallVectorImpl<Type> &) PENDING
    LogicalResult LogSumExpOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                        SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> LogSumExpOp::inferBatchRule(ArrayRef<BatchState>,
                                                     std::string &) PENDING
    std::optional<SmallVector<BatchState>> LogSumExpOp::operandModes(unsigned,
                                                                     MappedMode)
        PENDING LogicalResult LogSumExpOp::evaluate(
            ArrayRef<reference::Tensor>, reference::EvaluationContext &,
            SmallVectorImpl<reference::Tensor> &) PENDING LogicalResult
    LogSumExpOp::buildDecomposition(OpBuilder &,
                                    SmallVectorImpl<Value> &) PENDING

    // Normalize
    LogicalResult NormalizeOp::verify() PENDING LogicalResult
    NormalizeOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                          SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> NormalizeOp::inferBatchRule(ArrayRef<BatchState>,
                                                     std::string &) PENDING
    std::optional<SmallVector<BatchState>> NormalizeOp::operandModes(unsigned,
                                                                     MappedMode)
        PENDING std::optional<BatchRule> NormalizeOp::inferMicroBatchRule(
            ArrayRef<BatchState>) PENDING LogicalResult
    NormalizeOp::evaluate(ArrayRef<reference::Tensor>,
                          reference::EvaluationContext &,
                          SmallVectorImpl<reference::Tensor> &) PENDING
    LogicalResult NormalizeOp::buildDecomposition(
        OpBuilder &, SmallVectorImpl<Value> &) PENDING

    // NormalizeGrad
    LogicalResult NormalizeGradOp::verify() PENDING
    FailureOr<BatchRule> NormalizeGradOp::inferBatchRule(ArrayRef<BatchState>,
                                                         std::string &) PENDING
    std::optional<SmallVector<BatchState>> NormalizeGradOp::operandModes(
        unsigned, MappedMode) PENDING
    bool NormalizeGradOp::isLinearIn(const llvm::SmallBitVector &)
        PENDING std::optional<BatchRule> NormalizeGradOp::inferMicroBatchRule(
            ArrayRef<BatchState>) PENDING LogicalResult
    NormalizeGradOp::evaluate(ArrayRef<reference::Tensor>,
                              reference::EvaluationContext &,
                              SmallVectorImpl<reference::Tensor> &) PENDING
    LogicalResult NormalizeGradOp::buildDecomposition(
        OpBuilder &, SmallVectorImpl<Value> &) PENDING

    // Attention
    LogicalResult AttentionOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location>,
                                                ValueRange, DictionaryAttr,
                                                OpaqueProperties, RegionRange,
                                                SmallVectorImpl<Type> &) PENDING
    LogicalResult AttentionOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                        SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> AttentionOp::inferBatchRule(ArrayRef<BatchState>,
                                                     std::string &) PENDING
    std::optional<SmallVector<BatchState>> AttentionOp::operandModes(unsigned,
                                                                     MappedMode)
        PENDING LogicalResult AttentionOp::evaluate(
            ArrayRef<reference::Tensor>, reference::EvaluationContext &,
            SmallVectorImpl<reference::Tensor> &) PENDING LogicalResult
    AttentionOp::buildDecomposition(OpBuilder &,
                                    SmallVectorImpl<Value> &) PENDING
