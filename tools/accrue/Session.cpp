//===- Session.cpp - What every command starts with -----------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include "accrue/Driver/ByteSize.h"
#include "accrue/Driver/Suggestions.h"
#include "accrue/Pipelines/Registration.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <fmt/format.h>

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

static DialectRegistry getRegistry() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

// One function is compiled at a time: threads would only cost their start.
Session::Session(const CommandLine &options)
    : options(options),
      context(getRegistry(), MLIRContext::Threading::DISABLED) {
  // Who writes models wants the line of the model, not the IR behind it.
  context.printOpOnDiagnostic(false);
}

bool tool::checkWord(StringRef name, StringRef word,
                     ArrayRef<StringRef> words) {
  if (llvm::is_contained(words, word))
    return true;
  StringRef nearest = suggestWord(word, words);
  usageError("unknown value '" + word + "' of " + name +
             (nearest.empty() ? ": expected " + llvm::join(words, ", ")
                              : ": did you mean '" + nearest.str() + "'?"));
  return false;
}

bool tool::checkTarget(const CommandLine &options) {
  return checkWord("--target", options.target, {"cpu", "reference"});
}

int Session::start() {
  if (!checkWord("--remat", options.remat, {"auto", "none", "full"}))
    return kUsage;
  if (!checkWord("--batch-norm", options.batchNorm,
                 {"exact", "micro", "frozen"}))
    return kUsage;
  if (!checkWord("--coupled", options.coupled,
                 {"auto", "store", "recompute", "error"}))
    return kUsage;
  FrontendOptions frontend;
  frontend.model = options.modelName;
  for (const std::string &text : options.overrides) {
    auto [name, value] = StringRef(text).split('=');
    if (name.empty() || value.empty())
      return usageError("expected --set name=value, got '" + text + "'");
    frontend.configOverrides.emplace_back(name.trim(), value.trim());
  }

  auto get = [](const llvm::cl::opt<long> &option) -> std::optional<int64_t> {
    if (option.getNumOccurrences() == 0)
      return std::nullopt;
    return option.getValue();
  };
  if (!options.batch.empty())
    batch.batch = options.batch.front();
  else if (options.eval && options.microBatch.getNumOccurrences() > 0)
    // All samples are one batch: its micro-batches are not those of a step.
    batch.batch = options.microBatch;
  batch.microBatch = get(options.microBatch);
  batch.accumulate = get(options.accumulate);
  std::string error;
  if (options.memory.getNumOccurrences() > 0) {
    FailureOr<int64_t> limit = parseByteSize(options.memory, error);
    if (failed(limit))
      return usageError(error);
    batch.memoryLimit = *limit;
  }
  FailureOr<int64_t> gatherLimit = parseByteSize(options.gatherLimit, error);
  if (failed(gatherLimit))
    return usageError(error);
  pipeline.gatherLimit = *gatherLimit;

  input = ModelInput::load(options.model, frontend, &context);
  if (!input)
    return kFailure;
  FailureOr<train::Signature> read = train::readSignature(input->getFunction());
  if (failed(read))
    return kFailure;
  signature = std::move(*read);
  if (failed(resolveBatch(batch, signature.batch, error)))
    return usageError(error);
  batches.push_back(*batch.batch);
  for (auto [i, size] : llvm::enumerate(options.batch)) {
    if (i == 0)
      continue;
    if (size <= 0 || size >= *batch.batch)
      return usageError("expected further sizes of --batch from 1 to " +
                        Twine(*batch.batch - 1) + ", got " + Twine(size));
    batches.push_back(size);
  }
  for (int64_t size : options.evalBatch)
    if (size <= 0)
      return usageError("expected sizes of --eval-batch from 1, got " +
                        Twine(size));
  pipeline.batch = *batch.batch;
  pipeline.microBatch = batch.microBatch.value_or(0);
  pipeline.accumulate = batch.accumulate.value_or(0);
  pipeline.batchNorm =
      llvm::StringSwitch<train::BatchNorm>(options.batchNorm.getValue())
          .Case("micro", train::BatchNorm::Micro)
          .Case("frozen", train::BatchNorm::Frozen)
          .Default(train::BatchNorm::Exact);
  pipeline.coupled = llvm::StringSwitch<Coupled>(options.coupled.getValue())
                         .Case("store", Coupled::Store)
                         .Case("recompute", Coupled::Recompute)
                         .Case("error", Coupled::Error)
                         .Default(Coupled::Auto);
  pipeline.remat = options.remat == "full" ? train::RematPolicy::Full
                                           : train::RematPolicy::None;
  spans = *cutBatch(pipeline.batch, pipeline.microBatch, pipeline.accumulate,
                    error);
  return kSuccess;
}

void Session::split(int64_t microBatch, train::RematPolicy remat) {
  std::string error;
  pipeline.microBatch = microBatch;
  pipeline.remat = remat;
  spans = *cutBatch(pipeline.batch, microBatch, /*accumulate=*/0, error);
}

int Session::chooseKinds(ArrayRef<ProgramKind> byDefault) {
  kinds.assign(byDefault.begin(), byDefault.end());
  if (options.entries.empty())
    return kSuccess;
  static constexpr std::pair<StringLiteral, ProgramKind> names[] = {
      {"step", ProgramKind::Step},
      {"gradients", ProgramKind::Gradients},
      {"evaluate", ProgramKind::Evaluation}};
  SmallVector<StringRef> words;
  for (const auto &[name, kind] : names)
    words.push_back(name);
  for (const std::string &entry : options.entries)
    if (!checkWord("--entries", entry, words))
      return kUsage;
  // The order of the program, not of the option.
  kinds.clear();
  for (const auto &[name, kind] : names)
    if (llvm::is_contained(options.entries, name))
      kinds.push_back(kind);
  return kSuccess;
}

SmallVector<ProgramInfo> Session::getPrograms() const {
  SmallVector<ProgramInfo> programs;
  for (ProgramKind kind : kinds) {
    if (kind != ProgramKind::Evaluation) {
      for (int64_t size : batches)
        programs.push_back({kind, size});
      continue;
    }
    if (options.evalBatch.empty())
      programs.push_back({kind, batches.front()});
    for (int64_t size : options.evalBatch)
      programs.push_back({kind, size});
  }
  return programs;
}

int64_t Session::getLargestMicroBatch() const { return spans.front().size; }

PipelineOptions Session::getOptions(const ProgramInfo &program) const {
  PipelineOptions options = pipeline;
  options.batch = program.batch;
  options.evaluation = program.kind == ProgramKind::Evaluation;
  options.gradientsOnly = program.kind == ProgramKind::Gradients;
  if (options.evaluation || program.batch != *batch.batch) {
    options.accumulate = 0;
    options.microBatch = std::min(program.batch, getLargestMicroBatch());
  }
  return options;
}

void Session::warnOfLearningRate() const {
  if (signature.batch == 0 || signature.batch == *batch.batch)
    return;
  double ratio = static_cast<double>(*batch.batch) / signature.batch;
  // One per group of parameters with a rate of its own.
  SmallVector<double> rates;
  for (const train::Signature::Parameter &parameter : signature.parameters)
    if (parameter.rule &&
        !llvm::is_contained(rates, parameter.rule.getLearningRate()))
      rates.push_back(parameter.rule.getLearningRate());
  if (rates.empty())
    return;
  auto format = [&](double factor) {
    return llvm::join(llvm::map_range(rates,
                                      [&](double rate) {
                                        return fmt::format("{:.6g}",
                                                           rate * factor);
                                      }),
                      ", ");
  };
  llvm::WithColor::warning(llvm::errs(), "accrue")
      << "batch " << *batch.batch << " instead of the model's "
      << signature.batch << ": the learning rate stays " << format(1)
      << "; linear scaling would make it " << format(ratio)
      << ", square-root scaling " << format(std::sqrt(ratio)) << '\n';
}

std::string Session::hashStep(StringRef target) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  input->getModule().print(os);
  os << formatSpans(spans) << ' ' << static_cast<int>(pipeline.remat) << ' '
     << target;
  if (pipeline.batchNorm == train::BatchNorm::Micro)
    os << " micro";
  if (pipeline.batchNorm == train::BatchNorm::Frozen)
    os << " frozen";
  os << ' ' << static_cast<int>(pipeline.coupled);
  return llvm::formatv("{0:x-16}", llvm::xxh3_64bits(text));
}
