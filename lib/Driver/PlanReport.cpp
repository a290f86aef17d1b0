//===- PlanReport.cpp - The plan in words ---------------------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "accrue/Driver/PlanReport.h"

#include "accrue/Driver/BatchOptions.h"
#include "accrue/Driver/ModelInput.h"
#include "accrue/Support/Location.h"
#include "runtime/io/Progress.h"
#include "runtime/training/RunLength.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace accrue;
using llvm::formatv;

/// "mean in cross_entropy (digits.acr:12:8)": the op, and the call of the model
/// file that it comes from if that has another name.
static std::string describeCause(Operation *cause, const ModelInput &input) {
  StringRef op = cause->getName().stripDialect();
  std::string text = op.str();
  StringRef source = input.getSourceText(cause->getLoc());
  StringRef callee = source.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  if (callee.size() < source.size() && source[callee.size()] == '(' &&
      callee != op && !callee.empty())
    text += " in " + callee.str();
  std::string place = formatLocation(cause->getLoc());
  return place.empty() ? text : text + " (" + place + ")";
}

/// One phrase per way in which a term of the loss is scaled.
static SmallVector<std::string> describeScaling(const PlanReport &report,
                                                const ModelInput &input) {
  SmallVector<std::string> phrases;
  auto add = [&](std::string phrase) {
    if (!llvm::is_contained(phrases, phrase))
      phrases.push_back(std::move(phrase));
  };
  for (const ScalingRow &row : report.scaling) {
    if (row.kind != "loss")
      continue;
    for (const ScalingTerm &term : row.terms) {
      std::string from =
          term.cause ? ", from " + describeCause(term.cause, input) : "";
      switch (term.kind) {
      case ScalingTerm::Kind::Once:
        add("a term added once" + from);
        break;
      case ScalingTerm::Kind::Unweighted:
        add("weight 1" + from);
        break;
      case ScalingTerm::Kind::Weighted:
        add((report.spans.size() == 1 ? "weight " : "weights ") +
            formatWeights(report.spans) + from);
        break;
      case ScalingTerm::Kind::Concatenated:
        break;
      }
    }
  }
  return phrases;
}

static void printEpoch(const PlanReport &report, raw_ostream &os) {
  const EpochPlan &epoch = *report.epoch;
  int64_t full = epoch.samples / report.batch;
  int64_t tail = epoch.samples % report.batch;
  os << "        epoch of " << io::groupDigits(epoch.samples)
     << " samples = " << io::groupDigits(full)
     << (full == 1 ? " full batch" : " full batches");
  if (tail == 0)
    os << ", no tail";
  else if (!epoch.keepTail)
    os << ", tail " << tail << " dropped";
  else
    os << ", tail " << tail << " = " << formatSpans(epoch.tailSpans)
       << ", kept (weight" << (epoch.tailSpans.size() == 1 ? " " : "s ")
       << formatWeights(epoch.tailSpans) << ")";
  os << '\n';
  if (epoch.steps == 0 || (full == 0 && !epoch.keepTail))
    return;
  io::SamplerOptions sampling;
  sampling.batch = report.batch;
  sampling.keepTail = epoch.keepTail;
  RunLength length(epoch.samples, sampling);
  for (const std::string &line : length.describe(epoch.steps, epoch.schedule))
    os << "        " << line << '\n';
}

void PlanReport::print(const ModelInput &input, raw_ostream &os) const {
  SmallVector<std::string> scaling = describeScaling(*this, input);
  os << "plan    " << io::groupDigits(batch)
     << " samples per optimizer step = " << formatSpans(spans);
  for (auto [i, phrase] : llvm::enumerate(scaling))
    os << (i == 0 ? "      " : "\n        ") << phrase;
  os << '\n';
  if (price)
    os << "        " << describePrice(*price) << '\n';
  if (recompute)
    os << "        activations are computed again in the backward pass\n";
  if (epoch)
    printEpoch(*this, os);
}

std::string accrue::describeParameters(const train::Signature &signature) {
  int64_t trained = 0, frozen = 0;
  for (const train::Signature::Parameter &parameter : signature.parameters)
    (parameter.rule ? trained : frozen) += parameter.type.getNumElements();
  std::string text = io::groupDigits(trained) + " parameters";
  if (frozen > 0)
    text += " and " + io::groupDigits(frozen) + " frozen";
  return text;
}
