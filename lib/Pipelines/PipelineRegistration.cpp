//===- PipelineRegistration.cpp - Pipelines by name -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace accrue;

namespace {
/// PipelineOptions as text, and where to stop.
struct PipelineTextOptions : PassPipelineOptions<PipelineTextOptions> {
  Option<int64_t> batch{*this, "batch", llvm::cl::init(0),
                        llvm::cl::desc("samples in the logical batch")};
  Option<int64_t> microBatch{*this, "micro-batch", llvm::cl::init(0),
                             llvm::cl::desc("samples in a micro-batch")};
  Option<int64_t> accumulate{*this, "accumulate", llvm::cl::init(0),
                             llvm::cl::desc("number of micro-batches")};
  Option<train::BatchNorm> batchNorm{
      *this, "batch-norm", llvm::cl::init(train::BatchNorm::Exact),
      llvm::cl::desc("what statistics over samples are taken over"),
      llvm::cl::values(
          clEnumValN(train::BatchNorm::Exact, "exact", "the batch"),
          clEnumValN(train::BatchNorm::Micro, "micro", "each micro-batch"),
          clEnumValN(train::BatchNorm::Frozen, "frozen", "none"))};
  Option<Coupled> coupled{
      *this, "coupled", llvm::cl::init(Coupled::Recompute),
      llvm::cl::desc("what later loops over the batch read of earlier ones"),
      llvm::cl::values(clEnumValN(Coupled::Auto, "auto", "the cheaper of both"),
                       clEnumValN(Coupled::Store, "store", "stored results"),
                       clEnumValN(Coupled::Recompute, "recompute", "nothing"),
                       clEnumValN(Coupled::Error, "error", "refused"))};
  Option<int64_t> gatherLimit{
      *this, "gather-limit", llvm::cl::init(kGatherLimit),
      llvm::cl::desc("bytes of a value that an op may read of all samples")};
  Option<train::RematPolicy> remat{
      *this, "remat", llvm::cl::init(train::RematPolicy::None),
      llvm::cl::desc("what is computed again"),
      llvm::cl::values(
          clEnumValN(train::RematPolicy::None, "none", "nothing"),
          clEnumValN(train::RematPolicy::Full, "full", "all activations"))};
  Option<bool> evaluation{*this, "evaluation", llvm::cl::init(false),
                          llvm::cl::desc("compile the model, not a step")};
  Option<bool> gradientsOnly{*this, "gradients-only", llvm::cl::init(false),
                             llvm::cl::desc("stop the step at the gradients")};
  Option<bool> outputs{*this, "outputs", llvm::cl::init(false),
                       llvm::cl::desc("compute the results on demand")};
  Option<int64_t> staging{*this, "staging", llvm::cl::init(1),
                          llvm::cl::desc("parts of the arena of the inputs")};
  Option<bool> workspace{*this, "workspace", llvm::cl::init(false),
                         llvm::cl::desc("give matrix products a workspace")};
  Option<std::string> to{*this, "to", llvm::cl::init("optimized"),
                         llvm::cl::desc("the phase to stop at")};

  PipelineOptions get() const {
    PipelineOptions options;
    options.batch = batch;
    options.microBatch = microBatch;
    options.accumulate = accumulate;
    options.batchNorm = batchNorm;
    options.coupled = coupled;
    options.gatherLimit = gatherLimit;
    options.remat = remat;
    options.evaluation = evaluation;
    options.gradientsOnly = gradientsOnly;
    options.outputs = outputs;
    options.planning = {staging, workspace};
    return options;
  }
};
} // namespace

void accrue::registerPipelines() {
  PassPipelineRegistration<PipelineTextOptions>(
      "accrue-step", "model to differentiated step",
      [](OpPassManager &pm, const PipelineTextOptions &options) {
        buildStepPipeline(pm, options.get());
      });
  PassPipelineRegistration<PipelineTextOptions>(
      "accrue-accumulate", "step or model to a loop over micro-batches",
      [](OpPassManager &pm, const PipelineTextOptions &options) {
        buildAccumulatePipeline(pm, options.get());
      });
  PassPipelineRegistration<PipelineTextOptions>(
      "accrue-rematerialize", "compute activations again",
      [](OpPassManager &pm, const PipelineTextOptions &options) {
        buildRematerializePipeline(pm, options.get());
      });
  PassPipelineRegistration<>("accrue-optimize",
                             "clean up after rematerialization",
                             buildOptimizePipeline);
  PassPipelineRegistration<>("accrue-linalg", "kernels on tensors",
                             buildLinalgPipeline);
  PassPipelineRegistration<>("accrue-kernels", "kernels on buffers",
                             buildKernelsPipeline);
  PassPipelineRegistration<PipelineTextOptions>(
      "accrue-plan", "a place in memory for every buffer",
      [](OpPassManager &pm, const PipelineTextOptions &options) {
        buildPlanPipeline(pm, options.get());
      });
  PassPipelineRegistration<PipelineTextOptions>(
      "accrue-pipeline", "model to any phase, as 'accrue compile --emit' does",
      [](OpPassManager &pm, const PipelineTextOptions &options) {
        for (const PhaseInfo &info : getPhases())
          if (info.name == options.to)
            return buildPipeline(pm, info.phase, options.get());
        llvm::reportFatalUsageError("accrue-pipeline: unknown phase '" +
                                    Twine(options.to) + "'");
      });
}
