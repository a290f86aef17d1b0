//===- Suggestions.cpp - What an unknown word was meant to be -------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/Suggestions.h"

#include "accrue/Frontend/SourceLocations.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace llvm;
using namespace accrue;

namespace {
/// An option of another training system. `advice` is the option of that name
/// here if it starts with dashes, else a sentence.
struct ForeignOption {
  StringLiteral name;
  StringLiteral advice;
};
} // namespace

/// Names are compared in lower case with dashes for underscores.
static constexpr ForeignOption kForeignOptions[] = {
    {"gradient-accumulation-steps", "--accumulate"},
    {"gradient-accumulation", "--accumulate"},
    {"grad-accumulation-steps", "--accumulate"},
    {"grad-accum-steps", "--accumulate"},
    {"grad-accum", "--accumulate"},
    {"accumulate-grad-batches", "--accumulate"},
    {"accumulation-steps", "--accumulate"},
    {"accum-steps", "--accumulate"},
    {"num-micro-batches", "--accumulate"},
    {"batch-size", "--batch"},
    {"global-batch-size", "--batch"},
    {"train-batch-size", "--batch"},
    {"micro-batch-size", "--micro-batch"},
    {"per-device-train-batch-size", "--micro-batch"},
    {"train-micro-batch-size-per-gpu", "--micro-batch"},
    {"max-steps", "--steps"},
    {"iterations", "--steps"},
    {"num-steps", "--steps"},
    {"gradient-checkpointing", "--remat"},
    {"activation-checkpointing", "--remat"},
    {"checkpoint-activations", "--remat"},
    {"memory-limit", "--memory"},
    {"max-memory", "--memory"},
    {"drop-last", "--tail"},
    {"checkpoint", "--save"},
    {"output-dir", "--save"},
    {"save-steps", "--save-every"},
    {"eval-steps", "--eval-every"},
    {"logging-steps", "--log-every"},
    {"resume-from-checkpoint", "--resume"},
    {"device", "--target"},
    {"learning-rate",
     "the learning rate is 'optimizer' in the model file's train block"},
    {"lr", "the learning rate is 'optimizer' in the model file's train block"},
    {"weight-decay",
     "weight decay is 'optimizer' in the model file's train block"},
    {"optimizer", "the optimizer is in the model file's train block"},
    {"max-grad-norm",
     "clipping is 'clip_norm' in the model file's train block"},
    {"clip-grad-norm",
     "clipping is 'clip_norm' in the model file's train block"},
    {"gradient-clip-val",
     "clipping is 'clip_norm' in the model file's train block"},
    {"loss-scale",
     "loss scaling is 'loss_scale' in the model file's train block"},
    {"warmup-steps", "warm-up is 'schedule' in the model file's train block"},
    {"epochs", "the length of a run is counted in optimizer steps: --steps"},
    {"num-train-epochs",
     "the length of a run is counted in optimizer steps: --steps"},
};

StringRef accrue::suggestWord(StringRef word, ArrayRef<StringRef> words) {
  return frontend::findNearest(word, words);
}

std::string accrue::suggestOption(StringRef name, ArrayRef<StringRef> options) {
  std::string normal = name.lower();
  std::replace(normal.begin(), normal.end(), '_', '-');
  for (const ForeignOption &foreign : kForeignOptions) {
    if (foreign.name != normal)
      continue;
    if (!foreign.advice.starts_with("--"))
      return foreign.advice.str();
    if (is_contained(options, foreign.advice.drop_front(2)))
      return formatv("did you mean '{0}'?", foreign.advice);
  }
  StringRef nearest = suggestWord(normal, options);
  if (nearest.empty())
    return "";
  return formatv("did you mean '--{0}'?", nearest);
}
