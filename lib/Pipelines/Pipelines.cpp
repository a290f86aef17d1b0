//===- Pipelines.cpp - From a model to its target -------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Pipelines/Pipelines.h"

#include "accrue/Conversion/Passes.h"
#include "accrue/Dialect/NN/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace accrue;

static void addCleanup(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
}

static void addVerifier(OpPassManager &pm, train::VerifyLevel level) {
  train::VerifyOptions options;
  options.level = level;
  pm.addNestedPass<func::FuncOp>(train::createVerify(options));
}

static void addSelectMode(OpPassManager &pm, bool training) {
  nn::SelectModeOptions options;
  options.training = training;
  pm.addNestedPass<func::FuncOp>(nn::createSelectMode(options));
}

void accrue::buildStepPipeline(OpPassManager &pm,
                               const PipelineOptions &options) {
  if (options.batchNorm == train::BatchNorm::Frozen)
    pm.addNestedPass<func::FuncOp>(train::createFreezeStatistics());
  addSelectMode(pm, /*training=*/true);
  train::BuildStepOptions passOptions;
  passOptions.gradientsOnly = options.gradientsOnly;
  passOptions.stateUpdates = options.stateUpdates;
  pm.addPass(train::createBuildStep(passOptions));
  pm.addNestedPass<func::FuncOp>(train::createDifferentiate());
  addCleanup(pm);
  addVerifier(pm, train::VerifyLevel::Step);
}

void accrue::buildAccumulatePipeline(OpPassManager &pm,
                                     const PipelineOptions &options) {
  if (options.evaluation)
    addSelectMode(pm, /*training=*/false);
  train::AccumulateOptions passOptions;
  passOptions.batch = options.batch;
  passOptions.microBatch = options.microBatch;
  passOptions.accumulate = options.accumulate;
  passOptions.batchNorm = options.batchNorm;
  passOptions.coupled = options.coupled;
  passOptions.gatherLimit = options.gatherLimit;
  pm.addNestedPass<func::FuncOp>(train::createBoundIndices());
  pm.addNestedPass<func::FuncOp>(train::createAccumulate(passOptions));
  pm.addNestedPass<func::FuncOp>(nn::createDecompose());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(train::createFuseOptimizer());
  addVerifier(pm, train::VerifyLevel::Accumulated);
}

void accrue::buildRematerializePipeline(OpPassManager &pm,
                                        const PipelineOptions &options) {
  train::RematerializeOptions passOptions;
  passOptions.policy = options.remat;
  pm.addNestedPass<func::FuncOp>(train::createRematerialize(passOptions));
}

void accrue::buildOptimizePipeline(OpPassManager &pm) {
  // No CSE: it must not meet what is computed again.
  pm.addNestedPass<func::FuncOp>(createCanonicalizerPass());
}

void accrue::buildLinalgPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createSplitScans());
  pm.addNestedPass<func::FuncOp>(createSplitReductions());
  pm.addNestedPass<func::FuncOp>(createFormKernels());
  pm.addNestedPass<func::FuncOp>(createNNToLinalg());
}

void accrue::buildKernelsPipeline(OpPassManager &pm) {
  pm.addPass(kernel::createBufferizeKernels());
  pm.addNestedPass<func::FuncOp>(kernel::createGroupsToLoops());
  pm.addNestedPass<func::FuncOp>(kernel::createScatterToLoops());
}

void accrue::buildPlanPipeline(OpPassManager &pm,
                               const PipelineOptions &options) {
  pm.addNestedPass<func::FuncOp>(kernel::createPlanMemory(options.planning));
  pm.addNestedPass<func::FuncOp>(kernel::createFlattenUpdate());
  pm.addPass(kernel::createOutlineKernels());
}

/// The part of a pipeline that depends on the options of the program.
static void buildProgramPipeline(OpPassManager &pm, Phase phase,
                                 const PipelineOptions &options) {
  if (phase >= Phase::Step && !options.outputs)
    pm.addNestedPass<func::FuncOp>(train::createDropOutputs());
  if (phase >= Phase::Step && !options.evaluation)
    buildStepPipeline(pm, options);
  if (phase >= Phase::Accumulated)
    buildAccumulatePipeline(pm, options);
  if (phase >= Phase::Rematerialized && !options.evaluation)
    buildRematerializePipeline(pm, options);
  if (phase >= Phase::Optimized && !options.evaluation)
    buildOptimizePipeline(pm);
}

/// The part that lowers all functions of a module alike.
static void buildLoweringPipeline(OpPassManager &pm, Phase phase,
                                  const PipelineOptions &options) {
  if (phase >= Phase::Linalg)
    buildLinalgPipeline(pm);
  if (phase >= Phase::Kernels)
    buildKernelsPipeline(pm);
  if (phase >= Phase::Planned)
    buildPlanPipeline(pm, options);
}

void accrue::buildPipeline(OpPassManager &pm, Phase phase,
                           const PipelineOptions &options) {
  buildProgramPipeline(pm, phase, options);
  buildLoweringPipeline(pm, phase, options);
}

/// What is appended to the name of a program that is not the first one.
static std::string getSuffix(const PipelineOptions &options) {
  StringRef kind = options.evaluation      ? "_evaluate"
                   : options.gradientsOnly ? "_gradients"
                                           : "";
  return (kind + "_" + llvm::Twine(options.batch)).str();
}

FailureOr<OwningOpRef<ModuleOp>>
accrue::compileTo(Phase phase, ModuleOp model, const PipelineOptions &options) {
  return compileTo(phase, model, ArrayRef(options));
}

FailureOr<OwningOpRef<ModuleOp>>
accrue::compileTo(Phase phase, ModuleOp model,
                  ArrayRef<PipelineOptions> programs) {
  OwningOpRef<ModuleOp> all;
  for (const PipelineOptions &options : programs) {
    OwningOpRef<ModuleOp> module = model.clone();
    PassManager pm(model.getContext());
    buildProgramPipeline(pm, phase, options);
    if (failed(pm.run(*module)))
      return failure();
    if (!all) {
      all = std::move(module);
      continue;
    }
    for (auto function :
         llvm::make_early_inc_range(module->getOps<func::FuncOp>())) {
      function.setSymName(function.getSymName().str() + getSuffix(options));
      function->moveBefore(all->getBody(), all->getBody()->end());
    }
  }
  PassManager pm(model.getContext());
  buildLoweringPipeline(pm, phase, programs.front());
  if (failed(pm.run(*all)))
    return failure();
  return all;
}
