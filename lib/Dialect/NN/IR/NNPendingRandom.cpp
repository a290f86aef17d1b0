//===- NNPendingRandom.cpp - Rules to be written --------------------------===//
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

// Uniform
LogicalResult UniformOp::verify()
    PENDING FailureOr<BatchRule> UniformOp::inferBatchRule(ArrayRef<BatchState>,
                                                           std::string &)
        PENDING std::optional<SmallVector<BatchState>> UniformOp::operandModes(
            unsigned, MappedMode) PENDING
    double UniformOp::getFlops(int64_t) PENDING KernelKind
    UniformOp::getKernelKind() PENDING LogicalResult UniformOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING

    // Normal
    LogicalResult NormalOp::verify() PENDING
    FailureOr<BatchRule> NormalOp::inferBatchRule(ArrayRef<BatchState>,
                                                  std::string &)
        PENDING std::optional<SmallVector<BatchState>> NormalOp::operandModes(
            unsigned, MappedMode) PENDING
    double NormalOp::getFlops(int64_t) PENDING KernelKind
    NormalOp::getKernelKind() PENDING LogicalResult NormalOp::evaluate(
        ArrayRef<reference::Tensor>, reference::EvaluationContext &,
        SmallVectorImpl<reference::Tensor> &) PENDING
