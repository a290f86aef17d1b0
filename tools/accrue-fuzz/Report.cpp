//===- Report.cpp - What many random programs came to ---------------------===//
//
// Part of Accrue, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "accrue/Fuzz/ProgramGenerator.h"
#include "llvm/Support/Format.h"
#include <set>

using namespace mlir;
using namespace accrue;
using namespace accrue::fuzz;

void Report::add(func::FuncOp model, const CheckResult &result) {
  ++programs;
  coupled += model->hasAttr(kCoupled);
  ++programsByOutcome[result.outcome];
  int64_t most = 0;
  for (const VariantResult &variant : result.variants) {
    ++splitsByOutcome[variant.outcome];
    most = std::max(most, variant.loops);
    if (variant.outcome == Outcome::Refused)
      ++refusals[variant.reason];
    if (variant.outcome == Outcome::Equal)
      largestError = std::max(largestError, variant.error);
  }
  ++loops[most];
  std::set<std::string> names;
  model.getBody().walk(
      [&](Operation *op) { names.insert(op->getName().getStringRef().str()); });
  for (const std::string &name : names)
    ++ops[name];
}

int64_t Report::getFailures() const {
  int64_t failures = 0;
  for (auto [outcome, count] : programsByOutcome)
    if (outcome >= Outcome::Different)
      failures += count;
  return failures;
}

void Report::print(llvm::raw_ostream &os) const {
  os << programs << " programs, " << coupled << " made to couple samples\n";
  for (auto [outcome, count] : programsByOutcome)
    os << llvm::format("%8lld ", static_cast<long long>(count))
       << toString(outcome) << '\n';
  os << "largest error of equal splits: " << llvm::format("%.1e", largestError)
     << '\n';
  os << "programs by loops over the batch:";
  for (auto [count, number] : loops)
    os << ' ' << count << ": " << number;
  os << '\n';
  if (refusals.empty())
    return;
  os << "refused splits:\n";
  for (const auto &[reason, count] : refusals)
    os << llvm::format("%8lld ", static_cast<long long>(count)) << reason
       << '\n';
}

void Report::write(llvm::json::OStream &json) const {
  json.attribute("programs", programs);
  json.attribute("coupled", coupled);
  json.attribute("largest_error", largestError);
  auto writeOutcomes = [&](StringRef name,
                           const std::map<Outcome, int64_t> &counts) {
    json.attributeObject(name, [&] {
      for (auto [outcome, count] : counts)
        json.attribute(toString(outcome), count);
    });
  };
  writeOutcomes("outcomes", programsByOutcome);
  writeOutcomes("splits", splitsByOutcome);
  auto writeCounts = [&](StringRef name,
                         const std::map<std::string, int64_t> &counts) {
    json.attributeObject(name, [&] {
      for (const auto &[key, count] : counts)
        json.attribute(key, count);
    });
  };
  writeCounts("refusals", refusals);
  json.attributeObject("loops", [&] {
    for (auto [count, number] : loops)
      json.attribute(std::to_string(count), number);
  });
  writeCounts("ops", ops);
}
