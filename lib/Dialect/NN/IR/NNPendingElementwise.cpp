//===- NNPendingElementwise.cpp - Rules to be written ---------------------===//
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

// Abs
LogicalResult AbsOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                              SmallVectorImpl<Value> &)
    PENDING FailureOr<BatchRule> AbsOp::inferBatchRule(ArrayRef<BatchState>,
                                                       std::string &) PENDING
    std::optional<SmallVector<BatchState>> AbsOp::operandModes(
        unsigned, MappedMode) PENDING double AbsOp::getFlops(int64_t) PENDING
    KernelKind AbsOp::getKernelKind() PENDING LogicalResult AbsOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    AbsOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Sign
    LogicalResult SignOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                   SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> SignOp::inferBatchRule(ArrayRef<BatchState>,
                                                std::string &) PENDING
    std::optional<SmallVector<BatchState>> SignOp::operandModes(
        unsigned, MappedMode) PENDING double SignOp::getFlops(int64_t) PENDING
    KernelKind SignOp::getKernelKind() PENDING LogicalResult SignOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    SignOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Floor
    LogicalResult FloorOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                    SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> FloorOp::inferBatchRule(ArrayRef<BatchState>,
                                                 std::string &) PENDING
    std::optional<SmallVector<BatchState>> FloorOp::operandModes(
        unsigned, MappedMode) PENDING double FloorOp::getFlops(int64_t) PENDING
    KernelKind FloorOp::getKernelKind() PENDING LogicalResult FloorOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    FloorOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Erf
    LogicalResult ErfOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  SmallVectorImpl<Value> &)
        PENDING FailureOr<BatchRule> ErfOp::inferBatchRule(ArrayRef<BatchState>,
                                                           std::string &)
            PENDING std::optional<SmallVector<BatchState>> ErfOp::operandModes(
                unsigned, MappedMode) PENDING
    double ErfOp::getFlops(int64_t) PENDING
    KernelKind ErfOp::getKernelKind() PENDING LogicalResult ErfOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    ErfOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Log1p
    LogicalResult Log1pOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                    SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> Log1pOp::inferBatchRule(ArrayRef<BatchState>,
                                                 std::string &) PENDING
    std::optional<SmallVector<BatchState>> Log1pOp::operandModes(
        unsigned, MappedMode) PENDING double Log1pOp::getFlops(int64_t) PENDING
    KernelKind Log1pOp::getKernelKind() PENDING LogicalResult Log1pOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    Log1pOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Expm1
    LogicalResult Expm1Op::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                    SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> Expm1Op::inferBatchRule(ArrayRef<BatchState>,
                                                 std::string &) PENDING
    std::optional<SmallVector<BatchState>> Expm1Op::operandModes(
        unsigned, MappedMode) PENDING double Expm1Op::getFlops(int64_t) PENDING
    KernelKind Expm1Op::getKernelKind() PENDING LogicalResult Expm1Op::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    Expm1Op::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Rsqrt
    LogicalResult RsqrtOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                    SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> RsqrtOp::inferBatchRule(ArrayRef<BatchState>,
                                                 std::string &) PENDING
    std::optional<SmallVector<BatchState>> RsqrtOp::operandModes(
        unsigned, MappedMode) PENDING double RsqrtOp::getFlops(int64_t) PENDING
    KernelKind RsqrtOp::getKernelKind() PENDING LogicalResult RsqrtOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    RsqrtOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Reciprocal
    LogicalResult ReciprocalOp::buildVJP(OpBuilder &, ValueRange,
                                         ArrayRef<bool>,
                                         SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> ReciprocalOp::inferBatchRule(ArrayRef<BatchState>,
                                                      std::string &) PENDING
    std::optional<SmallVector<BatchState>> ReciprocalOp::operandModes(
        unsigned, MappedMode) PENDING
    double ReciprocalOp::getFlops(int64_t) PENDING KernelKind
    ReciprocalOp::getKernelKind() PENDING LogicalResult ReciprocalOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    ReciprocalOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Sin
    LogicalResult SinOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  SmallVectorImpl<Value> &)
        PENDING FailureOr<BatchRule> SinOp::inferBatchRule(ArrayRef<BatchState>,
                                                           std::string &)
            PENDING std::optional<SmallVector<BatchState>> SinOp::operandModes(
                unsigned, MappedMode) PENDING
    double SinOp::getFlops(int64_t) PENDING
    KernelKind SinOp::getKernelKind() PENDING LogicalResult SinOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    SinOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Cos
    LogicalResult CosOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  SmallVectorImpl<Value> &)
        PENDING FailureOr<BatchRule> CosOp::inferBatchRule(ArrayRef<BatchState>,
                                                           std::string &)
            PENDING std::optional<SmallVector<BatchState>> CosOp::operandModes(
                unsigned, MappedMode) PENDING
    double CosOp::getFlops(int64_t) PENDING
    KernelKind CosOp::getKernelKind() PENDING LogicalResult CosOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    CosOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Silu
    LogicalResult SiluOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                   SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> SiluOp::inferBatchRule(ArrayRef<BatchState>,
                                                std::string &) PENDING
    std::optional<SmallVector<BatchState>> SiluOp::operandModes(
        unsigned, MappedMode) PENDING double SiluOp::getFlops(int64_t) PENDING
    KernelKind SiluOp::getKernelKind() PENDING LogicalResult SiluOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    SiluOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Softplus
    LogicalResult SoftplusOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                       SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> SoftplusOp::inferBatchRule(ArrayRef<BatchState>,
                                                    std::string &)
        PENDING std::optional<SmallVector<BatchState>> SoftplusOp::operandModes(
            unsigned, MappedMode) PENDING
    double SoftplusOp::getFlops(int64_t) PENDING KernelKind
    SoftplusOp::getKernelKind() PENDING LogicalResult SoftplusOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    SoftplusOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Gelu
    LogicalResult GeluOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                   SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> GeluOp::inferBatchRule(ArrayRef<BatchState>,
                                                std::string &) PENDING
    std::optional<SmallVector<BatchState>> GeluOp::operandModes(
        unsigned, MappedMode) PENDING double GeluOp::getFlops(int64_t) PENDING
    KernelKind GeluOp::getKernelKind() PENDING LogicalResult GeluOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    GeluOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Min
    LogicalResult MinOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  SmallVectorImpl<Value> &)
        PENDING FailureOr<BatchRule> MinOp::inferBatchRule(ArrayRef<BatchState>,
                                                           std::string &)
            PENDING std::optional<SmallVector<BatchState>> MinOp::operandModes(
                unsigned, MappedMode) PENDING
    double MinOp::getFlops(int64_t) PENDING
    KernelKind MinOp::getKernelKind() PENDING LogicalResult MinOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    MinOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Pow
    LogicalResult PowOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  SmallVectorImpl<Value> &)
        PENDING FailureOr<BatchRule> PowOp::inferBatchRule(ArrayRef<BatchState>,
                                                           std::string &)
            PENDING std::optional<SmallVector<BatchState>> PowOp::operandModes(
                unsigned, MappedMode) PENDING
    double PowOp::getFlops(int64_t) PENDING
    KernelKind PowOp::getKernelKind() PENDING LogicalResult PowOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    PowOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Clamp
    LogicalResult ClampOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                    SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> ClampOp::inferBatchRule(ArrayRef<BatchState>,
                                                 std::string &) PENDING
    std::optional<SmallVector<BatchState>> ClampOp::operandModes(
        unsigned, MappedMode) PENDING double ClampOp::getFlops(int64_t) PENDING
    KernelKind ClampOp::getKernelKind() PENDING LogicalResult ClampOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    ClampOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING
    LogicalResult ClampOp::verify() PENDING

    // StopGradient
    LogicalResult StopGradientOp::buildVJP(OpBuilder &, ValueRange,
                                           ArrayRef<bool>,
                                           SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> StopGradientOp::inferBatchRule(ArrayRef<BatchState>,
                                                        std::string &) PENDING
    std::optional<SmallVector<BatchState>> StopGradientOp::operandModes(
        unsigned, MappedMode) PENDING
    double StopGradientOp::getFlops(int64_t) PENDING KernelKind
    StopGradientOp::getKernelKind() PENDING LogicalResult
    StopGradientOp::evaluate(ArrayRef<reference::Tensor>,
                             reference::EvaluationContext &,
                             SmallVectorImpl<reference::Tensor> &) PENDING Value
    StopGradientOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING
    bool StopGradientOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    bool StopGradientOp::isInactiveOperand(unsigned) PENDING

    // And
    FailureOr<BatchRule> AndOp::inferBatchRule(ArrayRef<BatchState>,
                                               std::string &) PENDING
    std::optional<SmallVector<BatchState>> AndOp::operandModes(
        unsigned, MappedMode) PENDING double AndOp::getFlops(int64_t) PENDING
    KernelKind AndOp::getKernelKind() PENDING LogicalResult AndOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    AndOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Or
    FailureOr<BatchRule> OrOp::inferBatchRule(ArrayRef<BatchState>,
                                              std::string &)
        PENDING std::optional<SmallVector<BatchState>> OrOp::operandModes(
            unsigned, MappedMode) PENDING double OrOp::getFlops(int64_t) PENDING
    KernelKind OrOp::getKernelKind() PENDING LogicalResult OrOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    OrOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Not
    FailureOr<BatchRule> NotOp::inferBatchRule(ArrayRef<BatchState>,
                                               std::string &) PENDING
    std::optional<SmallVector<BatchState>> NotOp::operandModes(
        unsigned, MappedMode) PENDING double NotOp::getFlops(int64_t) PENDING
    KernelKind NotOp::getKernelKind() PENDING LogicalResult NotOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING Value
    NotOp::buildScalarBody(OpBuilder &, Location, ValueRange) PENDING

    // Iota
    LogicalResult IotaOp::verify() PENDING
    FailureOr<BatchRule> IotaOp::inferBatchRule(ArrayRef<BatchState>,
                                                std::string &) PENDING
    std::optional<SmallVector<BatchState>> IotaOp::operandModes(
        unsigned, MappedMode) PENDING double IotaOp::getFlops(int64_t) PENDING
    KernelKind IotaOp::getKernelKind() PENDING LogicalResult IotaOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // ReduceMax
    LogicalResult ReduceMaxOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                        SmallVectorImpl<Value> &) PENDING
    LogicalResult ReduceMaxOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location>,
                                                ValueRange, DictionaryAttr,
                                                OpaqueProperties, RegionRange,
                                                SmallVectorImpl<Type> &) PENDING
    FailureOr<BatchRule> ReduceMaxOp::inferBatchRule(ArrayRef<BatchState>,
                                                     std::string &) PENDING
    std::optional<SmallVector<BatchState>> ReduceMaxOp::operandModes(
        unsigned, MappedMode) PENDING
    double ReduceMaxOp::getFlops(int64_t) PENDING KernelKind
    ReduceMaxOp::getKernelKind() PENDING LogicalResult ReduceMaxOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // ReduceMin
    LogicalResult ReduceMinOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                        SmallVectorImpl<Value> &) PENDING
    LogicalResult ReduceMinOp::inferReturnTypes(MLIRContext *,
                                                std::optional<Location>,
                                                ValueRange, DictionaryAttr,
                                                OpaqueProperties, RegionRange,
                                                SmallVectorImpl<Type> &) PENDING
    FailureOr<BatchRule> ReduceMinOp::inferBatchRule(ArrayRef<BatchState>,
                                                     std::string &) PENDING
    std::optional<SmallVector<BatchState>> ReduceMinOp::operandModes(
        unsigned, MappedMode) PENDING
    double ReduceMinOp::getFlops(int64_t) PENDING KernelKind
    ReduceMinOp::getKernelKind() PENDING LogicalResult ReduceMinOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // Cumsum
    LogicalResult CumsumOp::verify() PENDING
    LogicalResult CumsumOp::buildVJP(OpBuilder &, ValueRange, ArrayRef<bool>,
                                     SmallVectorImpl<Value> &) PENDING
    FailureOr<BatchRule> CumsumOp::inferBatchRule(ArrayRef<BatchState>,
                                                  std::string &)
        PENDING std::optional<SmallVector<BatchState>> CumsumOp::operandModes(
            unsigned, MappedMode) PENDING
    bool CumsumOp::isLinearIn(const llvm::SmallBitVector &) PENDING
    double CumsumOp::getFlops(int64_t) PENDING
    KernelKind CumsumOp::getKernelKind() PENDING LogicalResult
    CumsumOp::evaluate(ArrayRef<reference::Tensor>,
                       reference::EvaluationContext &,
                       SmallVectorImpl<reference::Tensor> &) PENDING
