//===- Pipelines.h - From a model to its target -----------------*- C++ -*-===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass pipelines between phases: the same functions serve the driver
// `accrue` and, by name, `accrue-opt`. From the rematerialized phase on no
// pipeline contains CSE, which would merge recomputed values with the first
// ones.
//
//===----------------------------------------------------------------------===//

#ifndef ACCRUE_PIPELINES_PIPELINES_H
#define ACCRUE_PIPELINES_PIPELINES_H

#include "accrue/Dialect/Kernel/Passes.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Pipelines/Phases.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace accrue {

/// What the passes of all stretches need to know.
struct PipelineOptions {
  /// Samples in the logical batch; 0 takes the model's.
  int64_t batch = 0;
  /// Samples in a micro-batch, or the number of micro-batches; at most one of
  /// them. Neither: a single micro-batch.
  int64_t microBatch = 0;
  int64_t accumulate = 0;
  train::BatchNorm batchNorm = train::BatchNorm::Exact;
  /// What later loops over the batch read of earlier ones.
  Coupled coupled = Coupled::Recompute;
  /// Bytes of a value that an op may read of all samples.
  int64_t gatherLimit = kGatherLimit;
  train::RematPolicy remat = train::RematPolicy::None;
  /// Compile the model itself, its loss and metrics, instead of a training
  /// step of it.
  bool evaluation = false;
  /// Stop the step at the gradients, without an update.
  bool gradientsOnly = false;
  /// With them, keep the new values of declared state.
  bool stateUpdates = false;
  /// Compute the results that a model gives on demand.
  bool outputs = false;
  /// What the target asks of the memory plan.
  kernel::PlanMemoryOptions planning = {};
};

/// Model to step: slots, gradients, update.
void buildStepPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);
/// Step or model of a symbolic batch to a loop over micro-batches and one
/// update of all parameters.
void buildAccumulatePipeline(mlir::OpPassManager &pm,
                             const PipelineOptions &options);
/// Introduces recomputation.
void buildRematerializePipeline(mlir::OpPassManager &pm,
                                const PipelineOptions &options);
/// Cleans up after recomputation, without CSE.
void buildOptimizePipeline(mlir::OpPassManager &pm);

/// Kernels on tensors.
void buildLinalgPipeline(mlir::OpPassManager &pm);
/// Kernels on buffers.
void buildKernelsPipeline(mlir::OpPassManager &pm);
/// A place in memory for every buffer, kernels as functions.
void buildPlanPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Everything between the model and `phase`, at most `Planned`.
void buildPipeline(mlir::OpPassManager &pm, Phase phase,
                   const PipelineOptions &options);

/// Compiles a copy of `model`, which has one function marked `train.model`, to
/// `phase`, at most `Planned`. Fails after an error.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
compileTo(Phase phase, mlir::ModuleOp model, const PipelineOptions &options);

/// The same for several programs for one target in one module, which share
/// their kernels. The first keeps the model's name; others have their kind,
/// where they are no step, and their batch appended to it.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
compileTo(Phase phase, mlir::ModuleOp model,
          llvm::ArrayRef<PipelineOptions> programs);

/// Registers one pipeline per stretch and the whole of it, `accrue-pipeline`,
/// with accrue-opt.
void registerPipelines();

} // namespace accrue

#endif // ACCRUE_PIPELINES_PIPELINES_H
