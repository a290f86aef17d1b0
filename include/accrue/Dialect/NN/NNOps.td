//===- NNOps.td - Ops of the nn dialect --------------------*- tablegen -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_NN_NNOPS_TD
#define ACCRUE_DIALECT_NN_NNOPS_TD

include "accrue/Dialect/NN/NNAttentionOps.td"
include "accrue/Dialect/NN/NNContractionOps.td"
include "accrue/Dialect/NN/NNElementwiseOps.td"
include "accrue/Dialect/NN/NNIndexingOps.td"
include "accrue/Dialect/NN/NNLossOps.td"
include "accrue/Dialect/NN/NNNormalizationOps.td"
include "accrue/Dialect/NN/NNRandomOps.td"
include "accrue/Dialect/NN/NNReductionOps.td"
include "accrue/Dialect/NN/NNShapeOps.td"
include "accrue/Dialect/NN/NNWindowOps.td"

#endif // ACCRUE_DIALECT_NN_NNOPS_TD
