//===- Generate.cpp - accrue generate -------------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Continues a text with the forward program of a language model: one sample,
// the window of the last tokens from its beginning on, and the logits of the
// last one. Positions behind it hold token 0; a causal model does not look.
//
//===----------------------------------------------------------------------===//

#include "Executables.h"
#include "Vocabulary.h"

#include "accrue/Training/Training.h"
#include "runtime/io/Philox.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace accrue;
using namespace accrue::tool;

namespace {
/// Gives the program one window of tokens.
class Window final : public InputProvider {
public:
  explicit Window(const InputInfo &info)
      : isWide(info.dtype == io::DType::I64), tokens(info.shape[1], 0) {}

  int64_t size() const { return tokens.size(); }
  void set(ArrayRef<int64_t> text) {
    std::fill(llvm::copy(text, tokens.begin()), tokens.end(), 0);
  }

  io::Status fill(unsigned, int64_t, int64_t, void *to) override {
    if (isWide)
      std::copy(tokens.begin(), tokens.end(), static_cast<int64_t *>(to));
    else
      std::copy(tokens.begin(), tokens.end(), static_cast<int32_t *>(to));
    return io::Status::success();
  }

private:
  bool isWide;
  std::vector<int64_t> tokens;
};

/// How the next token is chosen.
struct Sampling {
  double temperature = 1;
  /// Only the most likely ones take part; 0 for all.
  int64_t topK = 0;
  uint64_t seed = 0;
};
} // namespace

/// The token after number `step`: the most likely one at temperature 0, else
/// one drawn with probabilities softmax(logits / temperature).
static int64_t choose(ArrayRef<double> logits, const Sampling &sampling,
                      int64_t step) {
  std::vector<int64_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(
      order, [&](int64_t a, int64_t b) { return logits[a] > logits[b]; });
  if (sampling.temperature == 0)
    return order.front();
  if (sampling.topK > 0 && sampling.topK < static_cast<int64_t>(order.size()))
    order.resize(sampling.topK);
  std::vector<double> sums;
  double total = 0;
  for (int64_t token : order) {
    total += std::exp((logits[token] - logits[order.front()]) /
                      sampling.temperature);
    sums.push_back(total);
  }
  uint64_t bits =
      io::philoxWords(sampling.seed, io::hashName("generate"), step).first;
  double draw = total * (static_cast<double>(bits >> 11) * 0x1p-53);
  size_t chosen =
      std::upper_bound(sums.begin(), sums.end(), draw) - sums.begin();
  return order[std::min(chosen, order.size() - 1)];
}

/// The one input, a window of tokens; none after an error.
static const InputInfo *getTokens(Executable &executable) {
  if (executable.getInputs().size() == 1) {
    const InputInfo &input = *executable.getInputs().begin();
    if ((input.dtype == io::DType::I32 || input.dtype == io::DType::I64) &&
        input.shape.size() == 2 && input.batchDim == 0)
      return &input;
  }
  reportError("expected a model with one input of tokens, i32[batch, length]");
  return nullptr;
}

/// The output [1, positions, vocabulary]; none after an error.
static const StateTensor *getLogits(Executable &executable, StringRef name) {
  for (const StateTensor &output : executable.getOutputs(0))
    if (output.name == name && output.shape.size() == 3 &&
        (output.dtype == io::DType::F32 || output.dtype == io::DType::F64))
      return &output;
  reportError("expected a model with 'output " + name +
              " = ...' of f32 or f64 [batch, length, vocabulary]");
  return nullptr;
}

int tool::runGenerate(const CommandLine &options) {
  if (int status = checkWeights(options, "generate"))
    return status;
  Sampling sampling;
  sampling.temperature = options.temperature;
  sampling.topK = options.topK;
  sampling.seed = options.seed;
  if (!checkTarget(options) || !(sampling.temperature >= 0) ||
      !std::isfinite(sampling.temperature) || sampling.topK < 0)
    return usageError("expected --temperature and --top-k of at least 0");
  io::Result<Vocabulary> vocabulary = Vocabulary::open(options.vocabulary);
  if (!vocabulary)
    return reportError(vocabulary.message());
  io::Result<std::vector<int64_t>> text = vocabulary->encode(options.prompt);
  if (!text)
    return reportError("--prompt: " + text.message());
  if (text->empty())
    return usageError("expected a --prompt of at least one token");

  Session session(options);
  if (int status = session.start())
    return status;
  PipelineOptions pipeline =
      session.getOptions(ProgramInfo{ProgramKind::Evaluation, 1});
  pipeline.outputs = true;
  std::unique_ptr<Executable> executable =
      buildExecutable(session, ArrayRef(pipeline));
  if (!executable)
    return kFailure;
  if (int status = readWeights(options, *executable))
    return status;
  const InputInfo *tokens = getTokens(*executable);
  const StateTensor *output =
      tokens ? getLogits(*executable, "logits") : nullptr;
  if (!output)
    return kFailure;
  int64_t positions = std::min(output->shape[1], tokens->shape[1]);
  int64_t classes = output->shape[2];
  if (vocabulary->size() > static_cast<size_t>(classes))
    return reportError("expected a vocabulary of at most " + Twine(classes) +
                       " tokens, got " + Twine(vocabulary->size()));
  for (int64_t token : *text)
    if (token >= classes)
      return reportError("expected tokens below " + Twine(classes) + ", got " +
                         Twine(token));

  Window window(*tokens);
  std::vector<double> logits(classes);
  llvm::outs() << options.prompt;
  if (vocabulary->size() == 0)
    llvm::outs() << ' ';
  for (int64_t step = 0; step < options.tokens; ++step) {
    ArrayRef<int64_t> visible = ArrayRef(*text).take_back(positions);
    window.set(visible);
    RunResults results;
    if (io::Status status = executable->run(0, window, results); !status)
      return reportError(status.message());
    if (io::Status status = executable->fetchTensors(); !status)
      return reportError(status.message());
    int64_t row = (visible.size() - 1) * classes;
    for (int64_t i = 0; i < classes; ++i)
      logits[i] = output->dtype == io::DType::F32
                      ? static_cast<const float *>(output->data)[row + i]
                      : static_cast<const double *>(output->data)[row + i];
    if (llvm::any_of(logits, [](double logit) { return std::isnan(logit); }))
      return reportError("the logits of token " + Twine(text->size()) +
                         " are not numbers");
    text->push_back(choose(logits, sampling, step));
    llvm::outs() << vocabulary->decode(text->back());
    llvm::outs().flush();
  }
  llvm::outs() << '\n';
  return kSuccess;
}
