//===- VerifyTarget.cpp - Compiled steps against the reference ------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTarget.h"

#include "Executables.h"
#include "accrue/Analysis/BatchAnalysis.h"
#include "accrue/Reference/Arguments.h"
#include "accrue/Reference/Interpreter.h"
#include "accrue/Target/Describe.h"
#include "accrue/Target/Reference/TensorMemory.h"
#include "runtime/io/Progress.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#include <map>

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;
using llvm::formatv;
using reference::Tensor;

namespace {
/// Batches that are tensors of the interpreter.
class TensorInput final : public InputProvider {
public:
  void add(const InputInfo &info, const Tensor &tensor) {
    std::vector<uint8_t> &bytes =
        data.emplace_back(tensor.getNumElements() * io::byteSize(info.dtype));
    reference::writeTensor(tensor, info.dtype, bytes.data());
    int64_t inner = io::byteSize(info.dtype), outer = 1;
    for (auto [dim, extent] : llvm::enumerate(tensor.getShape())) {
      if (static_cast<int64_t>(dim) < info.batchDim)
        outer *= extent;
      if (static_cast<int64_t>(dim) > info.batchDim)
        inner *= extent;
    }
    layouts.push_back({outer, tensor.getShape()[info.batchDim], inner});
  }

  io::Status fill(unsigned input, int64_t first, int64_t count,
                  void *to) override {
    auto [outer, samples, inner] = layouts[input];
    for (int64_t i = 0; i < outer; ++i)
      std::memcpy(static_cast<uint8_t *>(to) + i * count * inner,
                  data[input].data() + (i * samples + first) * inner,
                  count * inner);
    return io::Status::success();
  }

private:
  struct Layout {
    int64_t outer, samples;
    /// Bytes of one sample at one outer place.
    int64_t inner;
  };
  std::vector<std::vector<uint8_t>> data;
  std::vector<Layout> layouts;
};

/// Compares the results of one step by name.
class TargetCheck {
public:
  TargetCheck(Session &session, const reference::VerifyOptions &options)
      : session(session), options(options) {}

  int run();

private:
  /// Interprets the step of `options` at `phase` and keeps its results under
  /// `microBatch`.
  LogicalResult interpret(Phase phase, const PipelineOptions &options,
                          int64_t microBatch);
  LogicalResult interpretFullBatch();
  /// What variants are compared with that normalize by statistics of their
  /// micro-batches: the same step, interpreted.
  LogicalResult interpretOwnStatistics();
  void buildVariants();
  /// Puts parameters and state back to where all runs start.
  void reset(Executable &executable);
  void compare(StringRef name, const Tensor &value);
  void compareRun(size_t variant, Executable &executable,
                  const RunResults &results);
  LogicalResult setTolerances();
  bool print(raw_ostream &os) const;

  Session &session;
  const reference::VerifyOptions &options;
  llvm::StringMap<Tensor> arguments;
  /// The results to compare with, by micro-batch; 0: of the full batch.
  std::map<int64_t, llvm::StringMap<Tensor>> interpreted;
  /// Those of the variant that is compared.
  llvm::StringMap<Tensor> *expected = nullptr;
  bool ownStatistics = false;
  SmallVector<PipelineOptions> variants;
  SmallVector<std::string> titles;
  struct Row {
    SmallVector<double> errors;
    reference::ResultTolerance tolerance;

    bool passed() const {
      return llvm::all_of(
          errors, [&](double error) { return error <= tolerance.declared; });
    }
  };
  llvm::MapVector<StringRef, Row> rows;
  /// The step of the full batch, its arguments, and the number of each result.
  OwningOpRef<ModuleOp> step;
  SmallVector<Tensor> stepArguments;
  llvm::StringMap<unsigned> numbers;
};
} // namespace

LogicalResult TargetCheck::interpret(Phase phase,
                                     const PipelineOptions &pipeline,
                                     int64_t microBatch) {
  FailureOr<OwningOpRef<ModuleOp>> module =
      compileTo(phase, session.input->getModule(), pipeline);
  if (failed(module))
    return failure();
  func::FuncOp function = *(*module)->getOps<func::FuncOp>().begin();
  if (phase == Phase::Step)
    ownStatistics = pipeline.batchNorm == train::BatchNorm::Micro &&
                    hasMicroStatistics(function);
  FailureOr<train::Signature> signature = train::readSignature(function);
  FailureOr<SmallVector<Tensor>> drawn = reference::drawArguments(
      function, options.batch, options.seed, options.inputs);
  if (failed(signature) || failed(drawn))
    return failure();
  reference::InterpreterOptions interpreter;
  interpreter.batch = options.batch;
  FailureOr<SmallVector<Tensor>> results =
      reference::interpret(function, *drawn, interpreter);
  if (failed(results))
    return failure();
  for (const train::Signature::Parameter &parameter : signature->parameters)
    arguments[parameter.name] = (*drawn)[parameter.number];
  for (const train::Signature::Input &input : signature->inputs)
    arguments[input.name] = (*drawn)[input.number];
  for (const train::Signature::Result &result : signature->results) {
    interpreted[microBatch][result.name] = (*results)[result.number];
    if (phase == Phase::Step)
      numbers[result.name] = result.number;
  }
  for (const train::Signature::State &state : signature->states) {
    arguments[state.name] = (*drawn)[state.number];
    if (!state.update)
      continue;
    interpreted[microBatch][state.name] = (*results)[*state.update];
    if (phase == Phase::Step)
      numbers[state.name] = *state.update;
  }
  if (phase == Phase::Step) {
    step = std::move(*module);
    stepArguments = std::move(*drawn);
  }
  return success();
}

LogicalResult TargetCheck::interpretFullBatch() {
  PipelineOptions step;
  step.gradientsOnly = true;
  step.stateUpdates = true;
  step.batchNorm = session.pipeline.batchNorm;
  return interpret(Phase::Step, step, /*microBatch=*/0);
}

LogicalResult TargetCheck::interpretOwnStatistics() {
  for (const PipelineOptions &variant : variants) {
    if (!ownStatistics || variant.microBatch == options.batch ||
        interpreted.count(variant.microBatch))
      continue;
    PipelineOptions step = variant;
    step.gradientsOnly = true;
    step.stateUpdates = true;
    if (failed(interpret(Phase::Accumulated, step, variant.microBatch)))
      return failure();
  }
  return success();
}

void TargetCheck::buildVariants() {
  SmallVector<int64_t> sizes = options.microBatches;
  if (sizes.empty())
    sizes = reference::getDefaultMicroBatches(options.batch);
  for (auto policy : {train::RematPolicy::None, train::RematPolicy::Full}) {
    bool recompute = policy == train::RematPolicy::Full;
    if (recompute && !options.recompute)
      continue;
    for (int64_t size : sizes) {
      PipelineOptions variant = session.pipeline;
      variant.microBatch = size;
      variant.remat = policy;
      variants.push_back(variant);
      std::string error;
      titles.push_back(formatSpans(*cutBatch(options.batch, size, 0, error)) +
                       (recompute ? ", recomputed" : ""));
    }
  }
}

void TargetCheck::reset(Executable &executable) {
  for (const StateTensor &parameter : executable.getParameters())
    reference::writeTensor(arguments.at(parameter.name), parameter.dtype,
                           parameter.data);
  for (const StateTensor &slot : executable.getSlots())
    std::memset(slot.data, 0, slot.bytes());
  for (const StateTensor &state : executable.getState()) {
    auto declared = arguments.find(state.name);
    if (declared == arguments.end())
      std::memset(state.data, 0, state.bytes());
    else
      reference::writeTensor(declared->second, state.dtype, state.data);
  }
}

void TargetCheck::compare(StringRef name, const Tensor &value) {
  auto it = expected->find(name);
  if (it == expected->end())
    return;
  rows[it->first()].errors.push_back(reference::getError(value, it->second));
}

void TargetCheck::compareRun(size_t variant, Executable &executable,
                             const RunResults &results) {
  auto own = interpreted.find(variants[variant].microBatch);
  expected = own == interpreted.end() ? &interpreted[0] : &own->second;
  for (ArrayRef<StateTensor> list :
       {executable.getGradients(), executable.getState()})
    for (const StateTensor &tensor : list) {
      auto it = expected->find(tensor.name);
      if (it == expected->end())
        continue;
      Tensor value(it->second.getType());
      reference::readTensor(tensor.data, tensor.dtype, value);
      compare(tensor.name, value);
    }
  auto compareScalar = [&](StringRef name, double number) {
    auto it = expected->find(name);
    if (it == expected->end() || !it->second.isFloat())
      return;
    auto type = cast<FloatType>(it->second.getElementType());
    compare(name, Tensor::getScalar(type, number));
  };
  compareScalar("loss", results.loss);
  compareScalar("grad_norm", results.gradNorm);
  for (auto [name, value] :
       llvm::zip_equal(executable.getMetricNames(), results.metrics))
    compareScalar(name, value);
}

LogicalResult TargetCheck::setTolerances() {
  func::FuncOp function = *step->getOps<func::FuncOp>().begin();
  SmallVector<reference::ResultTolerance> tolerances =
      reference::getTolerances(function);
  for (auto &[name, row] : rows)
    row.tolerance = tolerances[numbers.at(name)];
  auto passed = [](const auto &entry) { return entry.second.passed(); };
  if (llvm::all_of(rows, passed))
    return success();
  if (failed(reference::widenTolerances(function, stepArguments, options.batch,
                                        tolerances)))
    return failure();
  for (auto &[name, row] : rows)
    if (!row.passed())
      row.tolerance = tolerances[numbers.at(name)];
  return success();
}

bool TargetCheck::print(raw_ostream &os) const {
  bool passed = true;
  os << formatv("{0}: compiled for {1}, against the interpreted full batch of "
                "{2} in f64, error per tensor\n",
                session.input->getFunction().getSymName(),
                session.options.target, options.batch);
  if (interpreted.size() > 1)
    os << "  normalized by the statistics of each micro-batch, a split step is "
          "compared with itself, interpreted\n";
  for (auto [i, title] : llvm::enumerate(titles))
    os << formatv("  [{0}] {1}\n", i + 1, title);
  os << formatv("  {0,-16}", "");
  for (size_t i = 0; i < titles.size(); ++i)
    os << formatv("{0,9}", formatv("[{0}]", i + 1).str());
  os << '\n';
  for (const auto &[name, row] : rows) {
    os << formatv("  {0,-16}", name);
    for (double error : row.errors)
      os << formatv("{0,9}", fmt::format("{:.0e}", error));
    bool ok = row.passed();
    os << (ok ? "  ok" : "  FAIL") << reference::formatRounding(row.tolerance)
       << '\n';
    passed &= ok;
  }
  return passed;
}

int TargetCheck::run() {
  if (failed(interpretFullBatch()))
    return kFailure;
  buildVariants();
  if (failed(interpretOwnStatistics()))
    return kFailure;
  std::unique_ptr<Executable> executable = buildExecutable(session, variants);
  if (!executable)
    return kFailure;
  TensorInput input;
  for (const InputInfo &info : executable->getInputs())
    input.add(info, arguments.at(info.name));
  for (size_t i = 0; i < variants.size(); ++i) {
    reset(*executable);
    RunResults results;
    if (io::Status status = executable->run(i, input, results); !status)
      return reportError(status.message());
    compareRun(i, *executable, results);
  }
  if (failed(setTolerances()))
    return kFailure;
  return print(llvm::outs()) ? kSuccess : kFailure;
}

int tool::verifyTarget(Session &session,
                       const reference::VerifyOptions &options) {
  return TargetCheck(session, options).run();
}
