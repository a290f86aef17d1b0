//===- ProgramCheck.cpp - The full batch against micro-batches ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Fuzz/ProgramCheck.h"
#include "RangeCheck.h"
#include "accrue/Dialect/NN/Passes.h"
#include "accrue/Dialect/Train/Passes.h"
#include "accrue/Dialect/Train/TrainDialect.h"
#include "accrue/Dialect/Train/TrainOps.h"
#include "accrue/Fuzz/ProgramGenerator.h"
#include "accrue/Reference/Arguments.h"
#include "accrue/Reference/Interpreter.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/Passes.h"
#include "runtime/io/Philox.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace accrue;
using namespace accrue::fuzz;
using reference::Tensor;

StringRef fuzz::toString(Outcome outcome) {
  switch (outcome) {
  case Outcome::Equal:
    return "equal";
  case Outcome::Refused:
    return "refused";
  case Outcome::Unstable:
    return "unstable";
  case Outcome::Different:
    return "different";
  case Outcome::Broken:
    return "broken";
  }
  llvm_unreachable("unknown outcome");
}

static constexpr Mode kModes[] = {Mode::Recompute,     Mode::Store,
                                  Mode::NoSink,        Mode::NoFold,
                                  Mode::Rematerialize, Mode::Rewritten};

static StringRef toString(Mode mode) {
  switch (mode) {
  case Mode::Recompute:
    return "recompute";
  case Mode::Store:
    return "store";
  case Mode::NoSink:
    return "no-sink";
  case Mode::NoFold:
    return "no-fold";
  case Mode::Rematerialize:
    return "rematerialize";
  case Mode::Rewritten:
    return "rewritten";
  }
  llvm_unreachable("unknown mode");
}

std::string Variant::str() const {
  std::string text = accumulate ? "accumulate=" + std::to_string(accumulate)
                                : "micro-batch=" + std::to_string(microBatch);
  return text + " " + ::toString(mode).str();
}

/// The errors of passes, each as a kind: with numbers as N, types without their
/// shape, and names of ops but the first one left out.
namespace {
class ErrorRecorder {
public:
  explicit ErrorRecorder(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              first.empty())
            first = summarize(diagnostic.str());
          return success();
        }) {}

  /// Empty where there was none.
  std::string first;

private:
  static std::string summarize(StringRef text) {
    std::string summary;
    int quotes = 0, brackets = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      if (c == '<')
        ++brackets;
      if (brackets > 0) {
        if (c == '>')
          --brackets;
        continue;
      }
      if (c == '\'')
        ++quotes;
      // After the first name, only the quotes.
      if (quotes > 2 && quotes % 2 == 1 && c != '\'')
        continue;
      if (llvm::isDigit(c)) {
        if (summary.empty() || summary.back() != 'N')
          summary += 'N';
        continue;
      }
      summary += c;
    }
    return summary;
  }

  ScopedDiagnosticHandler handler;
};
} // namespace

struct ProgramChecker::Baseline {
  OwningOpRef<ModuleOp> step;
  int64_t batch;
  uint64_t seed;
  bool isOrdered;
  SmallVector<Tensor> arguments;
  SmallVector<Tensor> results;

  func::FuncOp get() const {
    return *step.get().getOps<func::FuncOp>().begin();
  }
};

ProgramChecker::ProgramChecker(MLIRContext &context, CheckOptions options)
    : context(context), options(options) {}

bool ProgramChecker::runPasses(const std::string &name, ModuleOp module,
                               function_ref<void(OpPassManager &)> build,
                               std::string &reason, bool *refused) {
  std::unique_ptr<PassManager> &pipeline = pipelines[name];
  if (!pipeline) {
    pipeline = std::make_unique<PassManager>(&context);
    // It would report as an error of a pass what is a fault of it.
    pipeline->enableVerifier(false);
    build(*pipeline);
  }
  ErrorRecorder errors(context);
  if (failed(pipeline->run(module))) {
    reason = errors.first.empty() ? name + ": failed without an error"
                                  : errors.first;
    if (refused)
      *refused = !errors.first.empty();
    return false;
  }
  if (succeeded(mlir::verify(module)))
    return true;
  reason = name + ": invalid IR: " + errors.first;
  return false;
}

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

static void addStepPasses(OpPassManager &pm) {
  train::BuildStepOptions options;
  options.gradientsOnly = true;
  options.stateUpdates = true;
  pm.addNestedPass<func::FuncOp>(nn::createSelectMode());
  pm.addPass(train::createBuildStep(options));
  pm.addNestedPass<func::FuncOp>(train::createDifferentiate());
  addCleanup(pm);
}

/// Loops over the whole batch: a tail of another size continues one.
static int64_t countLoops(func::FuncOp function) {
  int64_t ops = 0;
  std::set<int64_t> offsets;
  function.walk([&](train::AccumulateOp loop) {
    ++ops;
    offsets.insert(loop.getOffset());
  });
  return offsets.empty() ? 0 : ops / static_cast<int64_t>(offsets.size());
}

VariantResult ProgramChecker::checkVariant(const Baseline &baseline,
                                           Variant variant) {
  VariantResult result;
  result.variant = variant;
  OwningOpRef<ModuleOp> split = baseline.step.get().clone();
  Mode mode = variant.mode;
  auto addSplit = [&](OpPassManager &pm) {
    train::AccumulateOptions accumulate;
    accumulate.accumulate = variant.accumulate;
    accumulate.microBatch = variant.microBatch;
    if (mode == Mode::Store || mode == Mode::Rematerialize)
      accumulate.coupled = Coupled::Store;
    accumulate.sink = mode != Mode::NoSink;
    accumulate.fold = mode != Mode::NoFold;
    if (mode == Mode::NoSink || mode == Mode::NoFold)
      accumulate.rewrites = Rewrites::Never;
    if (mode == Mode::Rewritten)
      accumulate.rewrites = Rewrites::Always;
    accumulate.omitWeights = options.omitWeights;
    accumulate.plantFault = options.plantFault;
    pm.addNestedPass<func::FuncOp>(train::createAccumulate(accumulate));
  };
  bool refused = false;
  result.outcome = Outcome::Broken;
  if (!runPasses(variant.str(), *split, addSplit, result.reason, &refused)) {
    // A single micro-batch is the whole batch.
    if (refused && variant.accumulate != 1)
      result.outcome = Outcome::Refused;
    return result;
  }
  auto addRest = [&](OpPassManager &pm) {
    pm.addNestedPass<func::FuncOp>(nn::createDecompose());
    addCleanup(pm);
    if (mode != Mode::Rematerialize)
      return;
    train::RematerializeOptions remat;
    remat.policy = train::RematPolicy::Full;
    pm.addNestedPass<func::FuncOp>(train::createRematerialize(remat));
  };
  bool isRaw = mode == Mode::NoSink || mode == Mode::NoFold;
  if (!isRaw &&
      !runPasses(mode == Mode::Rematerialize ? "rematerialize" : "cleanup",
                 *split, addRest, result.reason))
    return result;
  func::FuncOp function = *split->getOps<func::FuncOp>().begin();
  result.loops = countLoops(function);
  ErrorRecorder errors(context);
  FailureOr<SmallVector<Tensor>> values =
      reference::interpret(function, baseline.arguments, {baseline.batch});
  if (failed(values)) {
    result.reason = "not interpreted: " + errors.first;
    return result;
  }
  SmallVector<unsigned> different;
  for (unsigned i = 0, e = values->size(); i != e; ++i) {
    double error = reference::getError((*values)[i], baseline.results[i]);
    result.error = std::max(result.error, error);
    if (error > options.limit)
      different.push_back(i);
  }
  result.outcome = Outcome::Equal;
  if (different.empty())
    return result;
  func::FuncOp step = baseline.get();
  for (unsigned i : different) {
    auto name = step.getResultAttrOfType<StringAttr>(i, train::attrs::kName);
    result.reason += (result.reason.empty() ? "" : ", ") +
                     (name ? name.str() : "result " + std::to_string(i));
  }
  result.outcome =
      isUnstable(baseline, different) ? Outcome::Unstable : Outcome::Different;
  return result;
}

//===----------------------------------------------------------------------===//
// Results that no order of summation determines
//===----------------------------------------------------------------------===//

/// `tensor` with slice `order[i]` along `dim` in place i.
static Tensor permute(const Tensor &tensor, int64_t dim,
                      ArrayRef<int64_t> order) {
  Tensor permuted(tensor.getType());
  ArrayRef<int64_t> shape = tensor.getShape();
  int64_t inner = 1, extent = shape[dim];
  for (int64_t size : shape.drop_front(dim + 1))
    inner *= size;
  auto move = [&](auto from, auto to) {
    for (int64_t i = 0, e = to.size(); i != e; ++i) {
      int64_t outer = i / (inner * extent), at = i / inner % extent;
      to[i] = from[(outer * extent + order[at]) * inner + i % inner];
    }
  };
  if (tensor.isFloat())
    move(tensor.getFloats(), permuted.getMutableFloats());
  else
    move(tensor.getInts(), permuted.getMutableInts());
  return permuted;
}

/// The same elements in ascending order, NaN last.
static Tensor sort(const Tensor &tensor) {
  Tensor sorted = tensor;
  if (sorted.isFloat())
    llvm::sort(sorted.getMutableFloats(), [](double a, double b) {
      return std::isnan(a) ? false : std::isnan(b) || a < b;
    });
  else
    llvm::sort(sorted.getMutableInts());
  return sorted;
}

bool ProgramChecker::isUnstable(const Baseline &baseline,
                                ArrayRef<unsigned> indices) {
  constexpr int kTrials = 8;
  func::FuncOp step = baseline.get();
  // Rounding inside of an op, as of a mean that it subtracts, moves too.
  OwningOpRef<ModuleOp> parts = baseline.step.get().clone();
  std::string reason;
  if (!runPasses(
          "decompose", *parts,
          [](OpPassManager &pm) {
            pm.addNestedPass<func::FuncOp>(nn::createDecompose());
          },
          reason))
    parts = baseline.step.get().clone();
  std::set<unsigned> moved;
  auto compare = [&](ArrayRef<Tensor> arguments, uint64_t perturbation) {
    reference::InterpreterOptions interpreterOptions;
    interpreterOptions.batch = baseline.batch;
    interpreterOptions.perturbation = perturbation;
    FailureOr<SmallVector<Tensor>> results = reference::interpret(
        perturbation == 0 ? step : *parts->getOps<func::FuncOp>().begin(),
        arguments, interpreterOptions);
    if (failed(results))
      return;
    for (unsigned i : indices) {
      const Tensor &expected = baseline.results[i], &value = (*results)[i];
      auto type = cast<RankedTensorType>(step.getResultTypes()[i]);
      // Of a result per sample, whatever its layout is, the elements remain.
      bool isSorted = perturbation == 0 && !type.hasStaticShape();
      double error = isSorted ? reference::getError(sort(value), sort(expected))
                              : reference::getError(value, expected);
      if (error > options.limit)
        moved.insert(i);
    }
  };
  ErrorRecorder errors(context);
  for (int trial = 0; trial < kTrials; ++trial) {
    auto word = [&](uint64_t stream, uint64_t index) {
      return io::philoxWords(baseline.seed, stream, index).first;
    };
    if (!baseline.isOrdered) {
      SmallVector<int64_t> order =
          llvm::to_vector(llvm::seq<int64_t>(0, baseline.batch));
      for (size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[word(1 + trial, i) % i]);
      SmallVector<Tensor> arguments = baseline.arguments;
      for (auto [i, argument] : llvm::enumerate(arguments))
        if (auto dim =
                step.getArgAttrOfType<IntegerAttr>(i, train::attrs::kBatchDim))
          argument = permute(argument, dim.getInt(), order);
      compare(arguments, /*perturbation=*/0);
    }
    compare(baseline.arguments, /*perturbation=*/word(100, trial) | 1);
  }
  return moved.size() == indices.size();
}

CheckResult ProgramChecker::check(func::FuncOp model) {
  CheckResult result;
  auto fail = [&](std::string reason) {
    VariantResult broken;
    broken.outcome = Outcome::Broken;
    broken.reason = std::move(reason);
    result.variants.push_back(std::move(broken));
    result.outcome = Outcome::Broken;
    return result;
  };
  Baseline baseline;
  std::string reason;
  auto seed = model->getAttrOfType<IntegerAttr>(kDataSeed);
  baseline.seed = seed ? seed.getInt() : 0;
  baseline.isOrdered = model->hasAttr(kOrdered);
  baseline.batch = reference::getLogicalBatch(model, {});
  if (baseline.batch <= 0)
    return fail("no batch");
  ErrorRecorder errors(context);
  if (failed(mlir::verify(model)))
    return fail("invalid model: " + errors.first);
  FailureOr<SmallVector<Tensor>> arguments =
      reference::drawArguments(model, baseline.batch, baseline.seed);
  if (failed(arguments))
    return fail("no arguments: " + errors.first);
  baseline.arguments = std::move(*arguments);
  baseline.step = ModuleOp::create(model.getLoc());
  baseline.step->push_back(model.clone());
  if (!runPasses("step", *baseline.step, addStepPasses, reason))
    return fail("step: " + reason);
  RangeCheck ranges;
  auto observe = [&](Operation &op, ArrayRef<Tensor> operands,
                     ArrayRef<Tensor> results) {
    ranges.look(op, operands, results);
    return true;
  };
  reference::InterpreterOptions interpreterOptions;
  interpreterOptions.batch = baseline.batch;
  interpreterOptions.observe = observe;
  FailureOr<SmallVector<Tensor>> results = reference::interpret(
      baseline.get(), baseline.arguments, interpreterOptions);
  if (failed(results))
    return fail("step not interpreted: " + errors.first);
  if (!ranges.getFault().empty())
    return fail("range: " + ranges.getFault().str());
  baseline.results = std::move(*results);

  // The whole, equal and unequal parts, single samples, and a tail.
  int64_t ragged = baseline.batch % 4 != 0 ? 4 : 5;
  const Variant splits[] = {{1, 0}, {2, 0}, {3, 0}, {0, 1}, {0, ragged}};
  for (auto [i, split] : llvm::enumerate(splits))
    for (auto [k, mode] : llvm::enumerate(kModes)) {
      if (!options.allModes && (baseline.seed + i) % std::size(kModes) != k)
        continue;
      Variant variant = split;
      variant.mode = mode;
      result.variants.push_back(checkVariant(baseline, variant));
      result.outcome = std::max(result.outcome, result.variants.back().outcome);
    }
  return result;
}
