//===- NNPendingShape.cpp - Rules to be written ---------------------------===//
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

// Slice
LogicalResult SliceOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                SmallVectorImpl<Value> &)
    PENDING FailureOr<BatchRule> SliceOp::inferBatchRule(ArrayRef<BatchState>,
                                                         std::string &)
        PENDING std::optional<SmallVector<BatchState>> SliceOp::operandModes(
            unsigned, MappedMode) PENDING
    bool SliceOp::isLinearIn(const llvm::SmallBitVector &) PENDING LogicalResult
    SliceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                              ValueRange, DictionaryAttr, OpaqueProperties,
                              RegionRange, SmallVectorImpl<Type> &) PENDING
    OpFoldResult SliceOp::fold(FoldAdaptor) {
  return {};
}
double SliceOp::getFlops(int64_t) PENDING
    KernelKind SliceOp::getKernelKind() PENDING LogicalResult SliceOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // Pad
    LogicalResult PadOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  SmallVectorImpl<Value> &)
        PENDING FailureOr<BatchRule> PadOp::inferBatchRule(ArrayRef<BatchState>,
                                                           std::string &)
            PENDING std::optional<SmallVector<BatchState>> PadOp::operandModes(
                unsigned, MappedMode) PENDING
    bool PadOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    LogicalResult PadOp::inferReturnTypes(
        MLIRContext *, std::optional<Location>, ValueRange, DictionaryAttr,
        OpaqueProperties, RegionRange,
        SmallVectorImpl<Type> &) PENDING OpFoldResult PadOp::fold(FoldAdaptor) {
  return {};
}
double
PadOp::getFlops(int64_t) PENDING KernelKind PadOp::getKernelKind() PENDING
    LogicalResult PadOp::evaluate(ArrayRef<reference::Tensor>,
                                  reference::EvaluationContext &,
                                  SmallVectorImpl<reference::Tensor> &) PENDING

    // Concat
    LogicalResult ConcatOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                     SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> ConcatOp::inferBatchRule(ArrayRef<BatchState>,
                                                  std::string &)
        PENDING std::optional<SmallVector<BatchState>> ConcatOp::operandModes(
            unsigned, MappedMode) PENDING
    bool ConcatOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location>,
                                             ValueRange, DictionaryAttr,
                                             OpaqueProperties, RegionRange,
                                             SmallVectorImpl<Type> &) PENDING
    OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return {};
}
double ConcatOp::getFlops(int64_t) PENDING KernelKind ConcatOp::getKernelKind()
    PENDING LogicalResult ConcatOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // Flip
    LogicalResult FlipOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                   SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> FlipOp::inferBatchRule(ArrayRef<BatchState>,
                                                std::string &)
        PENDING std::optional<SmallVector<BatchState>> FlipOp::operandModes(
            unsigned, MappedMode) PENDING
    bool FlipOp::isLinearIn(const llvm::SmallBitVector &) PENDING LogicalResult
    FlipOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange,
                             DictionaryAttr, OpaqueProperties, RegionRange,
                             SmallVectorImpl<Type> &) PENDING
    OpFoldResult FlipOp::fold(FoldAdaptor) {
  return {};
}
double
FlipOp::getFlops(int64_t) PENDING KernelKind FlipOp::getKernelKind() PENDING
    LogicalResult FlipOp::evaluate(ArrayRef<reference::Tensor>,
                                   reference::EvaluationContext &,
                                   SmallVectorImpl<reference::Tensor> &) PENDING

    // Gather
    LogicalResult GatherOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                     SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> GatherOp::inferBatchRule(ArrayRef<BatchState>,
                                                  std::string &)
        PENDING std::optional<SmallVector<BatchState>> GatherOp::operandModes(
            unsigned, MappedMode) PENDING
    bool GatherOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location>,
                                             ValueRange, DictionaryAttr,
                                             OpaqueProperties, RegionRange,
                                             SmallVectorImpl<Type> &)
        PENDING std::optional<int64_t> GatherOp::getIndexBound(unsigned) PENDING
    double GatherOp::getFlops(int64_t) PENDING KernelKind
    GatherOp::getKernelKind() PENDING LogicalResult GatherOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // TakeAlong
    LogicalResult TakeAlongOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                        SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> TakeAlongOp::inferBatchRule(ArrayRef<BatchState>,
                                                     std::string &) PENDING
    std::optional<SmallVector<BatchState>> TakeAlongOp::operandModes(
        unsigned, MappedMode) PENDING
    bool TakeAlongOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    LogicalResult TakeAlongOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location>,
                                                ValueRange, DictionaryAttr,
                                                OpaqueProperties, RegionRange,
                                                SmallVectorImpl<Type> &) PENDING
    std::optional<int64_t> TakeAlongOp::getIndexBound(unsigned) PENDING
    double TakeAlongOp::getFlops(int64_t) PENDING KernelKind
    TakeAlongOp::getKernelKind() PENDING LogicalResult TakeAlongOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // ScatterAdd
    LogicalResult ScatterAddOp::verify() PENDING LogicalResult
    ScatterAddOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                           SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> ScatterAddOp::inferBatchRule(ArrayRef<BatchState>,
                                                      std::string &) PENDING
    std::optional<SmallVector<BatchState>> ScatterAddOp::operandModes(
        unsigned, MappedMode) PENDING
    bool ScatterAddOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    std::optional<int64_t> ScatterAddOp::getIndexBound(unsigned) PENDING
    double ScatterAddOp::getFlops(int64_t) PENDING KernelKind
    ScatterAddOp::getKernelKind() PENDING LogicalResult ScatterAddOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // ScatterAddAlong
    LogicalResult ScatterAddAlongOp::verify() PENDING LogicalResult
    ScatterAddAlongOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                SmallVectorImpl<Value> &)
        PENDING FailureOr<BatchRule> ScatterAddAlongOp::inferBatchRule(
            ArrayRef<BatchState>, std::string &) PENDING
    std::optional<SmallVector<BatchState>> ScatterAddAlongOp::operandModes(
        unsigned, MappedMode) PENDING
    bool ScatterAddAlongOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    std::optional<int64_t> ScatterAddAlongOp::getIndexBound(unsigned) PENDING
    double ScatterAddAlongOp::getFlops(int64_t) PENDING KernelKind
    ScatterAddAlongOp::getKernelKind() PENDING LogicalResult
    ScatterAddAlongOp::evaluate(ArrayRef<reference::Tensor>,
                                reference::EvaluationContext &,
                                SmallVectorImpl<reference::Tensor> &) PENDING

    // TopK
    FailureOr<BatchRule> TopKOp::inferBatchRule(ArrayRef<BatchState>,
                                                std::string &)
        PENDING std::optional<SmallVector<BatchState>> TopKOp::operandModes(
            unsigned, MappedMode) PENDING LogicalResult
    TopKOp::inferReturnTypes(MLIRContext *, std::optional<Location>, ValueRange,
                             DictionaryAttr, OpaqueProperties, RegionRange,
                             SmallVectorImpl<Type> &) PENDING
    double TopKOp::getFlops(int64_t) PENDING
    KernelKind TopKOp::getKernelKind() PENDING LogicalResult TopKOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING
