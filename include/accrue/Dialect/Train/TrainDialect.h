//===- TrainDialect.h - The train dialect -----------------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_DIALECT_TRAIN_TRAINDIALECT_H
#define ACCRUE_DIALECT_TRAIN_TRAINDIALECT_H

#include "accrue/Dialect/NN/NNDialect.h"
#include "accrue/Interfaces/BatchState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "llvm/ADT/APFloat.h"

#include "accrue/Dialect/Train/TrainDialect.h.inc"

#include "accrue/Dialect/Train/TrainEnums.h.inc"

#include "accrue/Dialect/Train/TrainAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "accrue/Dialect/Train/TrainAttributes.h.inc"

namespace accrue::train {

/// Names of the discardable attributes of models and steps; see the dialect's
/// description.
namespace attrs {
inline constexpr llvm::StringLiteral kModel = "train.model";
inline constexpr llvm::StringLiteral kStep = "train.step";
inline constexpr llvm::StringLiteral kProgram = "train.program";
inline constexpr llvm::StringLiteral kRole = "train.role";
inline constexpr llvm::StringLiteral kName = "train.name";
inline constexpr llvm::StringLiteral kSlot = "train.slot";
inline constexpr llvm::StringLiteral kBatchDim = "train.batch_dim";
inline constexpr llvm::StringLiteral kIndexBounds = "train.index_bounds";
inline constexpr llvm::StringLiteral kInit = "train.init";
inline constexpr llvm::StringLiteral kRule = "train.rule";
inline constexpr llvm::StringLiteral kUpdates = "train.updates";
inline constexpr llvm::StringLiteral kResult = "train.result";
/// On a result of a model: only computed by a program that is asked for it.
inline constexpr llvm::StringLiteral kOnDemand = "train.on_demand";
inline constexpr llvm::StringLiteral kBatch = "train.batch";
inline constexpr llvm::StringLiteral kSchedule = "train.schedule";
inline constexpr llvm::StringLiteral kClipNorm = "train.clip_norm";
inline constexpr llvm::StringLiteral kLossScale = "train.loss_scale";
inline constexpr llvm::StringLiteral kBackward = "train.backward";
inline constexpr llvm::StringLiteral kRecompute = "train.recompute";
} // namespace attrs

/// The attribute for `mode`, and back.
MappedAttr getMappedAttr(mlir::MLIRContext *context, const MappedMode &mode);
MappedMode getMappedMode(MappedAttr attr);

/// The type of the norm of gradients of `types` and of what else a step has
/// once for all of them, such as the learning rate: f64 where one of them is,
/// so that an f64 step is exact to f64, else f32, also for halves.
mlir::FloatType getStepScalarType(mlir::TypeRange types);

/// The scalar `gradient` times max_norm / max(norm, max_norm): what clips
/// gradients of global norm `norm`.
mlir::Value buildClip(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value gradient, mlir::Value norm, double maxNorm);

} // namespace accrue::train

#endif // ACCRUE_DIALECT_TRAIN_TRAINDIALECT_H
