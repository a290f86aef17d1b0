//===- Verify.cpp - Full batch against micro-batches ----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Reference/Verify.h"
#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Dialect/NN/Extent.h"
#include "accrue/Dialect/NN/Passes.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Reference/Arguments.h"
#include "accrue/Reference/Interpreter.h"
#include "accrue/Reference/Promotion.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace accrue;
using namespace accrue::reference;

SmallVector<int64_t> reference::getDefaultMicroBatches(int64_t batch,
                                                       int64_t group) {
  int64_t groups = batch / group;
  // About a fifth, with a tail.
  int64_t ragged = std::max<int64_t>(groups / 5, 1);
  while (ragged < groups && groups % ragged == 0)
    ++ragged;
  SmallVector<int64_t> sizes;
  for (int64_t size : {groups, groups / 2, groups / 4, ragged})
    if (size > 0 && !llvm::is_contained(sizes, size * group))
      sizes.push_back(size * group);
  return sizes;
}

namespace {
/// The one function of a module of its own.
class Program {
public:
  /// A copy of `function`.
  explicit Program(func::FuncOp function)
      : module(ModuleOp::create(function.getLoc())) {
    module->push_back(function.clone());
  }

  func::FuncOp get() const {
    return *module.get().getOps<func::FuncOp>().begin();
  }

  /// Runs what `add` adds to a pass manager of the module.
  LogicalResult run(function_ref<void(OpPassManager &)> add) {
    PassManager pm(module.get().getContext());
    add(pm);
    return pm.run(*module);
  }

private:
  OwningOpRef<ModuleOp> module;
};

/// The model and its step in one precision, and the results for the full
/// batch.
struct Baseline {
  Program model;
  Program step;
  InterpreterOptions options;
  /// How its variants are split, but for the size of the micro-batches.
  train::AccumulateOptions accumulation;
  SmallVector<Tensor> arguments;
  SmallVector<Tensor> results;
};
} // namespace

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// The step of `model` up to the gradients, of the full batch.
static FailureOr<Program> buildStep(const Program &model) {
  Program step(model.get());
  LogicalResult built = step.run([](OpPassManager &pm) {
    train::BuildStepOptions options;
    options.gradientsOnly = true;
    options.stateUpdates = true;
    pm.addNestedPass<func::FuncOp>(nn::createSelectMode());
    pm.addPass(train::createBuildStep(options));
    pm.addNestedPass<func::FuncOp>(train::createDifferentiate());
    addCleanup(pm);
  });
  if (failed(built))
    return failure();
  return step;
}

/// The step in micro-batches.
static FailureOr<Program> accumulate(const Program &step,
                                     train::AccumulateOptions options,
                                     VerifyVariant variant) {
  Program split(step.get());
  LogicalResult built = split.run([&](OpPassManager &pm) {
    options.microBatch = variant.microBatch;
    if (variant.ownStatistics)
      options.batchNorm = train::BatchNorm::Micro;
    pm.addNestedPass<func::FuncOp>(train::createAccumulate(options));
    pm.addNestedPass<func::FuncOp>(nn::createDecompose());
    addCleanup(pm);
    // Nothing after this may merge recomputed values with the first ones.
    train::RematerializeOptions remat;
    remat.policy =
        variant.recompute ? train::RematPolicy::Full : train::RematPolicy::None;
    pm.addNestedPass<func::FuncOp>(train::createRematerialize(remat));
  });
  if (failed(built))
    return failure();
  return split;
}

static FailureOr<Baseline>
buildBaseline(Program model, Precision precision,
              const train::AccumulateOptions &accumulation,
              ArrayRef<Tensor> arguments) {
  bool isFrozen = accumulation.batchNorm == train::BatchNorm::Frozen;
  if (isFrozen && failed(model.run([](OpPassManager &pm) {
        pm.addNestedPass<func::FuncOp>(train::createFreezeStatistics());
      })))
    return failure();
  FailureOr<Program> step = buildStep(model);
  if (failed(step))
    return failure();
  InterpreterOptions options{accumulation.batch, precision};
  FailureOr<SmallVector<Tensor>> results =
      interpret(step->get(), arguments, options);
  if (failed(results))
    return failure();
  return Baseline{std::move(model),
                  std::move(*step),
                  options,
                  accumulation,
                  SmallVector<Tensor>(arguments),
                  std::move(*results)};
}

/// The results of a variant of the step of `baseline`.
static FailureOr<SmallVector<Tensor>> runVariant(const Baseline &baseline,
                                                 VerifyVariant variant,
                                                 bool omitWeights = false) {
  train::AccumulateOptions accumulation = baseline.accumulation;
  accumulation.omitWeights = omitWeights;
  FailureOr<Program> split = accumulate(baseline.step, accumulation, variant);
  if (failed(split))
    return failure();
  return interpret(split->get(), baseline.arguments, baseline.options);
}

static train::ResultKind getKind(func::FuncOp step, unsigned index) {
  auto kind = step.getResultAttrOfType<train::ResultKindAttr>(
      index, train::attrs::kResult);
  return kind ? kind.getValue() : train::ResultKind::output;
}

/// Indices of the results of `step`, gradients first.
static SmallVector<unsigned> orderResults(func::FuncOp step) {
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(0, step.getNumResults()));
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return (getKind(step, a) == train::ResultKind::gradient) >
           (getKind(step, b) == train::ResultKind::gradient);
  });
  return order;
}

/// The Euclidean norm of all gradients among the results of `step`.
static double getGradientNorm(func::FuncOp step, ArrayRef<Tensor> results) {
  double square = 0;
  for (auto [i, result] : llvm::enumerate(results))
    if (getKind(step, i) == train::ResultKind::gradient)
      for (double value : result.getFloats())
        square += value * value;
  return std::sqrt(square);
}

/// The smallest batch of at least 8 samples, if there is one up to `batch`, for
/// which all extents of `function` are integers.
static int64_t getSmallBatch(func::FuncOp function, int64_t batch) {
  auto fits = [&](int64_t samples) {
    auto resolves = [&](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return !tensor || nn::getTypeForBatch(tensor, samples);
    };
    WalkResult result = function.walk([&](Operation *op) {
      return llvm::all_of(op->getResultTypes(), resolves)
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    return !result.wasInterrupted() &&
           llvm::all_of(function.getArgumentTypes(), resolves);
  };
  for (int64_t samples = 8; samples < batch; ++samples)
    if (fits(samples))
      return samples;
  return batch;
}

/// The gradients of a split step, against differences of its own loss.
static LogicalResult checkSplitDifferences(const Baseline &baseline,
                                           ArrayRef<Tensor> arguments,
                                           const GradientCheckOptions &options,
                                           VerifyReport &report) {
  // The last one leaves a tail, whose weight differs.
  report.split = {options.batch, getDefaultMicroBatches(options.batch).back()};
  train::AccumulateOptions accumulation = baseline.accumulation;
  accumulation.batch = options.batch;
  FailureOr<Program> split = accumulate(
      baseline.step, accumulation,
      {report.split.microBatch, /*recompute=*/false, /*ownStatistics=*/true});
  if (failed(split))
    return failure();
  FailureOr<SmallVector<GradientCheckResult>> checks =
      checkGradients(split->get(), split->get(), arguments, options);
  if (failed(checks))
    return failure();
  report.splitGradients = std::move(*checks);
  return success();
}

/// Whether every loss among the results of `step` is finite.
static bool hasFiniteLoss(func::FuncOp step, ArrayRef<Tensor> results) {
  for (auto [i, result] : llvm::enumerate(results))
    if (getKind(step, i) == train::ResultKind::loss &&
        !llvm::all_of(result.getFloats(),
                      [](double value) { return std::isfinite(value); }))
      return false;
  return true;
}

static LogicalResult checkDifferences(const Baseline &baseline,
                                      const VerifyOptions &options,
                                      VerifyReport &report) {
  GradientCheckOptions checkOptions;
  checkOptions.seed = options.seed;
  func::FuncOp model = baseline.model.get(), step = baseline.step.get();
  report.hasFiniteLoss = hasFiniteLoss(step, baseline.results);
  if (!report.hasFiniteLoss)
    return success();
  checkOptions.batch = std::min(getSmallBatch(model, baseline.options.batch),
                                getSmallBatch(step, baseline.options.batch));
  // Given inputs have the full batch's shape.
  FailureOr<SmallVector<Tensor>> arguments =
      drawArguments(model, checkOptions.batch, options.seed);
  if (failed(arguments))
    return failure();
  FailureOr<SmallVector<GradientCheckResult>> checks =
      checkGradients(model, step, *arguments, checkOptions);
  if (failed(checks))
    return failure();
  report.gradients = std::move(*checks);
  if (!options.microStatistics || !hasMicroStatistics(step))
    return success();
  return checkSplitDifferences(baseline, *arguments, checkOptions, report);
}

/// The batch and the micro-batch sizes; fails where they do not fit.
static LogicalResult resolveSizes(func::FuncOp model,
                                  const VerifyOptions &options, int64_t &batch,
                                  SmallVectorImpl<int64_t> &microBatches) {
  batch = getLogicalBatch(model, {options.batch, Precision::F64});
  if (batch <= 0)
    return model.emitOpError("expected the batch to be given");
  microBatches.assign(options.microBatches);
  if (microBatches.empty())
    microBatches = getDefaultMicroBatches(batch);
  for (int64_t size : microBatches)
    if (size < 1 || size > batch)
      return model.emitOpError("expected micro-batches of 1 to ")
             << batch << " samples, got " << size;
  return success();
}

FailureOr<VerifyReport> reference::verify(func::FuncOp model,
                                          const VerifyOptions &options) {
  VerifyReport report;
  report.model = model.getName().str();
  SmallVector<int64_t> microBatches;
  if (failed(resolveSizes(model, options, report.batch, microBatches)))
    return failure();
  FailureOr<SmallVector<Tensor>> arguments =
      drawArguments(model, report.batch, options.seed, options.inputs);
  if (failed(arguments))
    return failure();
  train::AccumulateOptions accumulation;
  accumulation.batch = report.batch;
  if (options.frozenStatistics)
    accumulation.batchNorm = train::BatchNorm::Frozen;
  accumulation.coupled = options.coupled;
  accumulation.gatherLimit = options.gatherLimit;
  accumulation.plantFault = options.plantFault;
  FailureOr<Baseline> declared = buildBaseline(
      Program(model), Precision::Declared, accumulation, *arguments);
  if (failed(declared))
    return failure();

  Program promoted(model);
  promoteToF64(promoted.get());
  for (Tensor &argument : *arguments)
    argument = promoteToF64(argument);
  FailureOr<Baseline> f64 = [&] {
    // The warnings of the passes were given for the declared types.
    ScopedDiagnosticHandler quiet(model.getContext(), [](Diagnostic &diag) {
      return success(diag.getSeverity() != DiagnosticSeverity::Error);
    });
    return buildBaseline(std::move(promoted), Precision::F64, accumulation,
                         *arguments);
  }();
  if (failed(f64))
    return failure();

  func::FuncOp step = declared->step.get();
  SmallVector<unsigned> order = orderResults(step);
  SmallVector<ResultTolerance> tolerances = getTolerances(step);
  for (unsigned i : order) {
    auto name = step.getResultAttrOfType<StringAttr>(i, train::attrs::kName);
    // A new state is called as the state.
    if (auto updates =
            step.getResultAttrOfType<IntegerAttr>(i, train::attrs::kUpdates))
      name = step.getArgAttrOfType<StringAttr>(updates.getInt(),
                                               train::attrs::kName);
    report.rows.push_back({name ? name.str() : "result " + std::to_string(i),
                           declared->results[i].getElementType(),
                           tolerances[i]});
  }
  bool ownStatistics = options.microStatistics && hasMicroStatistics(step);
  // By micro-batch, the results that a variant of its own is compared with.
  DenseMap<int64_t, SmallVector<Tensor>> stored;
  for (bool recompute : {false, true}) {
    if (recompute && !options.recompute)
      continue;
    for (int64_t microBatch : microBatches) {
      VerifyVariant variant{microBatch, recompute,
                            ownStatistics && microBatch < report.batch};
      FailureOr<SmallVector<Tensor>> inF64 = runVariant(*f64, variant);
      if (failed(inF64))
        return failure();
      FailureOr<SmallVector<Tensor>> inDeclared =
          runVariant(*declared, variant);
      if (failed(inDeclared))
        return failure();
      report.variants.push_back(variant);
      bool isOwn = variant.ownStatistics;
      bool isReference = isOwn && !recompute;
      if (isReference)
        stored[microBatch] = *inF64;
      ArrayRef<Tensor> expected =
          isOwn ? ArrayRef(stored[microBatch]) : ArrayRef(f64->results);
      ArrayRef<Tensor> expectedDeclared =
          isOwn ? expected : ArrayRef(declared->results);
      for (auto [row, i] : llvm::zip_equal(report.rows, order)) {
        row.f64Errors.push_back(
            isReference ? std::nullopt
                        : std::optional(getError((*inF64)[i], expected[i])));
        row.declaredErrors.push_back(
            getError((*inDeclared)[i], expectedDeclared[i]));
      }
    }
  }

  if (!report.passed()) {
    if (failed(widenTolerances(step, declared->arguments, report.batch,
                               tolerances)))
      return failure();
    for (auto [row, i] : llvm::zip_equal(report.rows, order))
      if (!row.passed())
        row.tolerance = tolerances[i];
  }

  // For contrast, the largest micro-batch that is not the whole.
  for (int64_t microBatch : microBatches) {
    if (microBatch == report.batch)
      continue;
    FailureOr<SmallVector<Tensor>> results =
        runVariant(*f64, {microBatch, /*recompute=*/false, ownStatistics},
                   /*omitWeights=*/true);
    if (failed(results))
      return failure();
    double norm =
        getGradientNorm(step, ownStatistics ? ArrayRef(stored[microBatch])
                                            : ArrayRef(f64->results));
    if (norm > 0)
      report.contrast = {microBatch, getGradientNorm(step, *results) / norm};
    break;
  }

  if (options.differences && failed(checkDifferences(*f64, options, report)))
    return failure();
  return report;
}
